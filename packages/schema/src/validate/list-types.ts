import { getOwn, setOwn } from '@weft/api'
import { duplicate, invalid } from '../messages.ts'
import type { SchemaNode } from '../node.ts'
import { canonicalJson } from '../values.ts'
import type { Walk } from '../walk.ts'

/** Items of a `set` are unique; items of a `map` are objects with unique keys. Each repeated value is reported once. */
export function checkListType(node: SchemaNode, list: readonly unknown[], walk: Walk): void {
  switch (node.listType) {
    case 'set':
      report(repeated(list), list, walk)
      return
    case 'map':
      checkMap(node, list, walk)
      return
    default:
  }
}

function checkMap(node: SchemaNode, list: readonly unknown[], walk: Walk): void {
  const odd = list.findIndex((item) => item !== null && (typeof item !== 'object' || Array.isArray(item)))
  if (odd >= 0) {
    walk.listErrors.push(invalid(`${walk.structuralPath}[${odd}]`, list[odd], 'must be an object for an array of list-type map'))
    return
  }
  if (list.length < 2 || hasDistinctNames(list, node.listMapKeys)) return
  const keys = list.map((item) => keyOf(item as object | null, node.listMapKeys))
  report(repeated(keys), keys, walk)
}

function report(indices: readonly number[], values: readonly unknown[], walk: Walk): void {
  const path = walk.structuralPath
  for (const index of indices) {
    if (walk.isFull) return
    walk.listErrors.push(duplicate(`${path}[${index}]`, values[index]))
  }
}

/** The common case at little cost: one key, and a different text in each item. */
function hasDistinctNames(list: readonly unknown[], names: readonly string[]): boolean {
  const [name] = names
  if (name === undefined || names.length > 1) return false
  const seen = new Set<unknown>()
  for (const item of list) {
    const value = item === null ? undefined : getOwn(item as object, name)
    if (typeof value !== 'string') return false
    seen.add(value)
  }
  return seen.size === list.length
}

/** The part of the item that identifies it. A key that is not there stays away: two items without it are the same. */
function keyOf(item: object | null, names: readonly string[]): Record<string, unknown> {
  const key: Record<string, unknown> = {}
  for (const name of names) {
    const value = item === null ? undefined : getOwn(item, name)
    if (value !== undefined) setOwn(key, name, value)
  }
  return key
}

/** Indices at which a value occurs for the second time. */
function repeated(list: readonly unknown[]): number[] {
  if (list.length < 2) return []
  const seen = new Map<string, number>()
  const indices: number[] = []
  for (const [index, item] of list.entries()) {
    const key = canonicalJson(item)
    const times = seen.get(key) ?? 0
    seen.set(key, times + 1)
    if (times === 1) indices.push(index)
  }
  return indices
}
