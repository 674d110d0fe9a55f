/** Timers that tests can move by hand. */
export interface Timers {
  setTimeout(callback: () => void, millis: number): unknown
  clearTimeout(handle: unknown): void
}

export const systemTimers: Timers = {
  setTimeout: (callback, millis) => globalThis.setTimeout(callback, millis),
  clearTimeout: (handle) => globalThis.clearTimeout(handle as NodeJS.Timeout),
}
