interface Rest {
  count: number
  until: number
}

const FIRST_MS = 2_000
const LONGEST_MS = 5 * 60_000

/**
 * How long each configuration is left alone after the system behind it said that it is asked too often. Such a limit is of an account, not of one thing: if
 * every resource learned of it by itself, they would use it up by asking.
 */
export class Rests {
  readonly #rests = new Map<string, Rest>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** 0: it may be asked. */
  leftMs(key: string): number {
    return Math.max(0, (this.#rests.get(key)?.until ?? 0) - this.#now())
  }

  /** Calls that were under way together are refused together, and count once. */
  refused(key: string): void {
    if (this.leftMs(key) > 0) return
    const count = (this.#rests.get(key)?.count ?? 0) + 1
    this.#rests.set(key, { count, until: this.#now() + Math.min(FIRST_MS * 2 ** (count - 1), LONGEST_MS) })
  }

  /** An answer to a call that was begun before says nothing. */
  answered(key: string): void {
    if (this.#rests.has(key) && this.leftMs(key) === 0) this.#rests.delete(key)
  }
}
