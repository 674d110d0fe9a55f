import type { CelType } from '../types/type.ts'

/**
 * Values at run time. The common kinds are JavaScript's own, so that JSON data needs no copy: string, boolean, null,
 * and **int is a `number` while it is a safe integer, else a `bigint`** (never a bigint for a small one, so `===`
 * compares ints). Double and uint, rare in Kubernetes, are boxed to stay apart from int.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Uint
  | Double
  | Duration
  | Timestamp
  | ListValue
  | MapValue
  | OptionalValue
  | TypeValue
  | OpaqueValue

/** An int64 or uint64 magnitude in canonical form. */
export type Int = number | bigint

export class Uint {
  readonly value: Int
  constructor(value: Int) {
    this.value = value
  }
}

export class Double {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** A span of time in nanoseconds. */
export class Duration {
  readonly nanos: bigint
  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** An instant: nanoseconds since 1970-01-01T00:00:00Z. */
export class Timestamp {
  readonly nanos: bigint
  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** A list. Implementations may convert their elements on access. */
export abstract class ListValue {
  abstract readonly size: number
  /** The element at a valid index; the caller has checked the bounds. */
  abstract at(index: number): Value

  *[Symbol.iterator](): Iterator<Value> {
    const size = this.size
    for (let i = 0; i < size; i++) yield this.at(i)
  }
  /** Equality where the list's own kind decides (sets, maps by key); undefined: compare element by element. */
  equalsList(_other: ListValue): boolean | undefined {
    return undefined
  }
  /** `this + other`; undefined: plain concatenation. */
  concat(_other: ListValue): ListValue | undefined {
    return undefined
  }
}

export class ArrayList extends ListValue {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    super()
    this.items = items
  }
  get size(): number {
    return this.items.length
  }
  at(index: number): Value {
    return this.items[index] as Value
  }
}

/** A map or an object with fields. */
export abstract class MapValue {
  abstract readonly size: number
  /** The value of a key; undefined when absent. */
  abstract find(key: Value): Value | undefined
  abstract keys(): readonly Value[]
  /** The value of a field named in an expression; undefined when absent. */
  field(name: string): Value | undefined {
    return this.find(name)
  }
  /** Equality where the map's own kind decides; undefined: compare entry by entry. */
  equalsMap(_other: MapValue): boolean | undefined {
    return undefined
  }
}

/** What a key is stored under: numerically equal keys of different types are one key. */
export type MapKey = string | number | bigint | boolean

export function mapKey(value: Value): MapKey | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return value
  if (value instanceof Uint) return value.value
  if (value instanceof Double && Number.isInteger(value.value)) {
    return Number.isSafeInteger(value.value) ? value.value : BigInt(value.value)
  }
  return undefined
}

export class EntryMap extends MapValue {
  readonly #entries: ReadonlyMap<MapKey, readonly [key: Value, value: Value]>
  constructor(entries: ReadonlyMap<MapKey, readonly [key: Value, value: Value]>) {
    super()
    this.#entries = entries
  }
  get size(): number {
    return this.#entries.size
  }
  find(key: Value): Value | undefined {
    const stored = mapKey(key)
    return stored === undefined ? undefined : this.#entries.get(stored)?.[1]
  }
  keys(): readonly Value[] {
    return Array.from(this.#entries.values(), (entry) => entry[0])
  }
}

export class OptionalValue {
  readonly value: Value | undefined
  constructor(value: Value | undefined) {
    this.value = value
  }
}
export const OPTIONAL_NONE: OptionalValue = new OptionalValue(undefined)

/** A type as a value: `type(1)`, `int`. Two are equal when their names are. */
export class TypeValue {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A value of a library's own type: an IP address, a quantity, an authorizer. */
export abstract class OpaqueValue {
  abstract readonly type: CelType
  abstract equals(other: OpaqueValue): boolean
  /** What `size` means to the cost model, when it means anything. */
  get size(): number {
    return 1
  }
}

export function intFromBigInt(value: bigint): Int {
  return value >= MIN_SAFE && value <= MAX_SAFE ? Number(value) : value
}
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)
const MIN_SAFE = BigInt(Number.MIN_SAFE_INTEGER)

export const isInt = (value: unknown): value is Int => typeof value === 'number' || typeof value === 'bigint'

/** The number of code points: what CEL calls the size of a string. */
export function codePoints(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xd800 || unit > 0xdbff) continue
    const next = text.charCodeAt(i + 1)
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--
      i++
    }
  }
  return count
}

/** The size the cost model sees: 1 for whatever has none. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return codePoints(value)
  if (value instanceof ListValue || value instanceof MapValue || value instanceof OpaqueValue) return value.size
  return value instanceof Uint8Array ? value.length : 1
}

export function typeName(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'number':
    case 'bigint':
      return 'int'
    default:
  }
  if (value === null) return 'null_type'
  if (value instanceof ListValue) return 'list'
  if (value instanceof MapValue) return 'map'
  if (value instanceof Uint) return 'uint'
  if (value instanceof Double) return 'double'
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp'
  if (value instanceof Duration) return 'google.protobuf.Duration'
  if (value instanceof OptionalValue) return 'optional_type'
  if (value instanceof TypeValue) return 'type'
  const type = value.type
  return type.kind === 'opaque' || type.kind === 'object' ? type.name : type.kind
}
