import { SELF } from '../fields/element.ts'
import { type FieldSet, isLeaf, LEAF } from '../fields/field-set.ts'
import { memberType, type Type } from './type.ts'

// A set is checked once against a type; both live as long as the objects and schemas that hold them.
const reconciled = new WeakMap<FieldSet, Type>()

/**
 * Brings a stored set in line with a schema that has since made part of the object atomic: who owned something inside
 * now owns the whole. (A part that became granular needs nothing: its owner keeps the field.)
 */
export function reconcileSet(set: FieldSet, type: Type): FieldSet {
  if (reconciled.get(set) === type) return set
  const result = reconcileMembers(set, type)
  reconciled.set(result, type)
  return result
}

function reconcileNode(node: FieldSet, type: Type): FieldSet {
  if (isLeaf(node)) return node
  // Types of several shapes are told by value, which is not at hand; Kubernetes takes the map, then the scalar.
  if (type.map !== undefined) {
    if (type.map.untyped) return node
    if (type.map.atomic) return LEAF
  } else if (type.scalar !== undefined || type.list === undefined) return node
  else if (type.list.atomic) return LEAF
  return reconcileMembers(node, type)
}

function reconcileMembers(set: FieldSet, type: Type): FieldSet {
  let result: Record<string, FieldSet> | undefined
  for (const element in set) {
    if (element === SELF) continue
    const child =
      element.startsWith('f:') && type.map ? memberType(type.map, element.slice(2)) : type.map ? type.map.element : type.list?.element
    if (child === undefined) continue
    const node = set[element] as FieldSet
    const next = reconcileNode(node, child)
    if (next === node) continue
    result ??= { ...set }
    result[element] = next
  }
  return result ?? set
}
