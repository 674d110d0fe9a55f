/**
 * What was found out about values lately. Values are immutable and shared between revisions of an object, so a finding about one holds wherever it turns up again.
 * Most turn up again soon or never: only those of the last findings are kept, and how many objects there are does not matter.
 */
export class RecentValues<Finding> {
  readonly #most: number
  #now = new WeakMap<object, Finding>()
  #before = new WeakMap<object, Finding>()
  #count = 0

  constructor(most = 16_384) {
    this.#most = most
  }

  note(value: unknown, finding: Finding): void {
    if (typeof value !== 'object' || value === null || this.#now.get(value) === finding) return
    if (++this.#count > this.#most) {
      this.#before = this.#now
      this.#now = new WeakMap()
      this.#count = 1
    }
    this.#now.set(value, finding)
  }

  /** The last finding about the value, if it is still known. */
  of(value: unknown): Finding | undefined {
    return typeof value === 'object' && value !== null ? (this.#now.get(value) ?? this.#before.get(value)) : undefined
  }
}
