import type { Clock } from '@weft/client'

interface Timer {
  readonly at: number
  readonly order: number
  readonly callback: () => void
}

/** A clock that stands still until it is moved. Timers fire in order of time, then of creation. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>()
  #now: number
  #order = 0

  constructor(start: number = Date.UTC(2026, 0, 1)) {
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

  /** Moves time. Each timer that comes due fires at its own time, and what it set off settles before the next one fires. */
  async advance(millis: number): Promise<void> {
    const target = this.#now + millis
    await settle()
    for (let next = this.#next(); next !== undefined && next.at <= target; next = this.#next()) {
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.callback()
      await settle()
    }
    this.#now = target
  }

  #next(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers)
      if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer
    return first
  }
}

/** Lets promises and immediates that are due run. Enough turns for a request to the in-memory server and back. */
export async function settle(turns = 4): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve))
}
