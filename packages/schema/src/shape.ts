import { setOwn } from '@weft/api'
import { kindOf } from './values.ts'
import { shownKey } from './walk.ts'

/**
 * The shape of a Go API type, as far as decoding JSON into it and encoding it again changes the document: unknown
 * members and nulls go, empty optional members go, times are normalised. It serves the types that kube-apiserver
 * decodes strictly although no structural schema describes them: ObjectMeta and CustomResourceDefinition.
 */
export type Shape =
  | { readonly kind: 'string' | 'boolean' | 'int64' | 'int32' | 'number' | 'time' | 'microtime' | 'any' | 'object'; readonly go: string }
  | { readonly kind: 'list' | 'map'; readonly of: () => Shape; readonly go: string }
  | { readonly kind: 'either'; readonly pick: (value: unknown) => Shape; readonly go: string }
  | StructShape

export interface StructShape {
  readonly kind: 'struct'
  readonly go: string
  readonly members: Readonly<Record<string, Member>>
}

export interface Member {
  readonly shape: Shape
  /**
   * `empty`: left out when it is the zero value or an empty list or map. `nil`: left out only when absent (a pointer).
   * `never`: always written, as the zero value if need be.
   */
  readonly omit: 'empty' | 'nil' | 'never'
}

/** What decoding found. Both lists hold paths relative to the decoded value. */
export interface Decoded {
  readonly value: unknown
  readonly unknown: readonly string[]
  /** Values of the wrong type, worded as Go's decoder words them; such values are left out of `value`. */
  readonly mismatches: readonly Mismatch[]
}

export interface Mismatch {
  readonly path: string
  readonly value: unknown
  readonly message: string
}

/** As many unknown fields, or wrong types, as Go's decoder tells of. */
const MAX_TOLD = 100

export function decodeShape(shape: Shape, value: unknown): Decoded {
  const decoder = new Decoder()
  const decoded = decoder.decode(shape, value, { path: '', struct: '', field: '' })
  return { value: decoded, unknown: decoder.unknown, mismatches: decoder.mismatches }
}

export const str: Shape = { kind: 'string', go: 'string' }
export const bool: Shape = { kind: 'boolean', go: 'bool' }
export const int64: Shape = { kind: 'int64', go: 'int64' }
export const int32: Shape = { kind: 'int32', go: 'int32' }
export const float: Shape = { kind: 'number', go: 'float64' }
export const anyJson: Shape = { kind: 'any', go: 'interface {}' }
export const listOf = (of: () => Shape, go: string): Shape => ({ kind: 'list', of, go })
export const mapOf = (of: () => Shape, go: string): Shape => ({ kind: 'map', of, go })
export const optional = (shape: Shape): Member => ({ shape, omit: 'empty' })
export const pointer = (shape: Shape): Member => ({ shape, omit: 'nil' })
export const always = (shape: Shape): Member => ({ shape, omit: 'never' })

interface Place {
  readonly path: string
  /** The innermost Go struct and the path of fields from the outermost: what Go's messages name. */
  readonly struct: string
  readonly field: string
}

class Decoder {
  readonly unknown: string[] = []
  readonly mismatches: Mismatch[] = []

  /** The decoded value; undefined for null and for what does not fit. */
  decode(shape: Shape, value: unknown, place: Place): unknown {
    if (value === null || value === undefined) return undefined
    switch (shape.kind) {
      case 'any':
        return value
      case 'object':
        return kindOf(value) === 'object' ? value : this.#mismatch(shape, value, place)
      case 'string':
        return typeof value === 'string' ? value : this.#mismatch(shape, value, place)
      case 'boolean':
        return typeof value === 'boolean' ? value : this.#mismatch(shape, value, place)
      case 'number':
        // Go holds it as a float64, however long it was written.
        return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : this.#mismatch(shape, value, place)
      case 'int64':
      case 'int32':
        return isInt(value, shape.kind) ? value : this.#mismatch(shape, value, place)
      case 'time':
      case 'microtime':
        return this.#time(shape, value, place)
      case 'either':
        return this.decode(shape.pick(value), value, place)
      case 'list':
        return this.#list(shape.of(), shape, value, place)
      case 'map':
        return this.#map(shape.of(), shape, value, place)
      case 'struct':
        return this.#struct(shape, value, place)
    }
  }

