import { backoffDelay, type BackoffOptions, type Clock, type Random } from '@weft/client'
import { DelayedKeys } from './delayed-keys.ts'
import type { QueueStats, TakenKey, WorkQueue } from './work-queue.ts'

export interface WorkQueueOptions {
  readonly clock: Clock
  readonly random: Random
  readonly backoff?: BackoffOptions | undefined
  readonly capacity?: number | undefined
  /** A key is ready to be taken. Must not take it right there. */
  readonly onReady?: (() => void) | undefined
  /** Keys were refused, and now there is room again: whoever feeds the queue looks for work anew. */
  readonly onRoom?: (() => void) | undefined
}

export const DEFAULT_BACKOFF: BackoffOptions = { baseMs: 50, maxMs: 5 * 60_000, jitter: 0.2 }
export const DEFAULT_CAPACITY = 100_000

export function createWorkQueue(options: WorkQueueOptions): WorkQueue {
  return new KeyQueue(options)
}

class KeyQueue implements WorkQueue {
  readonly #options: WorkQueueOptions
  readonly #backoff: BackoffOptions
  readonly #capacity: number
  /** In order of arrival, with the time they became ready. */
  readonly #ready = new Map<string, number>()
  readonly #delayed: DelayedKeys
  readonly #working = new Set<string>()
  /** Added while being worked on. */
  readonly #again = new Set<string>()
  readonly #failures = new Map<string, number>()
  #overflowed = false
  #closed = false

  constructor(options: WorkQueueOptions) {
    this.#options = options
    this.#backoff = options.backoff ?? DEFAULT_BACKOFF
    this.#capacity = options.capacity ?? DEFAULT_CAPACITY
    this.#delayed = new DelayedKeys(options.clock, (key) => this.#push(key))
  }

  get stats(): QueueStats {
    return {
      ready: this.#ready.size + this.#again.size,
      delayed: this.#delayed.size,
      working: this.#working.size,
      failing: this.#failures.size,
    }
  }

  add(key: string): boolean {
    if (this.#closed) return false
    if (this.#ready.has(key) || this.#again.has(key)) return true
    // What was delayed is held already.
    if (!this.#delayed.has(key) && this.#isFull()) return false
    this.#delayed.delete(key)
    this.#push(key)
    return true
  }

  addAfter(key: string, delayMs: number): void {
    if (this.#closed || this.#ready.has(key) || this.#again.has(key)) return
    if (delayMs <= 0) this.#push(key)
    else this.#delayed.set(key, this.#options.clock.now() + delayMs)
  }

  addFailed(key: string): number {
    const failures = this.failures(key) + 1
    this.#failures.set(key, failures)
    const delay = backoffDelay(this.#backoff, failures, this.#options.random)
    this.addAfter(key, delay)
    return delay
  }

  forget(key: string): void {
    this.#failures.delete(key)
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0
  }

  take(): TakenKey | undefined {
    const [first] = this.#ready
    if (first === undefined) return undefined
    const [key, since] = first
    this.#ready.delete(key)
    this.#working.add(key)
    return { key, waitedMs: this.#options.clock.now() - since }
  }

  done(key: string): void {
    this.#working.delete(key)
    if (this.#again.delete(key) && !this.#closed) this.#push(key)
    if (!this.#overflowed || this.#closed || this.#waiting() > this.#capacity / 2) return
    this.#overflowed = false
    this.#options.onRoom?.()
  }

  close(): void {
    this.#closed = true
    this.#ready.clear()
    this.#again.clear()
    this.#delayed.clear()
    this.#failures.clear()
  }

  #push(key: string): void {
    if (this.#working.has(key)) {
      this.#again.add(key)
      return
    }
    this.#ready.set(key, this.#options.clock.now())
    this.#options.onReady?.()
  }

  #waiting(): number {
    return this.#ready.size + this.#again.size
  }

  #isFull(): boolean {
    if (this.#waiting() < this.#capacity) return false
    this.#overflowed = true
    return true
  }
}
