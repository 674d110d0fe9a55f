import { parseJson } from '@weft/api'
import * as fc from 'fast-check'
import { type Element, type Field, type FieldType, Message, isList, isMap, isSchemaOr } from '../kinds/message.ts'

/** Arbitrary JSON objects of a message's shape, for property tests. Depth is bounded: JSONSchemaProps contains itself. */
export function arbitraryOf(message: Message, depth = 4): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.fromEntries([...message.byName.values()].map((field) => [field.name, fieldOf(field, depth)]))
  return fc.record(members, { requiredKeys: [] })
}

const fieldOf = (field: Field, depth: number): fc.Arbitrary<unknown> => typeOf(field.type, depth)

function typeOf(type: FieldType, depth: number): fc.Arbitrary<unknown> {
  if (isList(type)) return depth > 0 ? fc.array(elementOf(type.list, depth - 1), { maxLength: 2 }) : fc.constant([])
  if (isMap(type)) return depth > 0 ? fc.dictionary(keys, elementOf(type.map, depth - 1), { maxKeys: 2 }) : fc.constant({})
  return elementOf(type, depth)
}

const keys = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString'))

function elementOf(type: Element, depth: number): fc.Arbitrary<unknown> {
  if (type instanceof Message)
    return depth > 0
      ? fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: lazily(() => arbitraryOf(type, depth - 1)) })
      : fc.constant({})
  if (isSchemaOr(type)) return schemaOr(type.schemaOr)
  switch (type) {
    case 'string':
      return fc.string({ unit: 'grapheme' })
    case 'bool':
      return fc.boolean()
    case 'int32':
      return fc.integer()
    case 'int64':
      return fc
        .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
        .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value))
    case 'double':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
    case 'bytes':
      return fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64'))
    case 'time':
      return instant.map((date) => `${date.toISOString().slice(0, 19)}Z`)
    case 'microTime':
      return fc
        .tuple(instant, fc.integer({ min: 0, max: 999_999 }))
        .map(([date, micros]) => `${date.toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`)
    case 'quantity':
      return fc.constantFrom('0', '1', '1500m', '2Gi', '-3', '1e3')
    case 'intOrString':
      return fc.oneof(fc.integer(), fc.string())
    case 'extraValue':
      return fc.array(fc.string(), { maxLength: 2 })
    case 'rawExtension':
    case 'fieldsV1':
      return fc.dictionary(keys, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }).map(plain)
    default:
      return fc.jsonValue({ maxDepth: 2 }).map(plain)
  }
}

// The epoch itself stands for "no time" on the wire.
const instant = fc
  .date({ min: new Date('0002-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .filter((date) => Math.floor(date.getTime() / 1000) !== 0)

/** As JSON text would have it: no -0. */
/** As a body is read: no prototypes, and whole numbers that a number cannot hold as bigints. */
const plain = (value: unknown): unknown => parseJson(JSON.stringify(value)).value

const lazily = <T>(make: () => fc.Arbitrary<T>): fc.Arbitrary<T> => fc.constant(undefined).chain(() => make())

function schemaOr(other: 'list' | 'bool' | 'names'): fc.Arbitrary<unknown> {
  const schema = fc.constant({ type: 'string' })
  if (other === 'bool') return fc.oneof(fc.boolean(), schema)
  return other === 'list'
    ? fc.oneof(schema, fc.array(schema, { minLength: 1, maxLength: 2 }))
    : fc.oneof(schema, fc.array(fc.string(), { minLength: 1, maxLength: 2 }))
}
