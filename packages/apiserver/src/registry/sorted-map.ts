/**
 * A map from string to value that can be scanned in key order: a hash map for lookups, and sorted chunks of keys for
 * scans, so that insertion costs O(√n)-ish array moves of at most CHUNK keys however many there are.
 * Keys order by UTF-16 code units, which for the ASCII keys of resources is bytewise.
 */
const CHUNK = 512

export class SortedMap<V> {
  readonly #values: Map<string, V>
  #chunks: string[][]

  constructor(sortedEntries: readonly (readonly [string, V])[] = []) {
    this.#values = new Map(sortedEntries)
    const keys = [...this.#values.keys()]
    this.#chunks = []
    for (let i = 0; i < keys.length; i += CHUNK) this.#chunks.push(keys.slice(i, i + CHUNK))
  }

  get size(): number {
    return this.#values.size
  }

  get(key: string): V | undefined {
    return this.#values.get(key)
  }

  set(key: string, value: V): void {
    const size = this.#values.size
    this.#values.set(key, value)
    if (this.#values.size > size) this.#insert(key)
  }

  delete(key: string): boolean {
    if (!this.#values.delete(key)) return false
    const at = this.#chunkFor(key)
    const chunk = this.#chunks[at] as string[]
    chunk.splice(lowerBound(chunk, key), 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
    return true
  }

  /** Values whose key starts with `prefix` and is ≥ `start`, in order, of the state at the call; at most `limit` of them. */
  scan(prefix: string, start: string = prefix, limit: number = Infinity): V[] {
    const result: V[] = []
    const from = start > prefix ? start : prefix
    for (const [chunk, first, end] of this.#runs(prefix, from)) {
      for (let i = first; i < end; i++) {
        if (result.length >= limit) return result
        result.push(this.#values.get(chunk[i] as string) as V)
      }
      if (result.length >= limit) return result
    }
    return result
  }

  /** How many `scan` would answer without a limit: the cost grows with the number of chunks, not of keys. */
  count(prefix: string, start: string = prefix): number {
    let count = 0
    for (const [, first, end] of this.#runs(prefix, start > prefix ? start : prefix)) count += end - first
    return count
  }

  /** The parts of chunks that hold keys with `prefix` from `from` on. */
  *#runs(prefix: string, from: string): Iterable<readonly [chunk: readonly string[], first: number, end: number]> {
    if (this.#chunks.length === 0) return
    const beyond = `${prefix}\u{10ffff}`
    for (let c = this.#chunkFor(from); c < this.#chunks.length; c++) {
      const chunk = this.#chunks[c] as string[]
      const first = (chunk[0] as string) >= from ? 0 : lowerBound(chunk, from)
      const end = (chunk.at(-1) as string).startsWith(prefix) ? chunk.length : lowerBound(chunk, beyond)
      if (end > first) yield [chunk, first, end]
      if (end < chunk.length) return
    }
  }

  #insert(key: string): void {
    if (this.#chunks.length === 0) {
      this.#chunks.push([key])
      return
    }
    const at = this.#chunkFor(key)
    const chunk = this.#chunks[at] as string[]
    chunk.splice(lowerBound(chunk, key), 0, key)
    if (chunk.length > 2 * CHUNK) this.#chunks.splice(at, 1, chunk.slice(0, CHUNK), chunk.slice(CHUNK))
  }

  /** The last chunk whose first key is ≤ key, else the first one. */
  #chunkFor(key: string): number {
    let low = 0
    let high = this.#chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (((this.#chunks[middle] as string[])[0] as string) <= key) low = middle
      else high = middle - 1
    }
    return low
  }
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}
