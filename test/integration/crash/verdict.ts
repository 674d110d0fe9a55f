import type { Kind } from './kinds.ts'

/** What went wrong, and what was acknowledged, as told by all clients together. */
export class Verdict {
  readonly problems: string[] = []
  readonly #revisions = new Map<string, Set<number>>()
  #count = 0
  #highest = 0
  #awaited = Infinity
  #onAwaited: (() => void) | undefined

  wrong(problem: string): void {
    // The first ones tell the story.
    if (this.problems.length < 20) this.problems.push(problem)
  }

  /** A write was acknowledged, with this resourceVersion where the answer has one. */
  acknowledged({ name }: Kind, resourceVersion: string | undefined): void {
    this.#count++
    if (this.#count === this.#awaited) this.#onAwaited?.()
    if (resourceVersion === undefined) return
    const revision = Number(resourceVersion)
    this.#highest = Math.max(this.#highest, revision)
    const known = this.#revisions.get(name) ?? new Set()
    this.#revisions.set(name, known)
    if (known.has(revision)) this.wrong(`${name}: resourceVersion ${revision} was given to two writes`)
    known.add(revision)
  }

  /** Resolves when so many more writes have been acknowledged. */
  async more(writes: number): Promise<void> {
    if (writes === 0) return
    this.#awaited = this.#count + writes
    await new Promise<void>((resolve) => (this.#onAwaited = resolve))
  }

  get count(): number {
    return this.#count
  }

  /** No later state may be older. */
  get highest(): number {
    return this.#highest
  }

  revisions({ name }: Kind): ReadonlySet<number> {
    return this.#revisions.get(name) ?? new Set()
  }
}
