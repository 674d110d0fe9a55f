import { getOwn, isJsonObject } from '@weft/api'
import { elementValue, type PathElement, valueElement } from '../fields/element.ts'
import type { ListType } from './type.ts'

/** A value that does not fit its type in a way that makes ownership impossible to track. */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch'
}

/** How an item of an associative list is addressed. Throws TypeMismatch when it cannot be. */
export function itemElement(list: ListType, item: unknown): PathElement {
  if (list.keys.length === 0) {
    if (item === null) throw new TypeMismatch("associative list without keys has an element that's an explicit null")
    if (Array.isArray(item)) throw new TypeMismatch('not supported: associative list with lists as elements')
    if (typeof item === 'object') throw new TypeMismatch("associative list without keys has an element that's a map type")
    return valueElement(item)
  }
  if (item === null) throw new TypeMismatch('associative list with keys may not have a null element')
  if (!isJsonObject(item)) throw new TypeMismatch('associative list with keys may not have non-map elements')
  let text = ''
  for (const { name, default: fallback } of list.keys) {
    const value = getOwn(item, name) ?? (Object.hasOwn(item, name) ? null : fallback)
    // A key that is neither given nor defaulted is left out: an item that has it is another item.
    if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${elementValue(value)}`
  }
  if (text === '') {
    const names = list.keys.map(({ name }) => JSON.stringify(name)).join(' ')
    throw new TypeMismatch(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    )
  }
  return `k:{${text}}`
}

/** The items of an associative list by element, in order; an item that occurs more than once is listed with all its values. */
export function itemsByElement(list: ListType, items: readonly unknown[]): Map<PathElement, unknown[]> {
  const result = new Map<PathElement, unknown[]>()
  for (let i = 0; i < items.length; i++) {
    const element = itemElement(list, items[i])
    const known = result.get(element)
    if (known === undefined) result.set(element, [items[i]])
    else known.push(items[i])
  }
  return result
}
