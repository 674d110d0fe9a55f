const BASE_MS = 60_000
const MOST_MS = 60 * 60_000

interface Repeat {
  readonly changes: string
  readonly count: number
  readonly at: number
}

/**
 * Some providers see a difference that no update removes. Told again at once they would be told for ever: the same change is sent again only
 * after a while that doubles (T109).
 */
export class Repeats {
  readonly #last = new Map<string, Repeat>()

  applied(uid: string, changes: string, now: number): void {
    const last = this.#last.get(uid)
    this.#last.set(uid, { changes, at: now, count: last?.changes === changes ? last.count + 1 : 1 })
  }

  /** The first time may have been drift right after; from the second on it is a habit. */
  mustWait(uid: string, changes: string, now: number): boolean {
    const last = this.#last.get(uid)
    if (last === undefined || last.changes !== changes || last.count < 2) return false
    return now < last.at + Math.min(BASE_MS * 2 ** (last.count - 2), MOST_MS)
  }

  settled(uid: string): void {
    this.#last.delete(uid)
  }
}
