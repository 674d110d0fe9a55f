import type { Ref, Snapshot } from './driver.ts'
import type { Entry } from './storage.ts'

// Iterators that are dropped half-way release their snapshot when they are collected: a held snapshot keeps disk pages from reuse.
const dropped = new FinalizationRegistry<Snapshot>((snapshot) => snapshot.release())

/** Streams the entries behind `refs`, holding the snapshot until the end, `return`, or the collection of the iterator. */
export class RangeIterator implements IterableIterator<Entry> {
  readonly #snapshot: Snapshot
  readonly #refs: () => Iterator<Ref>
  #left: number
  #open: Iterator<Ref> | undefined
  #done = false

  /** `refs` is called at the first `next`: cursors are expensive to hold, and a snapshot alone is enough to fix what they will see. */
  constructor(snapshot: Snapshot, refs: () => Iterator<Ref>, limit: number) {
    this.#snapshot = snapshot
    this.#refs = refs
    this.#left = limit
    snapshot.retain()
    dropped.register(this, snapshot, this)
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): IteratorResult<Entry, undefined> {
    if (this.#done) return { done: true, value: undefined }
    if (this.#left-- <= 0) return this.return()
    try {
      this.#open ??= this.#refs()
      const ref = this.#open.next()
      if (!ref.done) return { done: false, value: this.#snapshot.read(ref.value) }
    } catch (error) {
      this.return()
      throw error
    }
    return this.return()
  }

  return(): IteratorResult<Entry, undefined> {
    if (!this.#done) {
      this.#done = true
      this.#open?.return?.()
      this.#open = undefined
      dropped.unregister(this)
      this.#snapshot.release()
    }
    return { done: true, value: undefined }
  }
}
