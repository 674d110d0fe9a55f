import { exactJson, parseExactJson } from '@weft/terraform'

/** An object as text that is always the same for it, with all digits of its numbers. */
export function canonicalJson(json: string): string {
  const parsed = parseExactJson(json)
  return exactJson(parsed instanceof Map ? new Map([...parsed].toSorted(([a], [b]) => (a < b ? -1 : 1))) : parsed)
}
