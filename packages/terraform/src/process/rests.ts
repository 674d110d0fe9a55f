interface Rest {
  readonly lengthMs: number
  readonly until: number
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
    const last = this.#rests.get(key)?.lengthMs
    const lengthMs = last === undefined ? FIRST_MS : Math.min(2 * last, LONGEST_MS)
    this.#rests.set(key, { lengthMs, until: this.#now() + lengthMs })
  }

  /**
   * An answer to a call that was begun before says nothing, and neither does one right after the rest: what is limited may be changes alone, or so many
   * calls in a while. After as long a time as the last rest took it is forgotten.
   */
  answered(key: string): void {
    const rest = this.#rests.get(key)
    if (rest !== undefined && this.#now() >= rest.until + rest.lengthMs) this.#rests.delete(key)
  }
}
