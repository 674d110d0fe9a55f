/**
 * Brings a queue that had to refuse keys up to date again. It goes through all keys once, as there is room; keys that
 * are refused to others meanwhile (`missed`) cause one more pass, because they may be behind where it is.
 */
export class Refill {
  readonly #keys: () => IterableIterator<string>
  readonly #add: (key: string) => boolean
  #pass: IterableIterator<string> | undefined
  #pending: string | undefined
  #missed = false

  constructor(keys: () => IterableIterator<string>, add: (key: string) => boolean) {
    this.#keys = keys
    this.#add = add
  }

  missed(): void {
    this.#missed = true
  }

  /** There is room. Adds until there is none; called again when there is. */
  run(): void {
    while (this.#pass !== undefined || this.#missed) {
      if (this.#pass === undefined) {
        this.#missed = false
        this.#pass = this.#keys()
      }
      if (this.#pending !== undefined && !this.#add(this.#pending)) return
      this.#pending = undefined
      for (let next = this.#pass.next(); next.done !== true; next = this.#pass.next()) {
        if (this.#add(next.value)) continue
        this.#pending = next.value
        return
      }
      this.#pass = undefined
    }
  }
}
