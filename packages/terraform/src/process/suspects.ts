/** How long somebody stays suspected after a crash, and is held guilty after several. */
const SUSPECT_MS = 15 * 60_000
const LEAST_MS = 30_000
const MOST_MS = 30 * 60_000

interface Record {
  crashes: number
  proven: number
  lastAt: number
}

/**
 * Who was being served when a provider crashed. A crash ends the calls of everybody in the process, and nobody can tell whose it was, so all
 * of them are suspects: served in a process of their own from then on, where the next crash proves whose it is. Whoever is proven to crash
 * providers is kept out for a while, each time for longer (T21).
 */
export class Suspects {
  readonly #known = new Map<string, Record>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** `alone`: nobody else was in the process. */
  crashed(subject: string, { alone }: { readonly alone: boolean }): void {
    const { crashes, proven } = this.#of(subject) ?? { crashes: 0, proven: 0 }
    this.#known.set(subject, { crashes: crashes + 1, proven: proven + (alone ? 1 : 0), lastAt: this.#now() })
  }

  isSuspect(subject: string): boolean {
    return this.#of(subject) !== undefined
  }

  /** How long it is still kept out; 0: it is not. */
  keptOutMs(subject: string): number {
    const record = this.#of(subject)
    if (record === undefined || record.proven === 0) return 0
    return Math.max(0, record.lastAt + Math.min(LEAST_MS * 2 ** (record.proven - 1), MOST_MS) - this.#now())
  }

  #of(subject: string): Record | undefined {
    const record = this.#known.get(subject)
    if (record !== undefined && this.#now() > record.lastAt + SUSPECT_MS + MOST_MS * Math.min(record.proven, 1)) {
      this.#known.delete(subject)
      return undefined
    }
    return record
  }
}
