import { getOwn, isJsonObject } from '@weft/api'

/**
 * Kubernetes' messages print values with Go's verbs, and clients (and people) match on them. These write JSON values
 * as `%q`, `%v`, `%#v` and `%T` do for what Go decodes JSON into.
 */

const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu
const needsCare = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u
const shortEscapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

/** `%q` of a string. */
export function goQuote(text: string): string {
  if (!needsCare.test(text)) return `"${text}"`
  const escaped = text.replace(/["\\]/g, '\\$&').replace(unprintable, (c) => {
    const short = shortEscapes[c]
    if (short !== undefined) return short
    const code = c.codePointAt(0) ?? 0
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
  })
  return `"${escaped}"`
}

/** `%v`: maps as `map[a:1 b:2]` with sorted keys, lists as `[1 2]`, null as `<nil>`. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`
  if (isJsonObject(value)) {
    return `map[${Object.keys(value)
      .sort()
      .map((key) => `${key}:${goValue(getOwn(value, key))}`)
      .join(' ')}]`
  }
  return goNumberOrText(value)
}

/** `%#v`: Go syntax. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (typeof value === 'string') return goQuote(value)
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (isJsonObject(value)) {
    return `map[string]interface {}{${Object.keys(value)
      .sort()
      .map((key) => `${goQuote(key)}:${goSyntax(getOwn(value, key))}`)
      .join(', ')}}`
  }
  return goNumberOrText(value)
}

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

const goNumberOrText = (value: unknown): string => String(value)
