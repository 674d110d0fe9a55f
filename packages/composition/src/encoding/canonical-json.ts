import { getOwn, stringifyJson } from '@weft/api'

const escapes: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029' }

/**
 * JSON with sorted keys and with `<`, `>`, `&` escaped, which is what Go writes: hashes and texts made by a transform are the
 * same here and in Crossplane, so a composition that moves over does not rename anything.
 */
export function canonicalJson(value: unknown): string {
  return stringifyJson(sorted(value)).replace(/[<>&\u2028\u2029]/g, (c) => escapes[c] ?? c)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => sorted(item ?? null))
  if (typeof value !== 'object' || value === null) return value ?? null
  const keys = Object.keys(value).filter((key) => getOwn(value, key) !== undefined)
  return Object.fromEntries(keys.sort(byCodePoint).map((key) => [key, sorted(getOwn(value, key))]))
}

/** Go compares bytes; in UTF-8 that is the order of code points, which JavaScript's own order is not above U+FFFF. */
function byCodePoint(a: string, b: string): number {
  const left = Array.from(a)
  const right = Array.from(b)
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
