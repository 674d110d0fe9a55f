import type { JsonValue } from '@weft/api'
import { Decimal } from '../value/decimal.ts'
import { BOOL, DYNAMIC, NUMBER, objectOf, STRING, tupleOf, type Type } from '../value/type.ts'
import { Dynamic, isArray, isMap, Unknown, type Value } from '../value/value.ts'
import { jsonNumber } from './scalar.ts'

/** Any JSON as a value that brings its type along: lists are tuples and objects are objects, since nothing says otherwise. */
export function dynamicOf(given: JsonValue): Value {
  if (given === null) return null
  const { type, value } = typed(given)
  return new Dynamic(type, value)
}

function typed(given: JsonValue | undefined): { readonly type: Type; readonly value: Value } {
  if (given === null || given === undefined) return { type: DYNAMIC, value: null }
  if (typeof given === 'string') return { type: STRING, value: given.normalize('NFC') }
  if (typeof given === 'boolean') return { type: BOOL, value: given }
  if (typeof given === 'number' || typeof given === 'bigint') return { type: NUMBER, value: Decimal.of(given) }
  if (Array.isArray(given)) {
    const elements = given.map(typed)
    return { type: tupleOf(elements.map(({ type }) => type)), value: elements.map(({ value }) => value) }
  }
  const entries = Object.entries(given).map(([name, of]) => [name.normalize('NFC'), typed(of)] as const)
  return {
    type: objectOf(new Map(entries.map(([name, { type }]) => [name, type]))),
    value: new Map(entries.map(([name, { value }]) => [name, value])),
  }
}

/** A value of a type that only it knows, as JSON. What is not known yet is left out. `number`: how a number is written. */
export function jsonOf(value: Value, number: (value: Decimal) => JsonValue = jsonNumber): JsonValue | undefined {
  if (value === null) return null
  if (value instanceof Unknown) return undefined
  if (value instanceof Dynamic) return jsonOf(value.value, number)
  if (value instanceof Decimal) return number(value)
  if (isArray(value)) return value.map((each) => jsonOf(each, number) ?? null)
  if (isMap(value))
    return Object.fromEntries(
      [...value].flatMap(([name, of]) => (of === null || of instanceof Unknown ? [] : [[name, jsonOf(of, number) ?? null]])),
    )
  return value
}

/** Blocks that hold dynamic values are no list, each having a type of its own: a tuple, or an object, with the types that the values have. */
export function untypedCollection(elements: readonly Value[] | ReadonlyMap<string, Value>, element: Type): Dynamic {
  if (isArray(elements))
    return new Dynamic(
      tupleOf(elements.map((each) => settled(element, each))),
      elements.map((each) => opened(element, each)),
    )
  const entries = [...elements]
  return new Dynamic(
    objectOf(new Map(entries.map(([name, each]) => [name, settled(element, each)]))),
    new Map(entries.map(([name, each]) => [name, opened(element, each)])),
  )
}

/** The type with the types of the dynamic values in it put in their place. */
function settled(type: Type, value: Value): Type {
  if (type.kind === 'dynamic') return value instanceof Dynamic ? value.type : DYNAMIC
  if (type.kind === 'object' && isMap(value))
    return objectOf(new Map([...type.attributes].map(([name, of]) => [name, settled(of, value.get(name) ?? null)])))
  return type
}

/** The value as it is under its settled type: what was dynamic is no longer. */
function opened(type: Type, value: Value): Value {
  if (type.kind === 'dynamic') return value instanceof Dynamic ? value.value : value
  if (type.kind === 'object' && isMap(value))
    return new Map([...value].map(([name, of]) => [name, opened(type.attributes.get(name) ?? DYNAMIC, of)]))
  return value
}
