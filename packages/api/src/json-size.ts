/**
 * Characters of a value's JSON text, about; no more than a little over `limit` is counted. A value that stands in many places, as an
 * alias of YAML does, counts in each: that is what it becomes once it is written.
 */
export function jsonSize(value: unknown, limit: number): number {
  return new SizeCounter(limit).sizeOf(value)
}

/** Shared containers are counted once and remembered, so that a bomb of aliases costs nothing. */
class SizeCounter {
  readonly #limit: number
  readonly #known = new Map<object, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  sizeOf(value: unknown): number {
    if (typeof value === 'string') return value.length + 2
    if (typeof value !== 'object' || value === null) return 4
    const before = this.#known.get(value)
    if (before !== undefined) return before
    // An alias inside its own anchor has no end.
    this.#known.set(value, Number.POSITIVE_INFINITY)
    let size = 2
    if (Array.isArray(value)) {
      for (const item of value as readonly unknown[]) if ((size += this.sizeOf(item) + 1) > this.#limit) break
    } else {
      for (const key in value) {
        size += key.length + 4 + this.sizeOf((value as Record<string, unknown>)[key])
        if (size > this.#limit) break
      }
    }
    this.#known.set(value, size)
    return size
  }
}

/** What a document may become once each alias stands for a copy: no more than a request may hold, or than its own text does. */
const MAX_EXPANDED = 3 * 1024 * 1024

/** Is this document of YAML a bomb: short as text, too long once its aliases are written out? */
export function expandsTooMuch(value: unknown, text: string): boolean {
  const limit = Math.max(MAX_EXPANDED, 4 * text.length)
  return jsonSize(value, limit) > limit
}

/** Is there anything more than `depth` containers deep? */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], depth - 1)) return true
  return false
}
