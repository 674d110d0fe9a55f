import { compareText } from '@weft/api'
import { noSuchOverload } from './fault.ts'
import {
  Double,
  Duration,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Int,
  type Value,
} from './value.ts'
import { compareElements } from './work.ts'

/** A numeric value as something JavaScript compares exactly (`1n == 1` holds, `2n**64n > 1.5` too). */
function numeric(value: Value): Int | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Double || value instanceof Uint) return value.value
  return undefined
}

/** CEL's `==`: numbers compare across types, values of other different types are unequal. */
export function equals(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a === null || b === null) return false
  if (typeof a === 'string' || typeof a === 'boolean') return false
  const x = numeric(a)
  if (x !== undefined) {
    const y = numeric(b)
    return y !== undefined && x == y
  }
  if (a instanceof ListValue) return b instanceof ListValue && equalLists(a, b)
  if (a instanceof MapValue) return b instanceof MapValue && equalMaps(a, b)
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b)
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name
  if (a instanceof OptionalValue) return b instanceof OptionalValue && equalOptionals(a, b)
  return a instanceof OpaqueValue && b instanceof OpaqueValue && a.equals(b)
}

function equalLists(a: ListValue, b: ListValue): boolean {
  const own = a.equalsList(b)
  if (own !== undefined) return own
  const size = a.size
  if (size !== b.size) return false
  compareElements(size)
  for (let i = 0; i < size; i++) if (!equals(a.at(i), b.at(i))) return false
  return true
}

function equalMaps(a: MapValue, b: MapValue): boolean {
  const own = a.equalsMap(b)
  if (own !== undefined) return own
  if (a.size !== b.size) return false
  compareElements(a.size)
  for (const key of a.keys()) {
    const value = a.find(key)
    const other = b.find(key)
    if (value === undefined || other === undefined || !equals(value, other)) return false
  }
  return true
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

function equalOptionals(a: OptionalValue, b: OptionalValue): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value
  return equals(a.value, b.value)
}

/** Order of two values: negative, zero, positive, or NaN when a NaN is involved. Fails for values without order. */
export function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  const x = numeric(a)
  if (x !== undefined) {
    const y = numeric(b)
    if (y === undefined) throw noSuchOverload()
    // Against a double an int is rounded first, as in cel-go: the largest int is not less than 2^63.
    if (typeof x === 'bigint' && b instanceof Double) return order(Number(x), b.value)
    if (typeof y === 'bigint' && a instanceof Double) return order(a.value, Number(y))
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : Number.NaN
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Timestamp && b instanceof Timestamp) return compareBig(a.nanos, b.nanos)
  if (a instanceof Duration && b instanceof Duration) return compareBig(a.nanos, b.nanos)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b)
  throw noSuchOverload()
}

const order = (x: number, y: number): number => (x < y ? -1 : x > y ? 1 : x === y ? 0 : Number.NaN)
const compareBig = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
