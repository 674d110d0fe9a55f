import type { Decimal } from './decimal.ts'
import type { Type } from './type.ts'

/**
 * A value of Terraform's type system, without its type; whoever handles it knows that from the schema.
 *
 * - `null`: nothing was given. A resource that is not there is `null` as a whole.
 * - Unknown: decided later, by the provider; occurs in plans only.
 * - string (NFC), boolean, Decimal: a number is never a JavaScript number, which would damage ids beyond 2^53 and decimal fractions.
 * - an array: a list or a tuple; or a set, whose order means nothing.
 * - a Map: a map; or an object, which holds every attribute of its type, no more and no less.
 * - Dynamic: a value of type `dynamic` that is neither null nor unknown of unknown type, with the type that it has.
 *
 * Immutable: share parts freely.
 */
export type Value = null | Unknown | string | boolean | Decimal | readonly Value[] | ReadonlyMap<string, Value> | Dynamic

/**
 * A value that is not known yet. What a provider told of it in advance (not null, a prefix, bounds) is kept as it came, in the form it has on
 * the wire, and means nothing to us: two unknowns are equal.
 */
export class Unknown {
  readonly refinements: Uint8Array | undefined

  constructor(refinements?: Uint8Array) {
    this.refinements = refinements
  }
}

export const UNKNOWN: Unknown = new Unknown()

export class Dynamic {
  readonly type: Type
  readonly value: Value

  constructor(type: Type, value: Value) {
    this.type = type
    this.value = value
  }
}

export const isUnknown = (value: Value): value is Unknown => value instanceof Unknown
export const isMap = (value: Value): value is ReadonlyMap<string, Value> => value instanceof Map
export const isArray = (value: Value): value is readonly Value[] => Array.isArray(value)

/** Is every part of the value known? */
export function isWhollyKnown(value: Value): boolean {
  if (value instanceof Unknown) return false
  if (value instanceof Dynamic) return isWhollyKnown(value.value)
  if (isArray(value)) return value.every(isWhollyKnown)
  if (isMap(value)) return [...value.values()].every(isWhollyKnown)
  return true
}
