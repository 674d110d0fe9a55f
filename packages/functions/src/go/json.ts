import { compareText, jsonSyntaxError, setOwn } from '@weft/api'
import { textBytes } from './text.ts'
import { type GoObject, type GoValue, isGoArray, isNil, NIL_MAP, NIL_SLICE } from './value.ts'

export type Marshalled<T> = { readonly value: T } | { readonly error: string }

/** encoding/json's Marshal: keys sorted, `<`, `>` and `&` escaped, bytes that are no UTF-8 replaced. */
export function marshalJson(value: GoValue): Marshalled<string> {
  const bad = unsupported(value)
  return bad === undefined ? { value: write(value, escapeHtml) } : { error: `json: unsupported value: ${bad}` }
}

/** protojson's text of a Struct, which escapes nothing that need not be. (Whether a space follows a comma there depends on how the program was built.) */
export const structJson = (value: GoValue): string => write(value, (text) => text)

function unsupported(value: GoValue): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  if (typeof value !== 'object' || value === null) return undefined
  for (const item of isGoArray(value) ? value : Object.values(value)) {
    const bad = unsupported(item)
    if (bad !== undefined) return bad
  }
  return undefined
}

function write(value: GoValue, finish: (text: string) => string): string {
  switch (typeof value) {
    case 'string':
      return writeText(value, finish)
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    default:
      if (value === null || isNil(value)) return 'null'
      if (isGoArray(value)) return `[${value.map((item) => write(item, finish)).join(',')}]`
      return `{${Object.keys(value)
        .sort(compareText)
        .map((key) => `${writeText(key, finish)}:${write((value as GoObject)[key] as GoValue, finish)}`)
        .join(',')}}`
  }
}

const lone = /[\uD800-\uDFFF]/gu
const escaped = /[<>&\u2028\u2029]/g

const escapeHtml = (text: string): string => text.replace(escaped, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

function writeText(text: string, finish: (text: string) => string): string {
  // JSON.stringify would write a byte that is no UTF-8 as the surrogate that stands for it.
  const pieces = lone.test(text) ? text.split(lone) : [text]
  const written = pieces.map((piece) => JSON.stringify(piece).slice(1, -1)).join('\\ufffd')
  return `"${finish(written)}"`
}

/** From here on a float is written with fewer digits than it has: 2^60 as 1152921504606847000, and -2^63 as less than an int64 can be. */
const EXACT_LIMIT = 2 ** 53
const INT64_LIMIT = 2 ** 63

/** A number as it is after it was written as JSON and read by Kubernetes: an int64 where it is one. */
export function asInteger(value: number): number | bigint {
  if (!Number.isInteger(value) || Math.abs(value) >= INT64_LIMIT) return value
  return Math.abs(value) < EXACT_LIMIT ? BigInt(value) : BigInt(String(value))
}

/** What is left of a value that was written as JSON and read by Kubernetes: whole numbers are int64, texts are UTF-8. A copy. */
export function throughJson(value: GoValue): Marshalled<GoValue> {
  const bad = unsupported(value)
  return bad === undefined ? { value: reread(value) } : { error: `json: unsupported value: ${bad}` }
}

function reread(value: GoValue): GoValue {
  if (typeof value === 'number') return asInteger(value)
  if (typeof value === 'string') return value.replace(lone, '\uFFFD')
  if (typeof value !== 'object' || value === null) return value
  if (isNil(value)) return null
  if (isGoArray(value)) return value.map(reread)
  const copy: Record<string, GoValue> = {}
  for (const key of Object.keys(value)) setOwn(copy, key, reread((value as GoObject)[key] as GoValue))
  return copy
}

/** Texts and numbers of JSON: a text may have a number in it, which is none. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** What a text is to be read into: an object, or an array. */
export type JsonTarget = 'object' | 'array'

const GO_TYPES: Readonly<Record<JsonTarget, string>> = { object: 'map[string]interface {}', array: '[]interface {}' }

/** encoding/json's Unmarshal of text that a user gave, numbers as floats. Says what Go says of text that is none, or of something else. */
export function unmarshalJson(text: string, into: JsonTarget): Marshalled<GoValue> {
  const clean = text.replace(lone, '\uFFFD')
  let value: GoValue
  try {
    value = JSON.parse(clean) as GoValue
  } catch {
    return { error: jsonSyntaxError(textBytes(clean)) }
  }
  if (value === null) return { value: into === 'object' ? NIL_MAP : NIL_SLICE }
  // What it is comes before what is in it: a number that no float holds is first of all no object.
  const kind = typeof value === 'boolean' ? 'bool' : typeof value === 'object' ? (isGoArray(value) ? 'array' : 'object') : typeof value
  if (kind !== into) return { error: `json: cannot unmarshal ${kind} into Go value of type ${GO_TYPES[into]}` }
  if (unsupported(value) === undefined) return { value }
  const literal = clean.match(TOKENS)?.find((token) => !token.startsWith('"') && !Number.isFinite(Number(token))) ?? ''
  return { error: `json: cannot unmarshal number ${literal} into Go value of type float64` }
}

/** A Struct of the protocol as Go reads it: every number is a float64. The same object: what it hands out is never written to. */
export const fromStruct = (value: unknown): GoObject => (value ?? {}) as GoObject

/** Back to a Struct: an int64 becomes a double. */
export function toStruct(value: GoValue): GoValue {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (isGoArray(value)) return value.map(toStruct)
  const struct: Record<string, GoValue> = {}
  for (const key of Object.keys(value)) setOwn(struct, key, toStruct((value as GoObject)[key] as GoValue))
  return struct
}
