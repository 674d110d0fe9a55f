/** Keeps made documents, the most recently used ones, up to a number of bytes. A document larger than that is kept alone. */
export class ByteCache {
  readonly #budget: number
  /** In order of use, oldest first. */
  readonly #entries = new Map<string, Buffer>()
  #bytes = 0

  constructor(budget: number) {
    this.#budget = budget
  }

  get(key: string): Buffer | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found
  }

  set(key: string, bytes: Buffer): void {
    this.delete(key)
    this.#entries.set(key, bytes)
    this.#bytes += bytes.length
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#budget || oldest === key) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const found = this.#entries.get(key)
    if (found === undefined) return
    this.#entries.delete(key)
    this.#bytes -= found.length
  }
}
