import type { KubeObject } from '@weft/api'
import { compareResourceVersions } from './resource-version.ts'

/** Keys under which an index files an object; none = not filed. */
export type IndexFunction<T extends KubeObject = KubeObject> = (object: T) => readonly string[]

export type Change<T extends KubeObject = KubeObject> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly object: T; readonly previous: T }
  /** `object` is the last state that was seen; the informer may have missed the very last one. */
  | { readonly type: 'deleted'; readonly object: T }

export const cacheKey = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === '' ? name : `${namespace}/${name}`

const keyOf = ({ metadata }: KubeObject): string => cacheKey(metadata.namespace, metadata.name ?? '')

const isSameObject = (a: KubeObject, b: KubeObject): boolean => a.metadata.uid === b.metadata.uid

const isNewer = (next: KubeObject, old: KubeObject): boolean =>
  !isSameObject(next, old) || compareResourceVersions(next.metadata.resourceVersion, old.metadata.resourceVersion) > 0

/**
 * The objects an informer knows, by namespace and name, with indexes. It never goes back: of one object (one uid) it
 * serves only ever newer versions, whatever order they come in. Pure bookkeeping; each method answers what changed.
 */
export class ObjectCache<T extends KubeObject = KubeObject> {
  readonly #objects = new Map<string, T>()
  readonly #indexes = new Map<string, Index<T>>()

  get size(): number {
    return this.#objects.size
  }

  get(key: string): T | undefined {
    return this.#objects.get(key)
  }

  values(): IterableIterator<T> {
    return this.#objects.values()
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys()
  }

  /** Files present and future objects. Adding an index of the same name again replaces it. */
  addIndex(name: string, keysOf: IndexFunction<T>): void {
    const index = new Index(keysOf)
    for (const [key, object] of this.#objects) index.set(key, undefined, object)
    this.#indexes.set(name, index)
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(name)
  }

  byIndex(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name)
    if (index === undefined) throw new Error(`there is no index "${name}"`)
    return index.get(value)
  }

  set(object: T): Change<T> | undefined {
    const key = keyOf(object)
    const previous = this.#objects.get(key)
    if (previous !== undefined && !isNewer(object, previous)) return undefined
    this.#objects.set(key, object)
    for (const index of this.#indexes.values()) index.set(key, previous, object)
    return previous === undefined ? { type: 'added', object } : { type: 'updated', object, previous }
  }

  /** Takes out what `object` is the end of. A deletion older than what is known belongs to an earlier life of the name. */
  delete(object: T): Change<T> | undefined {
    const key = keyOf(object)
    const previous = this.#objects.get(key)
    if (previous === undefined) return undefined
    if (
      isSameObject(object, previous)
        ? compareResourceVersions(object.metadata.resourceVersion, previous.metadata.resourceVersion) < 0
        : !startedAfter(object, previous)
    )
      return undefined
    this.#remove(key, previous)
    return { type: 'deleted', object: isSameObject(object, previous) ? object : previous }
  }

  /**
   * Becomes `objects`, a list made at `revision`. Where the cache knows a newer version than the list, the cache is
   * right, and what it knows to be newer than the whole list stays.
   */
  replace(objects: readonly T[], revision: string | undefined): Change<T>[] {
    const changes: Change<T>[] = []
    const listed = new Set<string>()
    for (const object of objects) {
      listed.add(keyOf(object))
      const change = this.set(object)
      if (change !== undefined) changes.push(change)
    }
    for (const [key, object] of this.#objects) {
      if (listed.has(key) || compareResourceVersions(object.metadata.resourceVersion, revision) > 0) continue
      this.#remove(key, object)
      changes.push({ type: 'deleted', object })
    }
    return changes
  }

  /** Forgets everything: the server's history is another one, and versions cannot be compared across. */
  reset(objects: readonly T[]): Change<T>[] {
    const next = new Map(objects.map((object) => [keyOf(object), object]))
    const changes: Change<T>[] = []
    for (const [key, object] of this.#objects) {
      if (next.has(key)) continue
      this.#remove(key, object)
      changes.push({ type: 'deleted', object })
    }
    for (const [key, object] of next) {
      const previous = this.#objects.get(key)
      this.#objects.set(key, object)
      for (const index of this.#indexes.values()) index.set(key, previous, object)
      changes.push(previous === undefined ? { type: 'added', object } : { type: 'updated', object, previous })
    }
    return changes
  }

  #remove(key: string, previous: T): void {
    this.#objects.delete(key)
    for (const index of this.#indexes.values()) index.set(key, previous, undefined)
  }
}

/** Is this deletion of another object of the name later than what is cached? Then that one must be gone too. */
const startedAfter = (deleted: KubeObject, cached: KubeObject): boolean =>
  compareResourceVersions(deleted.metadata.resourceVersion, cached.metadata.resourceVersion) > 0

class Index<T extends KubeObject> {
  readonly #keysOf: IndexFunction<T>
  /** Most values are of one object alone, by its uid or its name: a map for each would take as much memory as a tenth of the object. */
  readonly #entries = new Map<string, T | Map<string, T>>()

  constructor(keysOf: IndexFunction<T>) {
    this.#keysOf = keysOf
  }

  get(value: string): readonly T[] {
    const entry = this.#entries.get(value)
    if (entry === undefined) return []
    return entry instanceof Map ? [...entry.values()] : [entry]
  }

  set(key: string, previous: T | undefined, next: T | undefined): void {
    const before = previous === undefined ? [] : this.#keysOf(previous)
    const after = next === undefined ? [] : this.#keysOf(next)
    for (const value of before) {
      if (after.includes(value)) continue
      this.#takeOut(value, key)
    }
    if (next !== undefined) for (const value of after) this.#file(value, key, next)
  }

  #takeOut(value: string, key: string): void {
    const entry = this.#entries.get(value)
    if (entry === undefined) return
    if (entry instanceof Map) entry.delete(key)
    if (entry instanceof Map ? entry.size === 0 : keyOf(entry) === key) this.#entries.delete(value)
  }

  #file(value: string, key: string, object: T): void {
    const entry = this.#entries.get(value)
    if (entry instanceof Map) entry.set(key, object)
    else if (entry === undefined || keyOf(entry) === key) this.#entries.set(value, object)
    else
      this.#entries.set(
        value,
        new Map([
          [keyOf(entry), entry],
          [key, object],
        ]),
      )
  }
}
