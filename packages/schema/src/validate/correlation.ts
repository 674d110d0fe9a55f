import { deepEqual, getOwn } from '@weft/api'
import type { SchemaNode } from '../node.ts'

/**
 * A new value and the old one it replaces, matched along the schema: properties by name, items of a list of type
 * `map` by their keys, items of other lists not at all. Errors inside a part that did not change are suppressed on
 * update, so that tightening a schema does not make existing objects unwritable.
 */
export class Correlation {
  readonly #node: SchemaNode
  readonly #value: unknown
  readonly #old: unknown
  readonly #children = new Map<string | number, Correlation | undefined>()
  #oldItems: ReadonlyMap<string, unknown> | undefined
  #equal: boolean | undefined

  constructor(node: SchemaNode, value: unknown, old: unknown) {
    this.#node = node
    this.#value = value
    this.#old = old
  }

  property(name: string): Correlation | undefined {
    return this.#child(name, () => {
      if (!isObject(this.#value) || !isObject(this.#old)) return undefined
      const value = getOwn(this.#value, name)
      const old = getOwn(this.#old, name)
      const node = this.#node.property(name) ?? this.#node.additional
      return value === undefined || old === undefined || node === undefined ? undefined : new Correlation(node, value, old)
    })
  }

  item(index: number): Correlation | undefined {
    return this.#child(index, () => {
      const items = this.#node.items
      if (!Array.isArray(this.#value) || !Array.isArray(this.#old) || this.#node.listType !== 'map' || items === undefined) return undefined
      const value: unknown = this.#value[index]
      const key = listKey(value, this.#node.listMapKeys)
      const old = key === undefined ? undefined : this.#oldByKey().get(key)
      return old === undefined ? undefined : new Correlation(items, value, old)
    })
  }

  /** Equal as far as the schema can tell: a part the schema does not describe counts as changed. */
  isUnchanged(): boolean {
    return (this.#equal ??= this.#compare())
  }

  #compare(): boolean {
    const value = this.#value
    const old = this.#old
    if (value === null || old === null) return value === old
    if (Array.isArray(value) !== Array.isArray(old) || isObject(value) !== isObject(old)) return false
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false
      if (this.#node.listType !== 'map') return deepEqual(value, old)
      return value.every((_item, index) => this.item(index)?.isUnchanged() === true)
    }
    if (isObject(value) && isObject(old)) {
      const keys = presentKeys(value)
      return keys.length === presentKeys(old).length && keys.every((key) => this.property(key)?.isUnchanged() === true)
    }
    return value === old
  }

  #child(step: string | number, make: () => Correlation | undefined): Correlation | undefined {
    if (this.#children.has(step)) return this.#children.get(step)
    const child = make()
    this.#children.set(step, child)
    return child
  }

  #oldByKey(): ReadonlyMap<string, unknown> {
    if (this.#oldItems !== undefined) return this.#oldItems
    const items = new Map<string, unknown>()
    for (const item of this.#old as readonly unknown[]) {
      const key = listKey(item, this.#node.listMapKeys)
      if (key !== undefined && !items.has(key)) items.set(key, item)
    }
    return (this.#oldItems = items)
  }
}

function listKey(item: unknown, names: readonly string[]): string | undefined {
  if (!isObject(item) || names.length === 0) return undefined
  let key = ''
  for (const name of names) {
    const value = getOwn(item, name)
    if (value === undefined || value === null || typeof value === 'object') return undefined
    key += `${typeof value === 'bigint' ? 'number' : typeof value}:${JSON.stringify(String(value))},`
  }
  return key
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const presentKeys = (value: Record<string, unknown>): string[] => Object.keys(value).filter((key) => value[key] !== undefined)
