import { setOwn } from '@weft/api'
import { fieldElement } from '../fields/element.ts'
import { type FieldSet, isMember } from '../fields/field-set.ts'
import { itemElement } from './list-items.ts'
import { type ListType, type MapType, memberType, type Type } from './type.ts'
import { asList, asMap, isEmptyMap, type Members, shapeOf } from './value.ts'

/** Stand for containers that lost everything but are not themselves removed, until settleEmptied. */
const EMPTIED_MAP: Members = Object.freeze({})
const EMPTIED_LIST: readonly unknown[] = Object.freeze([])

export const isEmptied = (value: unknown): boolean => value === EMPTIED_MAP || value === EMPTIED_LIST

/** `value` without the paths in `paths`. The same reference comes back when nothing was there to remove. */
export function removePaths(type: Type, value: unknown, paths: FieldSet): unknown {
  switch (shapeOf(type, value)) {
    case 'map':
      return removeMembers(type.map as MapType, asMap(value), paths) ?? value
    case 'list':
      return removeItems(type.list as ListType, asList(value), paths) ?? value
    default:
      return value
  }
}

function removeMembers(map: MapType, members: Members | undefined, paths: FieldSet): Members | undefined {
  if (members === undefined || map.atomic || isEmptyMap(members)) return members
  let result: Record<string, unknown> | undefined
  for (const key of Object.keys(members)) {
    const node = paths[fieldElement(key)]
    if (node === undefined) continue
    const value = members[key]
    const kept = isMember(node) ? undefined : removePaths(memberType(map, key) ?? {}, value, node)
    if (kept === value) continue
    result ??= { ...members }
    if (kept === undefined) delete result[key]
    else setOwn(result, key, kept)
  }
  if (result === undefined) return members
  return Object.keys(result).length === 0 ? EMPTIED_MAP : result
}

function removeItems(list: ListType, items: readonly unknown[] | undefined, paths: FieldSet): readonly unknown[] | undefined {
  if (items === undefined || list.atomic || items.length === 0) return items
  let changed = false
  const kept: unknown[] = []
  for (const item of items) {
    const node = paths[itemElement(list, item)]
    if (node !== undefined && isMember(node)) {
      changed = true
      continue
    }
    const rest = node === undefined ? item : removePaths(list.element, item, node)
    if (rest !== item) changed = true
    kept.push(rest)
  }
  if (!changed) return items
  return kept.length === 0 ? EMPTIED_LIST : kept
}

/**
 * Decides what becomes of the containers that removePaths emptied. Kubernetes makes them null, which built-in kinds
 * read as absent; the schema of a custom resource may refuse it, and then so do we.
 */
export function settleEmptied(value: unknown, builtIn: boolean): unknown {
  if (Array.isArray(value)) {
    const items = (value as readonly unknown[]).map((item) => (isEmptied(item) ? (builtIn ? {} : null) : settleEmptied(item, builtIn)))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const members = asMap(value)
  if (members === undefined) return value
  let result: Record<string, unknown> | undefined
  for (const key of Object.keys(members)) {
    const member = members[key]
    const kept = !isEmptied(member) ? settleEmptied(member, builtIn) : builtIn ? undefined : null
    if (kept === member) continue
    result ??= { ...members }
    if (kept === undefined) delete result[key]
    else setOwn(result, key, kept)
  }
  return result ?? value
}
