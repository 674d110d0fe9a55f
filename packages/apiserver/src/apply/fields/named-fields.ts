import { SELF } from './element.ts'
import { type FieldSet, isLeaf, isMember, LEAF } from './field-set.ts'
import { memberType, type Type } from '../typed/type.ts'

/**
 * `set` with every declared field that leads to a member added: whoever owns all of a struct's fields and gives them
 * up gives up the struct too. Members of maps are not added, they have owners of their own, nor is an object's
 * `metadata`, which nobody can give up.
 */
export function withNamedFields(set: FieldSet, type: Type): FieldSet {
  return nameFields(set, type, true)
}

function nameFields(set: FieldSet, type: Type | undefined, isRoot: boolean): FieldSet {
  let result: Record<string, FieldSet> | undefined
  for (const element in set) {
    const node = set[element] as FieldSet
    if (isLeaf(node)) continue
    const isField = element.startsWith('f:')
    const name = element.slice(2)
    const child = isField ? type?.map && memberType(type.map, name) : element.startsWith('k:') ? type?.list?.element : undefined
    let grown = nameFields(node, child, false)
    if (isField && !(isRoot && name === 'metadata') && type?.map?.field(name) !== undefined && !isMember(grown))
      grown = { [SELF]: LEAF, ...grown }
    if (grown === node) continue
    result ??= { ...set }
    result[element] = grown
  }
  return result ?? set
}
