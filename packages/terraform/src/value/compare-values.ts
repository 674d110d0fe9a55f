import { Decimal } from './decimal.ts'
import type { Type } from './type.ts'
import { typeToJson } from './type-json.ts'
import { Dynamic, isArray, isMap, Unknown, type Value } from './value.ts'

/**
 * Is it the same value? Sets are compared without order, numbers by what they mean, and an unknown equals any unknown: what a provider
 * answered is never compared by its bytes, in which order and forms of numbers differ from call to call (T70, T83).
 */
export function equalValues(type: Type, a: Value, b: Value): boolean {
  if (a === b) return true
  if (a === null || b === null) return false
  if (a instanceof Unknown || b instanceof Unknown) return a instanceof Unknown && b instanceof Unknown
  if (type.kind === 'dynamic') {
    if (!(a instanceof Dynamic && b instanceof Dynamic)) return false
    return equalTypes(a.type, b.type) && equalValues(a.type, a.value, b.value)
  }
  if (a instanceof Decimal) return b instanceof Decimal && a.equals(b)
  if (isArray(a)) return isArray(b) && a.length === b.length && equalElements(type, a, b)
  if (isMap(a)) {
    if (!isMap(b) || a.size !== b.size) return false
    for (const [name, value] of a) if (!b.has(name) || !equalValues(memberType(type, name), value, b.get(name) ?? null)) return false
    return true
  }
  return false
}

export const equalTypes = (a: Type, b: Type): boolean => a === b || canonicalType(a) === canonicalType(b)

/** The set's elements in the order in which OpenTofu goes through them: which of several alike it takes first depends on it (T82). */
export function inSetOrder(element: Type, values: readonly Value[]): readonly Value[] {
  return values
    .map((value) => ({ value, key: canonicalText(element, value) }))
    .sort((a, b) => compareElements(element, a, b))
    .map(({ value }) => value)
}

/** Does a set hold a known element twice? No set can; a plan that says so comes of a provider's fault (T190). */
export function hasDuplicates(element: Type, values: readonly Value[]): boolean {
  return distinct(element, values).length < values.length
}

/** Without elements that are there already, as in any set. Two that are not known may turn out different, and both stay. */
export function distinct(element: Type, values: readonly Value[]): readonly Value[] {
  const seen = new Set<string>()
  return values.filter((value) => {
    const key = canonicalText(element, value)
    if (key.includes(UNKNOWN_TEXT)) return true
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function equalElements(type: Type, a: readonly Value[], b: readonly Value[]): boolean {
  if (type.kind === 'set') {
    const keys = (values: readonly Value[]): string[] => values.map((value) => canonicalText(type.element, value)).sort()
    const others = keys(b)
    return keys(a).every((key, index) => key === others[index])
  }
  return a.every((value, index) => equalValues(memberType(type, index), value, b[index] ?? null))
}

/** The type of an element or attribute. */
export function memberType(type: Type, key: string | number): Type {
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'map':
      return type.element
    case 'tuple':
      return type.elements[Number(key)] ?? { kind: 'dynamic' }
    case 'object':
      return type.attributes.get(String(key)) ?? { kind: 'dynamic' }
    default:
      return { kind: 'dynamic' }
  }
}

/** In no text of a known value: strings are quoted, and quoting leaves no such character. */
const UNKNOWN_TEXT = '\u{0}?'

/** The same text for equal values, other texts for others. */
function canonicalText(type: Type, value: Value): string {
  if (value === null) return '~'
  if (value instanceof Unknown) return UNKNOWN_TEXT
  if (value instanceof Dynamic) return `${canonicalType(value.type)}=${canonicalText(value.type, value.value)}`
  if (value instanceof Decimal) return value.toString()
  if (isArray(value)) {
    const parts = value.map((part, index) => canonicalText(memberType(type, index), part))
    return `[${(type.kind === 'set' ? parts.sort() : parts).join(';')}]`
  }
  if (isMap(value)) {
    const names = [...value.keys()].sort(compareBytes)
    const parts = names.map((name) => {
      const text = canonicalText(memberType(type, name), value.get(name) ?? null)
      return type.kind === 'object' ? text : `${JSON.stringify(name)}:${text}`
    })
    return type.kind === 'object' ? `<${parts.join(';')}>` : `{${parts.join(';')}}`
  }
  return JSON.stringify(value)
}

function canonicalType(type: Type): string {
  if (type.kind !== 'object') return JSON.stringify(typeToJson(type))
  return `{${[...type.attributes]
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([name, of]) => `${JSON.stringify(name)}:${canonicalType(of)}`)
    .join(',')}}`
}

interface Keyed {
  readonly value: Value
  readonly key: string
}

function compareElements(type: Type, a: Keyed, b: Keyed): number {
  const rank = ({ value }: Keyed): number => (value === null ? 2 : value instanceof Unknown ? 1 : 0)
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (a.value instanceof Decimal && b.value instanceof Decimal) return a.value.compare(b.value)
  if (type.kind === 'string' && typeof a.value === 'string' && typeof b.value === 'string') return compareBytes(a.value, b.value)
  return compareBytes(a.key, b.key)
}

/** Go sorts by UTF-8, JavaScript by UTF-16; they differ beyond the basic plane. */
const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
