import {
  ArrayList,
  Double,
  Duration,
  EntryMap,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  intFromBigInt,
  isInt,
  mapKey,
  type Value,
} from '../eval/value.ts'
import { parseDuration, parseTimestamp } from '../eval/time.ts'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  NULL,
  STRING,
  TIMESTAMP,
  UINT,
  listType,
  mapType,
  opaqueType,
  paramType,
  typeType,
  type CelType,
} from '../types/type.ts'

/** The suite's values and types (protobuf in JSON form) as ours. Throws `ProtobufOnly` for what needs protobuf messages. */
export class ProtobufOnly extends Error {}

type Json = Record<string, never>

export function toValue(json: unknown): Value {
  const [kind, raw] = Object.entries(json as object)[0] ?? ['nullValue', null]
  const value = raw as never
  switch (kind) {
    case 'int64Value':
      return intFromBigInt(BigInt(value))
    case 'uint64Value':
      return new Uint(intFromBigInt(BigInt(value)))
    case 'doubleValue':
      return new Double(Number(value))
    case 'stringValue':
    case 'boolValue':
      return value
    case 'bytesValue':
      return Uint8Array.from(atob(value), (char) => char.charCodeAt(0))
    case 'nullValue':
      return null
    case 'listValue':
      return new ArrayList(((value as Json)['values'] as unknown as unknown[] | undefined)?.map(toValue) ?? [])
    case 'mapValue':
      return toMap(((value as Json)['entries'] as unknown as { key: unknown; value: unknown }[] | undefined) ?? [])
    case 'typeValue':
      return new TypeValue(value)
    case 'objectValue':
      return toObject(value)
    default:
      throw new ProtobufOnly(kind)
  }
}

function toMap(entries: readonly { key: unknown; value: unknown }[]): Value {
  return new EntryMap(
    new Map(
      entries.map((entry) => {
        const key = toValue(entry.key)
        return [mapKey(key) ?? '', [key, toValue(entry.value)]]
      }),
    ),
  )
}

function toObject(any: { '@type': string; value: string }): Value {
  if (any['@type'].endsWith('google.protobuf.Timestamp')) return new Timestamp(parseTimestamp(any.value) ?? 0n)
  if (any['@type'].endsWith('google.protobuf.Duration'))
    return new Duration(parseDuration(any.value) ?? BigInt(any.value.slice(0, -1)) * 1_000_000_000n)
  throw new ProtobufOnly(any['@type'])
}

/** Strict equality of a result with the expected one: kinds must agree, unlike CEL's own `==`. */
export function sameValue(actual: Value, expected: Value): boolean {
  if (expected instanceof Double)
    return actual instanceof Double && (Object.is(actual.value, expected.value) || actual.value === expected.value)
  if (expected instanceof Uint) return actual instanceof Uint && actual.value === expected.value
  if (expected instanceof Uint8Array) return actual instanceof Uint8Array && Buffer.from(actual).equals(Buffer.from(expected))
  if (expected instanceof TypeValue) return actual instanceof TypeValue && actual.name === expected.name
  if (expected instanceof Timestamp) return actual instanceof Timestamp && actual.nanos === expected.nanos
  if (expected instanceof Duration) return actual instanceof Duration && actual.nanos === expected.nanos
  if (expected instanceof OptionalValue) return false
  if (expected instanceof ListValue) {
    return actual instanceof ListValue && actual.size === expected.size && [...expected].every((item, i) => sameValue(actual.at(i), item))
  }
  if (expected instanceof MapValue) {
    return (
      actual instanceof MapValue &&
      actual.size === expected.size &&
      expected.keys().every((key) => sameEntry(actual.find(key), expected.find(key)))
    )
  }
  return isInt(expected) ? isInt(actual) && actual === expected : actual === expected
}

const sameEntry = (actual: Value | undefined, expected: Value | undefined): boolean =>
  actual !== undefined && expected !== undefined && sameValue(actual, expected)

const PRIMITIVES: Readonly<Record<string, CelType>> = { BOOL, INT64: INT, UINT64: UINT, DOUBLE, STRING, BYTES }

export function toType(json: unknown): CelType {
  const [kind, raw] = Object.entries(json as object)[0] ?? ['dyn', {}]
  const of = raw as Record<string, unknown>
  switch (kind) {
    case 'primitive':
      return PRIMITIVES[raw as string] ?? DYN
    case 'null':
      return NULL
    case 'dyn':
      return DYN
    case 'listType':
      return listType(of['elemType'] === undefined ? DYN : toType(of['elemType']))
    case 'mapType':
      return mapType(toType(of['keyType']), toType(of['valueType']))
    case 'wellKnown':
      return raw === 'TIMESTAMP' ? TIMESTAMP : raw === 'DURATION' ? DURATION : DYN
    case 'type':
      return typeType(Object.keys(of).length === 0 ? undefined : toType(of))
    case 'typeParam':
      return paramType(raw)
    case 'abstractType':
      return opaqueType(of['name'] as string, ...((of['parameterTypes'] as unknown[] | undefined) ?? []).map(toType))
    default:
      throw new ProtobufOnly(kind)
  }
}
