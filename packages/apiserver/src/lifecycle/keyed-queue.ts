/**
 * Work by key for the server's own housekeeping: each key is processed by one worker at a time, again if it was added
 * meanwhile, and retried with growing delays when it fails. The controllers of Weft have a richer queue in `runtime`;
 * the server must not depend on it.
 */
export class KeyedQueue<K> {
  readonly #process: (key: K) => Promise<void>
  readonly #onError: (key: K, error: unknown) => void
  readonly #waiting = new Set<K>()
  readonly #failures = new Map<K, number>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #running = false
  #stopped = false
  #idle: (() => void)[] = []

  constructor(process: (key: K) => Promise<void>, onError: (key: K, error: unknown) => void) {
    this.#process = process
    this.#onError = onError
  }

  add(key: K): void {
    if (this.#stopped) return
    this.#waiting.add(key)
    if (!this.#running) {
      this.#running = true
      queueMicrotask(() => void this.#run())
    }
  }

  addAfter(key: K, delayMs: number): void {
    if (this.#stopped) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.add(key)
    }, delayMs)
    this.#timers.add(timer)
  }

  /** Takes no more work and resolves when the current item is done. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#waiting.clear()
    for (const timer of this.#timers) clearTimeout(timer)
    if (this.#running) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  async #run(): Promise<void> {
    for (const key of this.#waiting) {
      this.#waiting.delete(key)
      try {
        await this.#process(key)
        this.#failures.delete(key)
      } catch (error) {
        const failures = (this.#failures.get(key) ?? 0) + 1
        this.#failures.set(key, failures)
        this.#onError(key, error)
        this.addAfter(key, Math.min(30_000, 50 * 2 ** Math.min(failures, 12)))
      }
      if (this.#stopped) break
    }
    this.#running = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}
