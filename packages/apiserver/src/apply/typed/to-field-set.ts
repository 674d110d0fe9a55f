import { fieldElement, SELF } from '../fields/element.ts'
import { EMPTY_SET, type FieldSet, LEAF, NodeBuilder } from '../fields/field-set.ts'
import { itemsByElement } from './list-items.ts'
import { isEmptied } from './remove.ts'
import { systemFields, systemMetadata } from './system-fields.ts'
import { type ListType, type MapType, memberType, type Type } from './type.ts'
import { asList, asMap, isEmptyMap, type Members, shapeOf, sortedKeys } from './value.ts'

const nothing: ReadonlySet<string> = new Set()

/**
 * What somebody who applies `object` says: its leaves, list items, map members, and containers left empty on purpose.
 * Declared fields that hold something are not in the set themselves. Throws TypeMismatch.
 */
export function fieldSetOf(type: Type, object: Members): FieldSet {
  return type.map === undefined ? EMPTY_SET : (membersOf(type.map, object, systemFields, true) ?? EMPTY_SET)
}

/** What is below a value; LEAF when the value is itself a leaf, undefined when it says nothing. */
function nodeOf(type: Type, value: unknown): FieldSet | undefined {
  switch (shapeOf(type, value)) {
    case 'map': {
      const map = type.map as MapType
      if (map.atomic) return LEAF
      const members = asMap(value)
      return members && membersOf(map, members, nothing, false)
    }
    case 'list': {
      const list = type.list as ListType
      if (list.atomic) return LEAF
      const items = asList(value)
      return items && itemsOf(list, items)
    }
    case 'scalar':
      return LEAF
    case undefined:
      return undefined
  }
}

function membersOf(map: MapType, members: Members, skip: ReadonlySet<string>, isRoot: boolean): FieldSet | undefined {
  const builder = new NodeBuilder()
  for (const key of sortedKeys(members)) {
    const value = members[key]
    if (value === undefined || skip.has(key)) continue
    const type = memberType(map, key)
    if (type === undefined) continue
    if (isRoot && key === 'metadata') {
      const metadata = asMap(value)
      const node = metadata && type.map && membersOf(type.map, metadata, systemMetadata, false)
      if (node !== undefined) builder.add(fieldElement(key), node)
      continue
    }
    const node = nodeOf(type, value)
    const saysItself =
      value === null || isEmptied(value) || map.field(key) === undefined || (asMap(value) !== undefined && isEmptyMap(asMap(value)))
    if (saysItself) builder.add(fieldElement(key), withSelf(node))
    else if (node !== undefined) builder.add(fieldElement(key), node)
  }
  return builder.finish()
}

function itemsOf(list: ListType, items: readonly unknown[]): FieldSet | undefined {
  const builder = new NodeBuilder()
  for (const [element, same] of itemsByElement(list, items)) {
    builder.add(element, same.length > 1 ? LEAF : withSelf(nodeOf(list.element, same[0])))
  }
  return builder.finish()
}

const withSelf = (node: FieldSet | undefined): FieldSet => (node === undefined || node === LEAF ? LEAF : { [SELF]: LEAF, ...node })
