import { type ReactNode, useSyncExternalStore } from 'react'
import { ago } from '../objects/words.ts'

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for the page; it stands still when nobody looks at it. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, 10_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export function TimeAgo({ at }: { readonly at: string | undefined }): ReactNode {
  const current = useSyncExternalStore(subscribe, () => now)
  if (at === undefined) return null
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {ago(at, Math.max(current, Date.now() - 10_000))}
    </time>
  )
}
