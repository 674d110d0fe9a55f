import { setImmediate as nextTurn } from 'node:timers/promises'

/** Called between pieces of a long computation; lets other requests through now and then. */
export type Pause = () => Promise<void> | undefined

/** Steps of about this many milliseconds keep answers to others prompt. */
const STEP_MS = 8

export function pausing(): Pause {
  let started = performance.now()
  return () => {
    if (performance.now() - started < STEP_MS) return undefined
    return nextTurn().then(() => {
      started = performance.now()
    })
  }
}
