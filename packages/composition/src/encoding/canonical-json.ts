import { compareText, getOwn, stringifyJson } from '@weft/api'

const escapes: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/**
 * JSON with sorted keys and with `<`, `>`, `&` escaped, which is what Go writes: hashes and texts made by a transform are the
 * same here and in Crossplane, so a composition that moves over does not rename anything.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return leaf(value ?? null)
  // Written member by member: an object built with sorted keys would still put those that look like numbers first.
  const keys = Object.keys(value).filter((key) => getOwn(value, key) !== undefined)
  const members = keys.sort(compareText).map((key) => `${leaf(key)}:${canonicalJson(getOwn(value, key))}`)
  return `{${members.join(',')}}`
}

const leaf = (value: unknown): string => (stringifyJson(value) ?? 'null').replace(/[<>&\u2028\u2029]/g, (c) => escapes[c] ?? c)
