import { isJsonObject } from '@weft/api'

/** A value as Go prints a map of anything: keys sorted, no quotes. */
export function goMap(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goMap).join(' ')}]`
  if (!isJsonObject(value)) return String(value)
  return `map[${Object.keys(value)
    .sort()
    .map((key) => `${key}:${goMap(value[key])}`)
    .join(' ')}]`
}
