/** A Map whose values are made from their bytes when they are asked for, and then kept. */
export class LazyMap<V> implements ReadonlyMap<string, V> {
  readonly #bytes: ReadonlyMap<string, Uint8Array>
  readonly #make: (bytes: Uint8Array) => V
  readonly #made = new Map<string, V>()

  constructor(bytes: Readonly<Record<string, Uint8Array>>, make: (bytes: Uint8Array) => V) {
    this.#bytes = new Map(Object.entries(bytes))
    this.#make = make
  }

  get size(): number {
    return this.#bytes.size
  }

  has(key: string): boolean {
    return this.#bytes.has(key)
  }

  get(key: string): V | undefined {
    const made = this.#made.get(key)
    const bytes = this.#bytes.get(key)
    if (made !== undefined || bytes === undefined) return made
    const value = this.#make(bytes)
    this.#made.set(key, value)
    return value
  }

  keys(): MapIterator<string> {
    return this.#bytes.keys()
  }

  *values(): MapIterator<V> {
    for (const [, value] of this) yield value
  }

  entries(): MapIterator<[string, V]> {
    return this[Symbol.iterator]()
  }

  *[Symbol.iterator](): MapIterator<[string, V]> {
    for (const key of this.keys()) {
      const value = this.get(key)
      if (value !== undefined) yield [key, value]
    }
  }

  forEach(act: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) act(value, key, this)
  }
}
