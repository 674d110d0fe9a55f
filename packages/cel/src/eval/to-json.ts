import { setOwn, type JsonValue } from '@weft/api'
import { encodeBase64 } from './base64.ts'
import { CelRuntimeError } from './fault.ts'
import { PreservedValue } from './schema-map.ts'
import { formatDuration, formatTimestamp } from './time.ts'
import { Double, Duration, ListValue, MapValue, OptionalValue, Timestamp, TypeValue, Uint, isInt, typeName, type Value } from './value.ts'

/** A value as JSON data: what an expression that builds objects answers. Throws for values JSON has no form for. */
export function toJson(value: Value): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value
  if (value instanceof Double || value instanceof Uint) return value.value
  if (value instanceof ListValue) return [...value].map(toJson)
  if (value instanceof MapValue) {
    const object: Record<string, JsonValue> = {}
    for (const key of value.keys()) setOwn(object, String(key), toJson(value.find(key) ?? null))
    return object
  }
  if (value instanceof Uint8Array) return encodeBase64(value)
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return formatDuration(value)
  if (value instanceof OptionalValue) return value.value === undefined ? null : toJson(value.value)
  if (value instanceof TypeValue) return value.name
  if (value instanceof PreservedValue) return value.json as JsonValue
  throw new CelRuntimeError(`a value of type '${typeName(value)}' has no JSON form`, 0)
}