  #list(of: Shape, shape: Shape, value: unknown, place: Place): unknown {
    if (!Array.isArray(value)) return this.#mismatch(shape, value, place)
    return value.map((item: unknown, index) => this.decode(of, item, { ...place, path: `${place.path}[${index}]` }) ?? zero(of))
  }

  #map(of: Shape, shape: Shape, value: unknown, place: Place): unknown {
    if (kindOf(value) !== 'object') return this.#mismatch(shape, value, place)
    const out: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(value as object)) {
      if (member === undefined) continue
      setOwn(out, key, this.decode(of, member, { ...place, path: join(place.path, shownKey(key)) }) ?? zero(of))
    }
    return out
  }

  #struct(shape: StructShape, value: unknown, place: Place): unknown {
    if (kindOf(value) !== 'object') return this.#mismatch(shape, value, place)
    const source = value as Record<string, unknown>
    const out: Record<string, unknown> = {}
    for (const key of Object.keys(source)) {
      if (source[key] === undefined) continue
      if (!Object.hasOwn(shape.members, key) && this.unknown.length < MAX_TOLD) this.unknown.push(join(place.path, shownKey(key)))
    }
    for (const [key, { shape: of, omit }] of Object.entries(shape.members)) {
      const member = Object.hasOwn(source, key) ? source[key] : undefined
      // Most fields of most objects are not there: nobody needs to know where they would have been.
      if (member === undefined || member === null) {
        if (omit === 'never') out[key] = zero(of)
        continue
      }
      const at = { path: join(place.path, key), struct: shape.go, field: join(place.field, key) }
      const decoded = this.decode(of, member, at) ?? (omit === 'never' ? zero(of) : undefined)
      if (decoded !== undefined && !(omit === 'empty' && isEmpty(decoded))) out[key] = decoded
    }
    return out
  }

  #time(shape: Shape, value: unknown, place: Place): unknown {
    if (typeof value !== 'string') return this.#mismatch(shape, value, place)
    const time = normalizeTime(value, shape.kind === 'microtime')
    if (time !== undefined) return time
    const layout = shape.kind === 'microtime' ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00'
    const message = `parsing time ${JSON.stringify(value)} as "${layout}": cannot parse ${JSON.stringify(value)} as "2006"`
    this.mismatches.push({ path: place.path, value, message })
    return undefined
  }

  #mismatch(shape: Shape, value: unknown, place: Place): undefined {
    if (this.mismatches.length >= MAX_TOLD) return undefined
    const kind = kindOf(value)
    const isInteger = shape.kind === 'int64' || shape.kind === 'int32'
    const found =
      kind === 'boolean' ? 'bool' : kind === 'integer' || kind === 'number' ? (isInteger ? `number ${String(value)}` : 'number') : kind
    const target = place.struct === '' ? 'Go value' : `Go struct field ${place.struct}.${place.field}`
    this.mismatches.push({
      path: place.path,
      value,
      message: `json: cannot unmarshal ${found} into ${target} of type ${shape.kind === 'struct' ? `v1.${shape.go}` : shape.go}`,
    })
    return undefined
  }
}

const join = (parent: string, key: string): string => (parent === '' ? key : `${parent}.${key}`)

function isInt(value: unknown, kind: 'int64' | 'int32'): boolean {
  if (typeof value === 'bigint') return kind === 'int64' && BigInt.asIntN(64, value) === value
  return Number.isSafeInteger(value) && (kind === 'int64' || (value as number) === ((value as number) | 0))
}

function zero(shape: Shape): unknown {
  switch (shape.kind) {
    case 'string':
      return ''
    case 'boolean':
      return false
    case 'int64':
    case 'int32':
    case 'number':
      return 0
    case 'struct': {
      const always = Object.entries(shape.members).filter(([, member]) => member.omit === 'never')
      return Object.fromEntries(always.map(([key, member]) => [key, zero(member.shape)]))
    }
    default:
      return null
  }
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}

const rfc3339 = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/

/** Times in seconds that were looked at lately: whatever is written within a second says the same, in every part of its metadata. */
const known = new Map<string, string>()
const KNOWN = 512

/** RFC 3339 in UTC, in seconds (or microseconds); undefined when the text is not a time. */
function normalizeTime(text: string, micros: boolean): string | undefined {
  if (micros) return readTime(text, true)
  const before = known.get(text)
  if (before !== undefined) return before
  const time = readTime(text, false)
  if (time === undefined || text.length > LONGEST) return time
  if (known.size >= KNOWN) known.clear()
  known.set(text, time)
  return time
}

/** With nine digits of a second and an offset; fractions may be as long as somebody likes, and are not kept. */
const LONGEST = 35

function readTime(text: string, micros: boolean): string | undefined {
  const match = rfc3339.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const millis = Date.UTC(year, month - 1, day, hour, minute, second)
  const offset = match[8] === undefined ? 0 : (match[8] === '-' ? -1 : 1) * (Number(match[9]) * 60 + Number(match[10]))
  const date = new Date(millis - offset * 60_000)
  const isReal = hour < 24 && minute < 60 && second < 60 && new Date(millis).getUTCDate() === day && month >= 1 && month <= 12
  if (!isReal || Number.isNaN(date.getTime())) return undefined
  const base = date.toISOString().slice(0, 19)
  return micros ? `${base}.${(match[7] ?? '').padEnd(6, '0').slice(0, 6)}Z` : `${base}Z`
}
