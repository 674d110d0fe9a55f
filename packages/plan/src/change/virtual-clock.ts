import type { Clock } from '@weft/client'

interface Timer {
  readonly at: number
  readonly order: number
  readonly callback: () => void
}

/** Time that passes only when somebody says so: what controllers would wait for is jumped over instead of waited for. */
export class VirtualClock implements Clock {
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

  /** Moves to the next timer that is due by `limit`, and fires it. Answers false, and does nothing, when there is none. */
  fireNext(limit: number): boolean {
    let next: Timer | undefined
    for (const timer of this.#timers)
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer
    if (next === undefined || next.at > limit) return false
    this.#timers.delete(next)
    this.#now = Math.max(this.#now, next.at)
    next.callback()
    return true
  }
}
