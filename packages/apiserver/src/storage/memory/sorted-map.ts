import { compareText } from '@weft/api'

// Small enough that copying a block on each write is cheap, large enough that the list of blocks stays short.
const MAX_BLOCK = 256

type Block<V> = readonly (readonly [key: string, value: V])[]

/**
 * An immutable map in key order: an update copies one block and the list of blocks and shares the rest, so a snapshot is a
 * reference and costs nothing.
 */
export class SortedMap<V> {
  readonly #blocks: readonly Block<V>[]

  constructor(blocks: readonly Block<V>[] = []) {
    this.#blocks = blocks
  }

  get(key: string): V | undefined {
    const block = this.#blocks[this.#blockOf(key)]
    const entry = block?.[lowerBound(block, key)]
    return entry && entry[0] === key ? entry[1] : undefined
  }

  set(key: string, value: V): SortedMap<V> {
    const at = this.#blockOf(key)
    const block = this.#blocks[at] ?? []
    const index = lowerBound(block, key)
    const next = block.slice()
    next.splice(index, block[index]?.[0] === key ? 1 : 0, [key, value])
    if (next.length <= MAX_BLOCK) return new SortedMap(replace(this.#blocks, at, [next]))
    const half = next.length >> 1
    return new SortedMap(replace(this.#blocks, at, [next.slice(0, half), next.slice(half)]))
  }

  delete(key: string): SortedMap<V> {
    const at = this.#blockOf(key)
    const block = this.#blocks[at]
    if (block === undefined) return this
    const index = lowerBound(block, key)
    if (block[index]?.[0] !== key) return this
    const next = block.toSpliced(index, 1)
    return new SortedMap(replace(this.#blocks, at, next.length > 0 ? [next] : []))
  }

  /** Values of the keys in `[start, end)`. */
  *range(start: string, end: string): Generator<V> {
    for (let at = this.#blockOf(start); at < this.#blocks.length; at++) {
      const block = this.#blocks[at] as Block<V>
      for (let i = lowerBound(block, start); i < block.length; i++) {
        const [key, value] = block[i] as Block<V>[number]
        if (compareText(key, end) >= 0) return
        yield value
      }
    }
  }

  /** The last block that starts at or before `key`, or the first one. */
  #blockOf(key: string): number {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareText((this.#blocks[middle] as Block<V>)[0]?.[0] ?? '', key) <= 0) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}

/** Index of the first entry at or after `key`. */
function lowerBound<V>(block: Block<V>, key: string): number {
  let low = 0
  let high = block.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareText((block[middle] as Block<V>[number])[0], key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function replace<T>(list: readonly T[], at: number, items: readonly T[]): T[] {
  const copy = list.slice()
  copy.splice(at, 1, ...items)
  return copy
}
