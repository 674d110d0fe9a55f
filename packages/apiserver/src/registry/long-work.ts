import type { Parts } from '../apply/index.ts'
import type { StoredObject } from './stored-object.ts'

/** What is read, checked or made of so many bytes of JSON is one part of long work: milliseconds, or tens of them at worst. */
const PART_BYTES = 64 * 1024

/**
 * One thread serves everybody. Work that takes long is done in parts, and between two of them all others go on. Those who have long work
 * stand in one line: however many large requests there are, one part is done in each turn of the event loop, so that a small request waits
 * for one part, not for all of them. Work that is not long does not come here, and pays nothing.
 */
export class LongWork {
  readonly #line: (() => void)[] = []

  /** How many parts wait. */
  get waiting(): number {
    return this.#line.length
  }

  /** Resolves when it is the caller's turn to do a part. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#line.push(resolve) === 1) setImmediate(() => this.#next())
    })
  }

  isLong(bytes: number): boolean {
    return bytes > PART_BYTES
  }

  /** Does work one part in a turn. */
  async inTurns<T>(parts: Parts<T>): Promise<T> {
    for (;;) {
      const { done, value } = parts.next()
      if (done === true) return value
      await this.turn()
    }
  }

  /** Makes something of each object of a list; at once, without a promise, where that is not long. */
  map<T>(objects: readonly StoredObject[], make: (object: StoredObject) => T): T[] | Promise<T[]> {
    const ends = partsOf(objects)
    return ends.length <= 1 ? objects.map(make) : this.#mapParts(objects, ends, make)
  }

  async #mapParts<T>(objects: readonly StoredObject[], ends: readonly number[], make: (object: StoredObject) => T): Promise<T[]> {
    const made: T[] = []
    for (const end of ends) {
      await this.turn()
      while (made.length < end) made.push(make(objects[made.length] as StoredObject))
    }
    return made
  }

  #next(): void {
    this.#line.shift()?.()
    if (this.#line.length > 0) setImmediate(() => this.#next())
  }
}

/** Where the parts of a list end. */
function partsOf(objects: readonly StoredObject[]): readonly number[] {
  const ends: number[] = []
  let bytes = 0
  for (let i = 0; i < objects.length; i++) {
    bytes += (objects[i] as StoredObject).weight
    if (bytes < PART_BYTES && i < objects.length - 1) continue
    ends.push(i + 1)
    bytes = 0
  }
  return ends
}

/** There is one thread, and so one line. */
export const longWork: LongWork = new LongWork()
