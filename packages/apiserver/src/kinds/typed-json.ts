import { badRequest, formatMicroTime, formatTime, isJsonObject, setOwn } from '@weft/api'
import { type Element, type Field, type FieldType, Message, isList, isMap, isSchemaOr } from './message.ts'
import { goType, jsonType } from './go-names.ts'
import { formatQuantity, isKeptAsWritten, readQuantity, toMilli } from './quantity.ts'

/** An object as Go's typed decoder would have it. */
export interface Conformed {
  readonly object: Record<string, unknown>
  /** Paths of fields that the kind does not have, as field validation reports them. They are dropped. */
  readonly unknownFields: readonly string[]
}

export interface ConformOptions {
  /**
   * True (the default) for whole objects: zero values are dropped or written as Go's JSON does. False for partial ones,
   * such as apply configurations, where `replicas: 0` says something and an absent `status` must stay absent.
   */
  readonly complete?: boolean
}

/**
 * Reads JSON as the Go type of a built-in kind would: unknown fields are dropped and reported, null means absent, and
 * a value of another type is an error. What comes out is what kube-apiserver would answer for the same body.
 * Throws StatusError BadRequest.
 */
export function conform(message: Message, value: unknown, options: ConformOptions = {}): Conformed {
  const reader = new TypedReader(options.complete ?? true)
  const object = reader.message(message, value, { struct: shortName(message), fields: '', path: '' })
  if (message.typed && isJsonObject(value)) {
    // Beside the descriptor's fields: on the wire these two travel in the envelope.
    return { object: { ...pick(value, 'apiVersion'), ...pick(value, 'kind'), ...object }, unknownFields: reader.unknown }
  }
  return { object, unknownFields: reader.unknown }
}

const pick = (value: object, key: 'apiVersion' | 'kind'): object => {
  const found = (value as Record<string, unknown>)[key]
  return typeof found === 'string' ? { [key]: found } : {}
}

const shortName = (message: Message): string => message.name.slice(message.name.lastIndexOf('.') + 1)

/** Where a value stands: for Go's wording of type errors, and for paths of unknown fields. */
interface Place {
  readonly struct: string
  readonly fields: string
  readonly path: string
}

/** A place below another. Its words are made when there is something to say: nearly always there is nothing, and there are thousands in a large definition. */
class Below implements Place {
  readonly #above: Place
  readonly #step: string | number
  /** Whose field it is; undefined for what a list or a map holds. */
  readonly #owner: Message | undefined

  constructor(above: Place, step: string | number, owner?: Message) {
    this.#above = above
    this.#step = step
    this.#owner = owner
  }

  get struct(): string {
    return this.#owner === undefined ? this.#above.struct : shortName(this.#owner)
  }

  get fields(): string {
    return this.#owner === undefined ? this.#above.fields : below(this.#above.fields, String(this.#step))
  }

  get path(): string {
    return typeof this.#step === 'number' ? `${this.#above.path}[${this.#step}]` : below(this.#above.path, shown(this.#step))
  }
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** As many unknown fields as Go's decoder tells of, each with a path that can be read: a key may be as long as the request. */
const MAX_TOLD = 100
const MAX_SHOWN_KEY = 512
const shown = (key: string): string => (key.length > MAX_SHOWN_KEY ? `${key.slice(0, MAX_SHOWN_KEY)}...` : key)

class TypedReader {
  readonly unknown: string[] = []
  readonly #complete: boolean

  constructor(complete: boolean) {
    this.#complete = complete
  }

  message(message: Message, value: unknown, place: Place): Record<string, unknown> {
    if (value !== null && value !== undefined && !isJsonObject(value)) throw mismatch(value, message, place)
    const given = (value ?? {}) as Record<string, unknown>
    this.#reportUnknown(message, given, place)
    const object: Record<string, unknown> = {}
    for (const field of message.byName.values()) {
      const own = Object.hasOwn(given, field.name) ? given[field.name] : undefined
      // Most kinds of things have dozens of fields, and few are given.
      if ((own === undefined || own === null) && !this.#isFilled(field)) continue
      const read = this.#field(field, own, new Below(place, field.name, message))
      if (read !== undefined) setOwn(object, field.name, read)
    }
    return object
  }

  #reportUnknown(message: Message, given: object, place: Place): void {
    for (const key of Object.keys(given)) {
      if (message.byName.has(key) || (message.typed && (key === 'apiVersion' || key === 'kind'))) continue
      if (this.unknown.length >= MAX_TOLD) return
      this.unknown.push(below(place.path, shown(key)))
    }
  }

  /** When it is not given. Bytes are a slice in Go: when absent they stay so. */
  #isFilled({ type, presence }: Field): boolean {
    return this.#complete && presence !== 'pointer' && (type instanceof Message || presence === 'always' || isStruct(type))
  }

