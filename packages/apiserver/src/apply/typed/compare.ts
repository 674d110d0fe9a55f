import { deepEqual, getOwn } from '@weft/api'
import { fieldElement, type PathElement, SELF } from '../fields/element.ts'
import { EMPTY_SET, type FieldSet, LEAF, NodeBuilder } from '../fields/field-set.ts'
import { itemsByElement } from './list-items.ts'
import { systemFields, systemMetadata } from './system-fields.ts'
import { type ListType, type MapType, memberType, type Type } from './type.ts'
import { asList, asMap, isEmptyList, isEmptyMap, type Members, type Shape, shapeOf, sortedKeys } from './value.ts'

/** What changed from one object to another. No path is in more than one of the sets. */
export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

export const NO_CHANGE: Comparison = { added: EMPTY_SET, modified: EMPTY_SET, removed: EMPTY_SET }

/** A comparison below some path; an absent set is empty. */
interface Diff {
  added?: FieldSet | undefined
  modified?: FieldSet | undefined
  removed?: FieldSet | undefined
}

const nothing: ReadonlySet<string> = new Set()
const noObject: Members = Object.freeze({})

/**
 * Compares two objects of one type, leaving out what nobody can own. Parts that are the same reference are not
 * walked, so the cost follows the change, not the object. Throws TypeMismatch.
 */
export function compareObjects(type: Type, live: Members, next: Members): Comparison {
  if (type.map === undefined) return NO_CHANGE
  const builder = new DiffBuilder()
  compareMembers(type.map, live, next, builder, systemFields, true)
  const { added, modified, removed } = builder.finish()
  return { added: added ?? EMPTY_SET, modified: modified ?? EMPTY_SET, removed: removed ?? EMPTY_SET }
}

function compareValues(type: Type, left: unknown, right: unknown): Diff | undefined {
  if (left === right) return undefined
  const leftShape = shapeOf(type, left)
  const rightShape = shapeOf(type, right)
  if (leftShape === rightShape) return rightShape && compareAs(rightShape, type, left, right)
  // The value changed its shape: what was below is gone, and what is below now is new.
  const gone = leftShape && compareAs(leftShape, type, left, right)
  const come = rightShape && compareAs(rightShape, type, left, right)
  if (gone === undefined || come === undefined) return gone ?? come
  return { added: come.added ?? gone.added, modified: come.modified ?? gone.modified, removed: come.removed ?? gone.removed }
}

function compareAs(shape: Shape, type: Type, left: unknown, right: unknown): Diff | undefined {
  if (shape === 'map') {
    const map = type.map as MapType
    const l = asMap(left)
    const r = asMap(right)
    if (!map.atomic && !(isEmptyMap(l) && isEmptyMap(r))) {
      const builder = new DiffBuilder()
      compareMembers(map, l ?? noObject, r ?? noObject, builder, nothing, false)
      return builder.finishOrNothing()
    }
  } else if (shape === 'list') {
    const list = type.list as ListType
    const l = asList(left)
    const r = asList(right)
    if (!list.atomic && !(isEmptyList(l) && isEmptyList(r))) return compareItems(list, l ?? [], r ?? [])
  }
  return deepEqual(left, right) ? undefined : { modified: LEAF }
}

function compareMembers(map: MapType, left: Members, right: Members, out: DiffBuilder, skip: ReadonlySet<string>, isRoot: boolean): void {
  const rightKeys = Object.keys(right)
  let common = 0
  for (const key of Object.keys(left)) {
    const l = left[key]
    if (l === undefined) continue
    // Nothing that Object.prototype has equals a JSON value, so an equal member is an own one.
    if (right[key] === l) {
      common++
      continue
    }
    const r = getOwn(right, key)
    if (r !== undefined) common++
    if (!skip.has(key)) compareMember(map, key, l, r, out, isRoot)
  }
  if (common === rightKeys.length) return
  for (const key of rightKeys) {
    const r = right[key]
    if (r === undefined || skip.has(key)) continue
    if (getOwn(left, key) === undefined) compareMember(map, key, undefined, r, out, isRoot)
  }
}

