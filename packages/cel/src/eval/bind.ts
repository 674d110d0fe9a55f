import { isJsonObject, type Schema } from '@weft/api'
import { withTypeAndMeta } from '../types/decl-type.ts'
import { escapeName } from '../types/escape.ts'
import { decodeBase64 } from './base64.ts'
import { Fault } from './fault.ts'
import { bigInt, bindDynamic, invalidData } from './json.ts'
import { SchemaList, type ListFlavour } from './schema-list.ts'
import { PreservedValue, SchemaMap, SchemaObject, type ObjectFields } from './schema-map.ts'
import { parseDate, parseDuration, parseTimestamp } from './time.ts'
import { Double, Duration, Timestamp, type Value } from './value.ts'

/** Makes a value of JSON data that a schema describes. Made once for a schema. */
export type Binder = (json: unknown) => Value

const binders = new WeakMap<Schema, Binder>()
const rootBinders = new WeakMap<Schema, Binder>()

/**
 * JSON data as a CEL value, without copying: fields and elements are converted when an expression reads them. Data
 * that does not fit the schema fails then, with Kubernetes' message. Without a schema everything is dynamic.
 */
export function bindValue(json: unknown, schema?: Schema, options: { readonly root?: boolean } = {}): Value {
  return schema === undefined ? bindDynamic(json) : binderFor(schema, options.root === true)(json)
}

export function binderFor(schema: Schema, root = false): Binder {
  const cache = root ? rootBinders : binders
  const known = cache.get(schema)
  if (known !== undefined) return known
  const bind = makeBinder(root ? withTypeAndMeta(schema) : schema)
  const nullable = schema.nullable === true
  const binder: Binder = (json) => {
    if (json !== null && json !== undefined) return bind(json)
    if (nullable) return null
    throw new Fault('invalid data, got null for schema with nullable=false')
  }
  cache.set(schema, binder)
  return binder
}

function makeBinder(schema: Schema): Binder {
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString
  switch (schema.type) {
    case 'object':
      return objectBinder(schema)
    case 'array':
      return arrayBinder(schema)
    case 'string':
      return stringBinder(schema.format)
    case 'number':
      return bindNumber
    case 'integer':
      return bindInteger
    case 'boolean':
      return (json) => {
        if (typeof json !== 'boolean') throw invalidData('bool', json)
        return json
      }
    default:
      if (schema['x-kubernetes-preserve-unknown-fields'] === true) return (json) => new PreservedValue(json)
      return () => {
        throw new Fault(
          `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type ?? ''}`,
        )
      }
  }
}

function intOrString(json: unknown): Value {
  if (typeof json === 'string' || (typeof json === 'number' && Number.isInteger(json))) return json
  if (typeof json === 'bigint') return bigInt(json)
  throw new Fault('invalid data, expected XIntOrString value to be either a string or integer')
}

function bindNumber(json: unknown): Value {
  if (typeof json === 'number' || typeof json === 'bigint') return new Double(Number(json))
  throw invalidData('float', json)
}

function bindInteger(json: unknown): Value {
  if (typeof json === 'number' && Number.isSafeInteger(json)) return json
  const value = typeof json === 'bigint' ? bigInt(json) : undefined
  if (value === undefined || value instanceof Double) throw invalidData('int', json)
  return value
}

function objectBinder(given: Schema): Binder {
  const schema = given['x-kubernetes-embedded-resource'] === true ? withTypeAndMeta(given) : given
  const { additionalProperties, properties } = schema
  const mustBeMap = (json: unknown): object => {
    if (!isJsonObject(json)) throw new Fault('invalid data, expected a map for the provided schema with type=object')
    return json
  }
  if (properties !== undefined) {
    const fields = objectFields(properties)
    return (json) => new SchemaObject(mustBeMap(json), fields)
  }
  if (typeof additionalProperties === 'object') {
    const bind = lazy(additionalProperties)
    return (json) => new SchemaMap(mustBeMap(json), bind)
  }
  // Nothing is said of what is inside: rules see an object without fields.
  const none = objectFields({})
  return (json) => new SchemaObject(mustBeMap(json), none)
}

