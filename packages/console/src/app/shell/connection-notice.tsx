import { type ReactNode, useEffect, useState } from 'react'
import { Notice } from '../parts/notice.tsx'
import { useConsole, useStreamState } from '../session/console.tsx'

const CHEERFUL_MS = 4000

/** Says that what is shown may be old, and when it is live again. */
export function ConnectionNotice(): ReactNode {
  const state = useStreamState()
  const { kinds } = useConsole()
  const [wasBroken, setWasBroken] = useState(false)
  useEffect(() => {
    if (state.phase === 'broken') return setWasBroken(true)
    if (!wasBroken || state.phase !== 'live') return
    const timer = setTimeout(() => setWasBroken(false), CHEERFUL_MS)
    return () => clearTimeout(timer)
  }, [state, wasBroken])
  if (kinds.problem !== null) return <Notice tone="problem">The kinds cannot be read: {kinds.problem.message}</Notice>
  if (state.phase === 'broken')
    return <Notice tone="warning">The connection was lost: {state.why} What you see may be old. Connecting again…</Notice>
  return wasBroken && state.phase === 'live' ? <Notice tone="info">Connected again: everything is live.</Notice> : null
}
