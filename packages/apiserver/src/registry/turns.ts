/**
 * Those who lost a race for an object go on one after the other. All at once, each round would have one winner, and a hundred writers
 * would need a hundred rounds of a hundred attempts.
 *
 * Nobody waits for long: what holds the turn may be waiting for somebody who waits for it (a webhook that writes the same object).
 */
export class Turns {
  readonly #last = new Map<string, Promise<void>>()
  readonly #patienceMs: number

  constructor(patienceMs = 1_000) {
    this.#patienceMs = patienceMs
  }

  async take<T>(key: string, run: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    let end: () => void = () => undefined
    const mine = new Promise<void>((resolve) => (end = resolve))
    this.#last.set(key, mine)
    try {
      if (before !== undefined) await this.#wait(before)
      return await run()
    } finally {
      end()
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }

  async #wait(before: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await Promise.race([before, new Promise<void>((resolve) => (timer = setTimeout(resolve, this.#patienceMs)))])
    clearTimeout(timer)
  }
}
