import type { Clock } from './clock.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly callback: () => void
}

/**
 * Time that passes only when somebody says so: what would be waited for is jumped over. Timers fire in order of time, then of creation.
 */
export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>()
  #now: number
  #order = 0

  constructor(start: number) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  setTimeout(callback: () => void, millis: number): unknown {
    const timer = { at: this.#now + Math.max(0, millis), order: this.#order++, callback }
    this.#timers.add(timer)
    return timer
  }

  clearTimeout(handle: unknown): void {
    this.#timers.delete(handle as Timer)
  }

  /** How many timers wait: a leak check. */
  get pending(): number {
    return this.#timers.size
  }

  /** Milliseconds until the next timer; undefined when there is none. */
  get nextIn(): number | undefined {
    const next = this.#next()
    return next === undefined ? undefined : Math.max(0, next.at - this.#now)
  }

  /** Moves to the next timer that is due by `limit`, and fires it. Answers false, and does nothing, when there is none. */
  fireNext(limit: number): boolean {
    const next = this.#next()
    if (next === undefined || next.at > limit) return false
    this.#timers.delete(next)
    this.#now = Math.max(this.#now, next.at)
    next.callback()
    return true
  }

  /** Moves on without firing anything; never back. */
  moveTo(time: number): void {
    this.#now = Math.max(this.#now, time)
  }

  #next(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers)
      if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer
    return first
  }
}
