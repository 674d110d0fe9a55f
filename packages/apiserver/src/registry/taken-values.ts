import type { KubeObject } from '@weft/api'
import type { ObjectStore } from './store.ts'

/**
 * Values of which each is for one object at a time. What objects have follows their store, so that nothing has to be
 * repaired after a crash; what is being written is reserved until the write is over, one way or the other.
 */
export class TakenValues<T> {
  /** How many objects have a value. Two may: those written by other means than this server's own. */
  readonly #taken = new Map<T, number>()
  readonly #reserved = new Set<T>()

  constructor(store: ObjectStore, valuesOf: (object: KubeObject) => readonly T[]) {
    const count = (object: KubeObject | undefined, by: 1 | -1): void => {
      for (const value of object === undefined ? [] : valuesOf(object)) this.#count(value, by)
    }
    for (const { object } of store.scan(store.prefix)) count(object, 1)
    store.follow(store.revision, (changes) => {
      for (const { type, current, previous } of changes) {
        count(previous?.object, -1)
        if (type !== 'deleted') count(current.object, 1)
      }
    })
  }

  has(value: T): boolean {
    return this.#taken.has(value) || this.#reserved.has(value)
  }

  reserve(value: T): void {
    this.#reserved.add(value)
  }

  /** The write is over: the store knows whether the value was taken. */
  settle(value: T): void {
    this.#reserved.delete(value)
  }

  #count(value: T, by: 1 | -1): void {
    const count = (this.#taken.get(value) ?? 0) + by
    if (count > 0) this.#taken.set(value, count)
    else this.#taken.delete(value)
  }
}
