import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Notice } from '../parts/notice.tsx'
import { useConsole, useStreamState, useWorld } from '../session/console.tsx'

const CHEERFUL_MS = 4000

/** Says that what is shown may be old, and when it is live again. */
export function ConnectionNotice(): ReactNode {
  const state = useStreamState()
  const { kinds } = useConsole()
  const world = useWorld()
  const waiting = useMemo(() => [...world.collections.values()].find((collection) => collection.state.phase === 'waiting'), [world])
  const [wasBroken, setWasBroken] = useState(false)
  const isBroken = state.phase === 'broken' || waiting !== undefined
  useEffect(() => {
    if (isBroken) return setWasBroken(true)
    if (!wasBroken || state.phase !== 'live') return
    const timer = setTimeout(() => setWasBroken(false), CHEERFUL_MS)
    return () => clearTimeout(timer)
  }, [isBroken, state.phase, wasBroken])
  if (kinds.problem !== null) return <Notice tone="problem">The kinds cannot be read: {kinds.problem.message}</Notice>
  if (state.phase === 'broken')
    return <Notice tone="warning">The connection was lost: {state.why} What you see may be out of date. Connecting again…</Notice>
  if (waiting !== undefined && waiting.state.phase === 'waiting')
    return (
      <Notice tone="warning">
        {waiting.kind.kind} objects cannot be read: {waiting.state.why} What you see may be out of date. Trying again…
      </Notice>
    )
  return wasBroken && state.phase === 'live' ? <Notice tone="info">Connected again: everything is live.</Notice> : null
}