/** Children are made ready on first use: a schema may be large and a rule look at one field. */
function lazy(schema: Schema): Binder {
  let bind: Binder | undefined
  return (json) => (bind ??= binderFor(schema, schema['x-kubernetes-embedded-resource'] === true))(json)
}

function objectFields(properties: Readonly<Record<string, Schema>>): ObjectFields {
  const byIdentifier = new Map<string, { readonly key: string; readonly bind: Binder }>()
  const byKey = new Map<string, { readonly identifier: string | undefined; readonly bind: Binder }>()
  for (const [key, schema] of Object.entries(properties)) {
    const identifier = escapeName(key)
    const bind = lazy(schema)
    byKey.set(key, { identifier, bind })
    if (identifier !== undefined) byIdentifier.set(identifier, { key, bind })
  }
  return { byIdentifier, byKey }
}

function arrayBinder(schema: Schema): Binder {
  const { items } = schema
  if (items === undefined) {
    return () => {
      throw new Fault('invalid array type, expected Items with a non-empty Schema')
    }
  }
  const bind = lazy(items)
  const flavour = listFlavour(schema)
  return (json) => {
    if (!Array.isArray(json)) throw new Fault('invalid data, expected an array for the provided schema with type=array')
    return new SchemaList(json, bind, flavour)
  }
}

function listFlavour(schema: Schema): ListFlavour {
  const kind = schema['x-kubernetes-list-type'] ?? 'atomic'
  return { kind, keys: (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => escapeName(key) ?? key) }
}

function stringBinder(format: string | undefined): Binder {
  const parsed =
    (parse: (text: string) => Value | undefined, name: string): Binder =>
    (json) => {
      if (typeof json !== 'string') throw invalidData('string', json)
      const value = parse(json)
      if (value === undefined) throw new Fault(`Invalid ${name} ${json}`)
      return value
    }
  const instant = (nanos: bigint | undefined): Value | undefined => (nanos === undefined ? undefined : new Timestamp(nanos))
  switch (format) {
    case 'duration':
      return parsed(readDuration, 'duration')
    case 'date':
      return parsed((text) => instant(parseDate(text)), 'date formatted string')
    case 'date-time':
      return parsed((text) => instant(parseTimestamp(text)), 'date-time formatted string')
    case 'byte':
      return parsed(decodeBase64, 'byte formatted string')
    default:
      return (json) => {
        if (typeof json !== 'string') throw invalidData('string', json)
        return json
      }
  }
}

const LONG_UNITS: readonly (readonly [RegExp, bigint])[] = [
  [/^(?:ns|nanos?|nanoseconds?)$/, 1n],
  [/^(?:us|µs|micros?|microseconds?)$/, 1000n],
  [/^(?:ms|millis?|milliseconds?)$/, 1_000_000n],
  [/^(?:s|secs?|seconds?)$/, 1_000_000_000n],
  [/^(?:m|mins?|minutes?)$/, 60_000_000_000n],
  [/^(?:h|hrs?|hours?)$/, 3_600_000_000_000n],
  [/^(?:d|days?)$/, 86_400_000_000_000n],
  [/^(?:w|weeks?)$/, 604_800_000_000_000n],
]

/** The duration format of OpenAPI: Go's, and words such as `3 days`. */
function readDuration(text: string): Value | undefined {
  const nanos = parseDuration(text)
  if (nanos !== undefined) return new Duration(nanos)
  let total = 0n
  const parts = [...text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)]
  for (const [, count = '', unit = ''] of parts) {
    const scale = LONG_UNITS.find(([pattern]) => pattern.test(unit))?.[1]
    if (scale === undefined) return undefined
    total += BigInt(count) * scale
  }
  return parts.length === 0 ? undefined : new Duration(total)
}
