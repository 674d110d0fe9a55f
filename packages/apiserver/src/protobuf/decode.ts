import { setOwn } from '@weft/api'
import { type Element, type Field, Message, inlined, isList, isMap, isSchemaOr } from '../kinds/message.ts'
import { BYTES, FIXED64, VARINT, WireError, WireReader } from './wire-reader.ts'
import { decodeWrapped } from './wrapped.ts'

/** Every later stage walks objects recursively, and a message within a map makes two levels of JSON (MAX_JSON_DEPTH). */
const MAX_DEPTH = 250

/**
 * The JSON object that a Go client would have sent instead of these bytes: zero values are left out or written as Go's
 * JSON does (see `Presence`), unknown fields are dropped. Throws WireError.
 */
export function decodeMessage(message: Message, bytes: Uint8Array): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  decodeInto(object, message, bytes, 0)
  return object
}

function decodeInto(object: Record<string, unknown>, message: Message, bytes: Uint8Array, depth: number): void {
  if (depth > MAX_DEPTH) throw new WireError(`message is nested deeper than ${MAX_DEPTH} levels`)
  const values = readFields(message, bytes, depth)
  for (const field of message.fields) {
    const value = values.get(field)
    if (field.inline) decodeInto(object, inlined(field), value === undefined ? EMPTY : joined(value as Buffer[]), depth + 1)
    else emit(object, field, value, depth)
  }
}

const EMPTY = new Uint8Array(0)

/** A singular message may be sent in several parts, which mean the parts joined; so it stays a list of bytes until all is read. */
function readFields(message: Message, bytes: Uint8Array, depth: number): Map<Field, unknown> {
  const reader = new WireReader(bytes)
  const values = new Map<Field, unknown>()
  while (!reader.done) {
    const { number, wire } = reader.tag()
    const field = message.byNumber.get(number)
    if (field === undefined) reader.skip(wire)
    else values.set(field, readField(reader, wire, field, { before: values.get(field), depth }))
  }
  return values
}

function readField(reader: WireReader, wire: number, field: Field, { before, depth }: { before: unknown; depth: number }): unknown {
  const { type } = field
  if (isList(type)) {
    const items = (before as unknown[] | undefined) ?? []
    if (wire === BYTES && isPackable(type.list)) readPacked(reader.bytes(), type.list, items)
    else items.push(complete(type.list, readSingle(reader, wire, type.list, field.name), depth))
    return items
  }
  if (isMap(type)) {
    const entries = (before as Record<string, unknown> | undefined) ?? {}
    expectWire(wire, BYTES, field.name)
    readEntry(reader.bytes(), type.map, entries, depth)
    return entries
  }
  const value = readSingle(reader, wire, type, field.name)
  if (!Buffer.isBuffer(value) || type === 'bytes') return value
  const parts = (before as Buffer[] | undefined) ?? []
  parts.push(value)
  return parts
}

const joined = (parts: readonly Buffer[]): Buffer => (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))

/** Messages come back as their bytes. */
function readSingle(reader: WireReader, wire: number, type: Element, name: string): unknown {
  if (type === 'int32' || type === 'int64' || type === 'bool') {
    expectWire(wire, VARINT, name)
    return type === 'int32' ? reader.int32() : type === 'int64' ? reader.int64() : reader.bool()
  }
  if (type === 'double') {
    expectWire(wire, FIXED64, name)
    return reader.double()
  }
  expectWire(wire, BYTES, name)
  return type === 'string' ? reader.string() : reader.bytes()
}

function expectWire(wire: number, expected: number, name: string): void {
  if (wire !== expected) throw new WireError(`wrong wire type ${wire} for field ${name}`)
}

const isPackable = (type: Element): boolean => type === 'int32' || type === 'int64' || type === 'bool' || type === 'double'

function readPacked(bytes: Buffer, type: Element, items: unknown[]): void {
  const reader = new WireReader(bytes)
  while (!reader.done) items.push(readSingle(reader, type === 'double' ? FIXED64 : VARINT, type, 'packed'))
}

function readEntry(bytes: Buffer, type: Element, entries: Record<string, unknown>, depth: number): void {
  const reader = new WireReader(bytes)
  let key = ''
  let value: unknown
  while (!reader.done) {
    const { number, wire } = reader.tag()
    if (number === 1) key = readSingle(reader, wire, 'string', 'key') as string
    else if (number === 2) value = readSingle(reader, wire, type, 'value')
    else reader.skip(wire)
  }
  setOwn(entries, key, complete(type, value ?? zeroOf(type), depth))
}

function zeroOf(type: Element): unknown {
  if (type === 'string') return ''
  if (type === 'bool') return false
  return type === 'int32' || type === 'int64' || type === 'double' ? 0 : EMPTY
}

/** From what was read to its JSON form. */
function complete(type: Element, value: unknown, depth: number): unknown {
  if (type === 'bytes') return Buffer.from(value as Uint8Array).toString('base64')
  if (type instanceof Message) {
    const inner: Record<string, unknown> = {}
    decodeInto(inner, type, value as Uint8Array, depth + 1)
    return inner
  }
  if (isSchemaOr(type)) return decodeSchemaOr(type.schemaOr, type.schema, value as Uint8Array, depth + 1)
  return Buffer.isBuffer(value) || value === EMPTY ? decodeWrapped(type, value as Uint8Array) : value
}

/** `list`: {schema=1, items=2}; `bool`: {allows=1, schema=2}; `names`: {schema=1, names=2}. */
function decodeSchemaOr(other: 'list' | 'bool' | 'names', schema: Message, bytes: Uint8Array, depth: number): unknown {
  const reader = new WireReader(bytes)
  let single: Buffer | undefined
  let allows = false
  const many: unknown[] = []
  while (!reader.done) {
    const { number, wire } = reader.tag()
    if (other === 'bool' && number === 1) allows = readSingle(reader, wire, 'bool', 'allows') as boolean
    else if (number === (other === 'bool' ? 2 : 1)) single = readSingle(reader, wire, schema, 'schema') as Buffer
    else if (number === 2 && other === 'names') many.push(readSingle(reader, wire, 'string', 'property'))
    else if (number === 2 && other === 'list') many.push(complete(schema, readSingle(reader, wire, schema, 'schemas'), depth))
    else reader.skip(wire)
  }
  if (many.length > 0) return many
  if (single !== undefined) return complete(schema, single, depth)
  return other === 'bool' ? allows : null
}

function emit(object: Record<string, unknown>, field: Field, value: unknown, depth: number): void {
  const { type, presence, name } = field
  if (isList(type) || isMap(type)) {
    if (value !== undefined) setOwn(object, name, value)
    return
  }
  if (value === undefined) {
    // Go's JSON of bytes that are not there is null, also where it is written always.
    if (presence === 'pointer' || type === 'bytes') return
    value = zeroOf(type)
  }
  const json = complete(type, Array.isArray(value) ? joined(value as Buffer[]) : value, depth)
  // Only scalars: a struct is never left out in Go, and IntOrString is one, so its 0 stays.
  const absent = json === undefined || (presence === 'value' && isScalar(type) && isZero(json))
  if (!absent) setOwn(object, name, json)
}

const isScalar = (type: Element): boolean => type === 'string' || type === 'bytes' || type === 'bool' || isPackable(type)
const isZero = (json: unknown): boolean => json === '' || json === false || json === 0
