import { compareText, goQuote } from '@weft/api'

/**
 * JSON values as kube-apiserver sees them. It distinguishes integers (int64) from floats; here an integer is a bigint
 * or a safe integer, and everything else that is a number is a float.
 */
export type JsonKind = 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object'

export function kindOf(value: unknown): JsonKind {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : 'number'
    case 'boolean':
      return 'boolean'
    case 'bigint':
      return 'integer'
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'array' : 'object'
    default:
      return 'null'
  }
}

/** A number that Go holds as a float64 although it is whole: it prints differently (`3e+09`). */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** Go's `%v` of a float64: an exponent, of at least two digits, below 1e-4 and from 1e6 on. */
export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const [mantissa = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < 6) return String(value)
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** A value as field errors print it: `%q` for strings, `%v` for scalars, JSON with sorted keys for the rest. */
export function formatBadValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : formatFloat(value)
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  return value instanceof Float ? formatFloat(value.value) : canonicalJson(value)
}

/** Go's `json.Marshal`: keys sorted, `<`, `>` and `&` escaped. Equal values have equal texts, so it also serves as a key. */
export function canonicalJson(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return jsonString(value)
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return jsonNumber(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const object = value as Record<string, unknown>
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort(compareText)
    .map((key) => `${jsonString(key)}:${canonicalJson(object[key])}`)
  return `{${members.join(',')}}`
}

const jsonUnsafe = /[<>&\u2028\u2029]/g

function jsonString(text: string): string {
  return JSON.stringify(text).replace(jsonUnsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function jsonNumber(value: number): string {
  const magnitude = Math.abs(value)
  if (value !== 0 && (magnitude < 1e-6 || magnitude >= 1e21)) {
    const [mantissa = '', exponent = ''] = value.toExponential().split('e')
    return `${mantissa}e${exponent}`
  }
  return String(value)
}

/** Bytes of the text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

/** Does the text hold a control character? */
export function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}