function compareMember(map: MapType, key: string, left: unknown, right: unknown, out: DiffBuilder, isRoot: boolean): void {
  const field = map.field(key)
  const type = field?.type ?? map.element
  if (type === undefined) return
  if (isRoot && key === 'metadata') {
    const builder = new DiffBuilder()
    compareMembers(type.map as MapType, asMap(left) ?? noObject, asMap(right) ?? noObject, builder, systemMetadata, false)
    out.add(fieldElement(key), builder.finishOrNothing())
    return
  }
  const zero = field?.alwaysPresent
  out.add(fieldElement(key), compareChild(type, left === undefined ? zero : left, right === undefined ? zero : right))
}

function compareChild(type: Type, left: unknown, right: unknown): Diff | undefined {
  if (left === undefined) return { added: everyPath(type, right) }
  if (right === undefined) return { removed: everyPath(type, left) }
  return compareValues(type, left, right)
}

function compareItems(list: ListType, left: readonly unknown[], right: readonly unknown[]): Diff | undefined {
  if (left.length === right.length && left.every((item, index) => item === right[index])) return undefined
  const before = itemsByElement(list, left)
  const after = itemsByElement(list, right)
  const out = new DiffBuilder()
  for (const [element, was] of before) compareItem(list.element, element, was, after.get(element), out)
  for (const [element, is] of after) if (!before.has(element)) compareItem(list.element, element, undefined, is, out)
  return out.finishOrNothing()
}

/** Items that share an element are owned together, as one leaf. */
function compareItem(type: Type, element: PathElement, was: unknown[] | undefined, is: unknown[] | undefined, out: DiffBuilder): void {
  const manyWere = was !== undefined && was.length > 1
  const manyAre = is !== undefined && is.length > 1
  if (manyWere && manyAre) {
    if (!deepEqual(was, is)) out.add(element, { modified: LEAF })
  } else if (manyWere) {
    out.add(element, { removed: LEAF, added: is && everyPath(type, is[0]) })
  } else if (manyAre) {
    out.add(element, { added: LEAF, removed: was && everyPath(type, was[0]) })
  } else {
    out.add(element, compareChild(type, was?.[0], is?.[0]))
  }
}

/** Every path of a value that came or went as a whole, containers included. */
function everyPath(type: Type, value: unknown): FieldSet {
  const shape = shapeOf(type, value)
  if (shape === 'map') {
    const map = type.map as MapType
    const members = asMap(value)
    if (members === undefined || map.atomic) return LEAF
    let builder: NodeBuilder | undefined
    for (const key of sortedKeys(members)) {
      const member = members[key]
      const child = member === undefined ? undefined : memberType(map, key)
      if (child === undefined) continue
      if (builder === undefined) {
        builder = new NodeBuilder()
        builder.add(SELF, LEAF)
      }
      builder.add(fieldElement(key), everyPath(child, member))
    }
    if (builder === undefined) return LEAF
    for (const key of map.zeroFields) if (getOwn(members, key) === undefined) builder.add(fieldElement(key), LEAF)
    return builder.finish() ?? LEAF
  }
  if (shape === 'list') {
    const list = type.list as ListType
    const items = asList(value)
    if (items === undefined || list.atomic || items.length === 0) return LEAF
    const builder = new NodeBuilder()
    builder.add(SELF, LEAF)
    for (const [element, same] of itemsByElement(list, items)) {
      builder.add(element, same.length > 1 ? LEAF : everyPath(list.element, same[0]))
    }
    return builder.finish() ?? LEAF
  }
  return LEAF
}

class DiffBuilder {
  #added: NodeBuilder | undefined
  #modified: NodeBuilder | undefined
  #removed: NodeBuilder | undefined

  add(element: PathElement, diff: Diff | undefined): void {
    if (diff === undefined) return
    if (diff.added !== undefined) (this.#added ??= new NodeBuilder()).add(element, diff.added)
    if (diff.modified !== undefined) (this.#modified ??= new NodeBuilder()).add(element, diff.modified)
    if (diff.removed !== undefined) (this.#removed ??= new NodeBuilder()).add(element, diff.removed)
  }

  finish(): Diff {
    return { added: this.#added?.finish(), modified: this.#modified?.finish(), removed: this.#removed?.finish() }
  }

  finishOrNothing(): Diff | undefined {
    return this.#added === undefined && this.#modified === undefined && this.#removed === undefined ? undefined : this.finish()
  }
}
