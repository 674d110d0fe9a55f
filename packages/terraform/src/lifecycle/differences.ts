import type { AttributePath } from '../protocol/diagnostic.ts'
import { blockType } from '../schema/block-type.ts'
import type { Block } from '../schema/schema.ts'
import { equalTypes, equalValues, hasDuplicates, memberType } from '../value/compare-values.ts'
import type { Type } from '../value/type.ts'
import { Dynamic, isArray, isMap, isUnknown, type Value } from '../value/value.ts'
import { at, below, under } from './problem.ts'

/** Where a plan changes something; elements of a set have no name, so there it is the set. Empty: nothing is to be done (T89). */
export const differences = (block: Block, prior: Value, planned: Value): readonly AttributePath[] =>
  differing(blockType(block), prior, planned, [])

function differing(type: Type, a: Value, b: Value, path: AttributePath): AttributePath[] {
  // Two unknowns are no equals here: what will be decided may be anything.
  if (isUnknown(b)) return [path]
  if (a instanceof Dynamic && b instanceof Dynamic && equalTypes(a.type, b.type)) return differing(a.type, a.value, b.value, path)
  if (type.kind !== 'set' && isArray(a) && isArray(b) && a.length === b.length)
    return a.flatMap((value, index) => differing(memberType(type, index), value, b[index] ?? null, at(path, index)))
  if (isMap(a) && isMap(b)) {
    const step = (key: string): AttributePath => (type.kind === 'object' ? below(path, key) : under(path, key))
    return [...new Set([...a.keys(), ...b.keys()])].flatMap((key) => {
      if (!a.has(key) || !b.has(key)) return [step(key)]
      return differing(memberType(type, key), a.get(key) ?? null, b.get(key) ?? null, step(key))
    })
  }
  return equalValues(type, a, b) ? [] : [path]
}

/** Sets that hold something twice, which a fault of the framework plans; applying it would lose an element (T190). */
export const duplicatesIn = (block: Block, value: Value): readonly AttributePath[] => duplicated(blockType(block), value, [])

function duplicated(type: Type, value: Value, path: AttributePath): AttributePath[] {
  if (value instanceof Dynamic) return duplicated(value.type, value.value, path)
  if (isArray(value)) {
    if (type.kind === 'set' && hasDuplicates(type.element, value)) return [path]
    return value.flatMap((element, index) => duplicated(memberType(type, index), element, type.kind === 'set' ? path : at(path, index)))
  }
  if (isMap(value))
    return [...value].flatMap(([key, part]) =>
      duplicated(memberType(type, key), part, type.kind === 'object' ? below(path, key) : under(path, key)),
    )
  return []
}
