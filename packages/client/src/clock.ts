/** Time as a dependency: everything that waits takes one, so that tests move time by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  setTimeout(callback: () => void, millis: number): unknown
  clearTimeout(handle: unknown): void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, millis) => globalThis.setTimeout(callback, millis),
  clearTimeout: (handle) => globalThis.clearTimeout(handle as NodeJS.Timeout),
}

/** Answers in [0, 1), as Math.random does. */
export type Random = () => number

/** Resolves after `millis`; rejects with the signal's reason when it aborts first. Leaves neither timer nor listener behind. */
export function sleep(clock: Clock, millis: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error)
      return
    }
    const onAbort = (): void => {
      clock.clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, millis)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

export interface BackoffOptions {
  readonly baseMs: number
  readonly maxMs: number
  /** Part of the delay that is random, so that many clients do not come back at once: 0.5 = between half and all of it. */
  readonly jitter?: number
}

/** The delay before attempt number `attempt` (1 = the first retry): doubling, bounded, jittered. */
export function backoffDelay({ baseMs, maxMs, jitter = 0.5 }: BackoffOptions, attempt: number, random: Random): number {
  // 2^1024 is Infinity, which Math.min bounds like any other number.
  const full = Math.min(maxMs, baseMs * 2 ** Math.max(0, attempt - 1))
  return Math.round(full * (1 - jitter * random()))
}
