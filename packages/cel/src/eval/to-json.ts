import { setOwn, type JsonValue } from '@weft/api'
import { encodeBase64 } from './base64.ts'
import { CelRuntimeError } from './fault.ts'
import { PreservedValue } from './schema-map.ts'
import { StructValue } from './struct-value.ts'
import { formatDuration, formatTimestamp } from './time.ts'
import { Double, Duration, ListValue, MapValue, OptionalValue, Timestamp, TypeValue, Uint, isInt, typeName, type Value } from './value.ts'

/**
 * A value as JSON data: what an expression that builds objects answers. Throws CelRuntimeError for values that JSON has
 * no form for, and for what would be longer than `limit` characters: values share their parts, and JSON repeats them.
 */
export function toJson(value: Value, limit: number = Infinity): JsonValue {
  return new JsonWriter(limit).write(value)
}

class JsonWriter {
  readonly #limit: number
  #length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  write(value: Value): JsonValue {
    this.#grow(typeof value === 'string' ? value.length + 2 : 2)
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value
    if (value instanceof Double || value instanceof Uint) return value.value
    if (value instanceof ListValue) return Array.from(value, (item) => this.write(item))
    if (value instanceof MapValue) {
      const object: Record<string, JsonValue> = {}
      for (const key of value.keys()) this.#member(object, String(key), value.find(key) ?? null)
      return object
    }
    if (value instanceof StructValue) {
      const object: Record<string, JsonValue> = {}
      for (const [name, field] of value.fields) this.#member(object, name, field)
      return object
    }
    if (value instanceof Uint8Array) return this.#text(encodeBase64(value))
    if (value instanceof Timestamp) return formatTimestamp(value)
    if (value instanceof Duration) return formatDuration(value)
    if (value instanceof OptionalValue) return value.value === undefined ? null : this.write(value.value)
    if (value instanceof TypeValue) return value.name
    if (value instanceof PreservedValue) return value.json as JsonValue
    throw new CelRuntimeError(`a value of type '${typeName(value)}' has no JSON form`, 0)
  }

  #member(object: Record<string, JsonValue>, key: string, value: Value): void {
    this.#grow(key.length + 3)
    setOwn(object, key, this.write(value))
  }

  #text(text: string): string {
    this.#grow(text.length)
    return text
  }

  #grow(length: number): void {
    this.#length += length
    if (this.#length > this.#limit) throw new CelRuntimeError(`the result is longer than ${this.#limit} characters`, 0)
  }
}
