import { setMaxListeners } from 'node:events'

/** Gives up waiting for `work` when `signal` aborts; the work itself goes on. Leaves no listener behind. Every request comes through here. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  withoutLimit(signal)
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const onAbort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(
      (value) => {
        signal.removeEventListener('abort', onAbort)
        resolve(value)
      },
      (error: unknown) => {
        signal.removeEventListener('abort', onAbort)
        reject(error as Error)
      },
    )
  })
}

/** One reconcile, or one plan, may have dozens of requests under way; Node takes more than ten listeners for a leak and says so. */
export function withoutLimit(signal: AbortSignal | undefined): void {
  if (signal !== undefined) setMaxListeners(0, signal)
}

/** One signal for two; undefined when there is neither. */
export function eitherSignal(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b
  return AbortSignal.any([a, b])
}
