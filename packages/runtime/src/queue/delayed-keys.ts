import type { Clock } from '@weft/client'

interface Entry {
  readonly key: string
  at: number
  /** How much earlier it may be, in company. */
  slack: number
  /** Position in the heap. */
  index: number
}

/** A long delay may end so much earlier, as a part of it and at most. */
const SLACK_PART = 0.01
const MAX_SLACK_MS = 1_000

/**
 * Keys and when they are due: a binary heap on one timer. `onDue` gets every key whose time has come, and with it those whose time is as good as there: to wake
 * up costs more than to look at one resource, and those that are looked at every minute need not each have a wake-up of their own.
 */
export class DelayedKeys {
  readonly #clock: Clock
  readonly #onDue: (key: string) => void
  readonly #entries = new Map<string, Entry>()
  readonly #heap: Entry[] = []
  #timer: unknown
  #timerAt = Number.POSITIVE_INFINITY

  constructor(clock: Clock, onDue: (key: string) => void) {
    this.#clock = clock
    this.#onDue = onDue
  }

  get size(): number {
    return this.#heap.length
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** The earlier of the times wins. */
  set(key: string, at: number): void {
    const slack = Math.min(MAX_SLACK_MS, Math.max(0, at - this.#clock.now()) * SLACK_PART)
    const known = this.#entries.get(key)
    if (known === undefined) {
      const entry = { key, at, slack, index: this.#heap.length }
      this.#entries.set(key, entry)
      this.#heap.push(entry)
      this.#rise(entry)
    } else if (at < known.at) {
      known.at = at
      known.slack = slack
      this.#rise(known)
    }
    this.#arm()
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    const last = this.#heap.pop() as Entry
    if (last !== entry) {
      this.#place(last, entry.index)
      this.#rise(last)
      this.#sink(last)
    }
    this.#arm()
  }

  clear(): void {
    this.#entries.clear()
    this.#heap.length = 0
    this.#arm()
  }

  #arm(): void {
    const at = this.#heap[0]?.at ?? Number.POSITIVE_INFINITY
    if (at === this.#timerAt) return
    this.#clock.clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer =
      at === Number.POSITIVE_INFINITY
        ? undefined
        : this.#clock.setTimeout(() => this.#fire(), Math.min(MAX_TIMEOUT_MS, Math.max(0, at - this.#clock.now())))
  }

  #fire(): void {
    this.#timerAt = Number.POSITIVE_INFINITY
    const now = this.#clock.now()
    for (let first = this.#heap[0]; first !== undefined && first.at - first.slack <= now; first = this.#heap[0]) {
      this.delete(first.key)
      this.#onDue(first.key)
    }
    this.#arm()
  }

  #rise(entry: Entry): void {
    while (entry.index > 0) {
      const parent = this.#heap[(entry.index - 1) >> 1] as Entry
      if (parent.at <= entry.at) return
      this.#swap(entry, parent)
    }
  }

  #sink(entry: Entry): void {
    for (;;) {
      const left = this.#heap[entry.index * 2 + 1]
      const right = this.#heap[entry.index * 2 + 2]
      const least = right !== undefined && left !== undefined && right.at < left.at ? right : left
      if (least === undefined || least.at >= entry.at) return
      this.#swap(least, entry)
    }
  }

  #swap(a: Entry, b: Entry): void {
    const { index } = a
    this.#place(a, b.index)
    this.#place(b, index)
  }

  #place(entry: Entry, index: number): void {
    entry.index = index
    this.#heap[index] = entry
  }
}

/** Timers beyond this fire at once in Node; re-arming is cheap. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1
