/**
 * Types of Terraform's values. A value is only read, written or compared under its type: a list and a set look alike without it.
 * Names come from providers, so attributes are kept in Maps: a name such as `__proto__` is a name like any other.
 */
export type Type =
  | { readonly kind: 'string' | 'number' | 'bool' }
  /** Its value brings its type along: see Dynamic. */
  | { readonly kind: 'dynamic' }
  | { readonly kind: 'list' | 'set' | 'map'; readonly element: Type }
  | { readonly kind: 'tuple'; readonly elements: readonly Type[] }
  | { readonly kind: 'object'; readonly attributes: ReadonlyMap<string, Type> }

export const STRING: Type = { kind: 'string' }
export const NUMBER: Type = { kind: 'number' }
export const BOOL: Type = { kind: 'bool' }
export const DYNAMIC: Type = { kind: 'dynamic' }
export const listOf = (element: Type): Type => ({ kind: 'list', element })
export const setOf = (element: Type): Type => ({ kind: 'set', element })
export const mapOf = (element: Type): Type => ({ kind: 'map', element })
export const tupleOf = (elements: readonly Type[]): Type => ({ kind: 'tuple', elements })
export const objectOf = (attributes: Readonly<Record<string, Type>> | ReadonlyMap<string, Type>): Type => ({
  kind: 'object',
  attributes: attributes instanceof Map ? attributes : new Map(Object.entries(attributes)),
})

/** Does a value of the type bring (part of) its type along? */
export function hasDynamic(type: Type): boolean {
  switch (type.kind) {
    case 'dynamic':
      return true
    case 'list':
    case 'set':
    case 'map':
      return hasDynamic(type.element)
    case 'tuple':
      return type.elements.some(hasDynamic)
    case 'object':
      return [...type.attributes.values()].some(hasDynamic)
    default:
      return false
  }
}
