/**
 * Work by key for the server's own housekeeping: each key is processed by one worker at a time, again if it was added
 * meanwhile, and retried with growing delays when it fails. The controllers of Weft have a richer queue in `runtime`;
 * the server must not depend on it.
 */
export class KeyedQueue<K> {
  readonly #process: (key: K) => Promise<void>
  readonly #onError: (key: K, error: unknown) => void
  readonly #concurrency: number
  readonly #waiting = new Set<K>()
  readonly #busy = new Set<K>()
  /** Added while they were being processed. */
  readonly #again = new Set<K>()
  readonly #failures = new Map<K, number>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #workers = 0
  #stopped = false
  #idle: (() => void)[] = []

  constructor(process: (key: K) => Promise<void>, onError: (key: K, error: unknown) => void, concurrency = 1) {
    this.#process = process
    this.#onError = onError
    this.#concurrency = concurrency
  }

  add(key: K): void {
    if (this.#stopped) return
    if (this.#busy.has(key)) {
      this.#again.add(key)
      return
    }
    this.#waiting.add(key)
    if (this.#workers >= this.#concurrency) return
    this.#workers++
    queueMicrotask(() => void this.#run())
  }

  addAfter(key: K, delayMs: number): void {
    if (this.#stopped) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.add(key)
    }, delayMs)
    this.#timers.add(timer)
  }

  /** Takes no more work and resolves when the current items are done. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#waiting.clear()
    for (const timer of this.#timers) clearTimeout(timer)
    if (this.#workers > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  async #run(): Promise<void> {
    for (const key of this.#waiting) {
      this.#waiting.delete(key)
      this.#busy.add(key)
      try {
        await this.#process(key)
        this.#failures.delete(key)
      } catch (error) {
        const failures = (this.#failures.get(key) ?? 0) + 1
        this.#failures.set(key, failures)
        this.#onError(key, error)
        this.addAfter(key, Math.min(30_000, 50 * 2 ** Math.min(failures, 12)))
      }
      this.#busy.delete(key)
      if (this.#stopped) break
      if (this.#again.delete(key)) this.#waiting.add(key)
    }
    this.#workers--
    if (this.#workers === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }
}
