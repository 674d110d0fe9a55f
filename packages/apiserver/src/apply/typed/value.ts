import { isJsonObject } from '@weft/api'
import type { Type } from './type.ts'

/** A JSON object, or a whole API object. */
export type Members = Readonly<Record<string, unknown>>

export type Shape = 'map' | 'scalar' | 'list'

/**
 * The shape under which `value` is handled: its own when the type allows that, else the first of map, scalar and list
 * that the type allows (so does null, which fits every type).
 */
export function shapeOf(type: Type, value: unknown): Shape | undefined {
  if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) {
      if (type.list !== undefined) return 'list'
    } else if (type.map !== undefined) return 'map'
  } else if (value !== null && value !== undefined && type.scalar !== undefined) return 'scalar'
  return type.map !== undefined ? 'map' : type.scalar !== undefined ? 'scalar' : type.list !== undefined ? 'list' : undefined
}

/** The keys of a map in an order that makes field elements come sorted (but for characters beyond the BMP). */
export function sortedKeys(map: Members): string[] {
  const keys = Object.keys(map)
  if (keys.length > FEW) return keys.sort()
  // By insertion: the sort of the language copies what it sorts, which for a few keys costs more than sorting them.
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] as string
    let at = i
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string
    keys[at] = key
  }
  return keys
}

const FEW = 16

export const asMap = (value: unknown): Members | undefined => (isJsonObject(value) ? value : undefined)
export const asList = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined)

export function isEmptyMap(map: Members | undefined): boolean {
  if (map !== undefined) for (const key of Object.keys(map)) if (map[key] !== undefined) return false
  return true
}

export const isEmptyList = (list: readonly unknown[] | undefined): boolean => list === undefined || list.length === 0
