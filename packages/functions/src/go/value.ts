/**
 * What Go holds after decoding JSON: an int64 is a bigint, a float64 a number. Which of the two a number is decides how it prints,
 * converts and compares, so it is never left to chance. Bytes of a text that are no UTF-8 stand as lone surrogates (go/text.ts).
 */
export type GoValue = null | boolean | bigint | number | string | readonly GoValue[] | GoObject

export interface GoObject {
  readonly [key: string]: GoValue
}

export const isGoObject = (value: GoValue | undefined): value is GoObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isGoArray = (value: GoValue | undefined): value is readonly GoValue[] => Array.isArray(value)

/** A map and a slice that are nil: without anything in them, as `{}` and `[]` are, and yet null as JSON. Known by who they are. */
export const NIL_MAP: GoObject = Object.freeze({})
export const NIL_SLICE: readonly GoValue[] = Object.freeze([])

export const isNil = (value: GoValue): boolean => value === NIL_MAP || value === NIL_SLICE

/** Go's `%T`. */
export function typeName(value: GoValue): string {
  switch (typeof value) {
    case 'bigint':
      return 'int64'
    case 'number':
      return 'float64'
    case 'boolean':
      return 'bool'
    case 'string':
      return 'string'
    default:
      return value === null ? '<nil>' : Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
  }
}