  #field(field: Field, value: unknown, place: Place): unknown {
    const { type, presence } = field
    if (value === undefined || value === null) return this.#zero(type, place)
    const read = this.#value(type, value, place)
    return this.#complete && presence !== 'pointer' && isEmpty(type, read, presence === 'always') ? undefined : read
  }

  #value(type: FieldType, value: unknown, place: Place): unknown {
    if (isList(type)) {
      if (!Array.isArray(value)) throw mismatch(value, type, place)
      return value.map((item, index) => this.#item(type.list, item, new Below(place, index)))
    }
    if (isMap(type)) {
      if (!isJsonObject(value)) throw mismatch(value, type, place)
      const entries: Record<string, unknown> = {}
      for (const [key, item] of Object.entries(value)) setOwn(entries, key, this.#item(type.map, item, new Below(place, key)))
      return entries
    }
    return this.#item(type, value, place)
  }

  /** Null within a list or map is the zero value. */
  #item(type: Element, value: unknown, place: Place): unknown {
    if (type instanceof Message) return this.message(type, value, place)
    if (isSchemaOr(type)) return this.#schemaOr(type.schemaOr, type.schema, value, place)
    if ((value === null || value === undefined) && type !== 'json' && type !== 'rawExtension') return this.#zero(type, place) ?? ''
    return readLeaf(type, value, place)
  }

  #schemaOr(other: 'list' | 'bool' | 'names', schema: Message, value: unknown, place: Place): unknown {
    if (other === 'bool' && typeof value === 'boolean') return value
    if (other === 'list' && Array.isArray(value)) {
      return value.map((item, index) => this.message(schema, item, new Below(place, index)))
    }
    if (other === 'names' && Array.isArray(value)) return value.map((item) => readLeaf('string', item, place))
    return this.message(schema, value, place)
  }

  #zero(type: FieldType, place: Place): unknown {
    if (type instanceof Message) return this.message(type, {}, place)
    switch (type) {
      case 'string':
        return ''
      case 'bool':
        return false
      case 'int32':
      case 'int64':
      case 'double':
      case 'intOrString':
        return 0
      case 'quantity':
        return '0'
      case 'extraValue':
        return []
      case 'rawExtension':
        return null
      default:
        return undefined
    }
  }
}

/** Wrapped types that Go holds by value and therefore always writes. */
const isStruct = (type: FieldType): boolean => type === 'intOrString' || type === 'quantity' || type === 'rawExtension'

function isEmpty(type: FieldType, value: unknown, always: boolean): boolean {
  if (isList(type)) return (value as readonly unknown[]).length === 0
  if (isMap(type)) return Object.keys(value as object).length === 0
  return !always && !isStruct(type) && (value === '' || value === false || value === 0)
}

function readLeaf(type: Exclude<Element, Message | object>, value: unknown, place: Place): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : reject(value, type, place)
    case 'bool':
      return typeof value === 'boolean' ? value : reject(value, type, place)
    case 'int32':
      return isInteger(value, 32) ? value : reject(value, type, place)
    case 'int64':
      return isInteger(value, 64) ? value : reject(value, type, place)
    case 'double':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : reject(value, type, place)
    case 'bytes':
      return typeof value === 'string' ? readBase64(value) : reject(value, type, place)
    case 'time':
    case 'microTime':
      return typeof value === 'string' ? readTime(value, type === 'microTime') : reject(value, type, place)
    case 'quantity':
      return canonicalQuantity(value)
    case 'intOrString':
      return typeof value === 'string' || isInteger(value, 32) ? value : reject(value, type, place)
    case 'extraValue':
      return Array.isArray(value) ? value.map((item) => readLeaf('string', item, place)) : reject(value, type, place)
    case 'rawExtension':
    case 'fieldsV1':
      return isJsonObject(value) ? value : reject(value, type, place)
    default:
      return value
  }
}

function isInteger(value: unknown, bits: 32 | 64): boolean {
  if (typeof value === 'bigint') return bits === 64 && BigInt.asIntN(64, value) === value
  return Number.isInteger(value) && (bits === 64 ? Number.isSafeInteger(value) : value === ((value as number) | 0))
}

/** Go's strict base64: the standard alphabet, padded, line breaks ignored. */
function readBase64(text: string): string {
  const packed = text.replace(/[\r\n]/g, '')
  const bad = packed.search(/[^A-Za-z0-9+/=]/)
  const padded = /^[A-Za-z0-9+/]*={0,2}$/.test(packed) && packed.length % 4 === 0
  if (bad < 0 && padded) return packed
  const position =
    bad >= 0 ? bad : packed.includes('=') && packed.length % 4 === 0 ? packed.indexOf('=') : packed.length - (packed.length % 4)
  throw badRequest(`illegal base64 data at input byte ${position}`)
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

function readTime(text: string, micro: boolean): string | undefined {
  const match = RFC3339.exec(text)
  const millis = match === null ? Number.NaN : Date.parse(text)
  const fits = !micro || match?.[1]?.length === 7
  if (match === null || Number.isNaN(millis) || !fits) {
    const layout = micro ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00'
    throw badRequest(`parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: it does not have that form`)
  }
  const seconds = Math.floor(millis / 1000) * 1000
  if (text.startsWith('0001-01-01T00:00:00')) return undefined
  return micro ? formatMicroTime(seconds).replace(/\.\d+Z$/, `${match[1] ?? ''}Z`) : formatTime(seconds)
}

/** What is written otherwise than Go writes it is kept as Go writes it. */
function canonicalQuantity(value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const quantity = readQuantity(text)
  if ('error' in quantity) throw badRequest(quantity.error)
  const rounded = toMilli(quantity)
  return rounded.nanos === quantity.nanos && isKeptAsWritten(text) ? text : formatQuantity(rounded)
}

function reject(value: unknown, type: FieldType, place: Place): never {
  throw mismatch(value, type, place)
}

/** Of a number that does not fit, Go shows which. */
const described = (value: unknown, type: FieldType): string =>
  (typeof value === 'number' || typeof value === 'bigint') && (type === 'int32' || type === 'int64')
    ? `number ${String(value)}`
    : jsonType(value)

function mismatch(value: unknown, type: FieldType, place: Place): Error {
  const target = place.fields === '' ? 'Go value' : `Go struct field ${place.struct}.${place.fields}`
  return badRequest(`json: cannot unmarshal ${described(value, type)} into ${target} of type ${goType(type)}`)
}
