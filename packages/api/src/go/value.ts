import { getOwn, isJsonObject } from '../meta.ts'
import { goQuote } from './quote.ts'

/** JSON values as Go's `%v`, `%#v` and `%T` print what Go decodes JSON into. */

/** `%v`: maps as `map[a:1 b:2]` with sorted keys, lists as `[1 2]`, null as `<nil>`. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`
  if (isJsonObject(value)) {
    const members = Object.keys(value).sort()
    return `map[${members.map((key) => `${key}:${goValue(getOwn(value, key))}`).join(' ')}]`
  }
  return goScalar(value)
}

/** `%#v`: Go syntax. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (typeof value === 'string') return goQuote(value)
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (isJsonObject(value)) {
    const members = Object.keys(value).sort()
    return `map[string]interface {}{${members.map((key) => `${goQuote(key)}:${goSyntax(getOwn(value, key))}`).join(', ')}}`
  }
  return goScalar(value)
}

const goScalar = (value: unknown): string => String(value)

/** `%T`. */
export function goType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int64'
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64'
    default:
      return value === null || value === undefined ? '<nil>' : Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
  }
}
