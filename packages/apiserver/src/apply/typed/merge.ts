import { getOwn, setOwn } from '@weft/api'
import type { PathElement } from '../fields/element.ts'
import { itemElement } from './list-items.ts'
import { type ListType, type MapType, memberType, type Type } from './type.ts'
import { asList, asMap, isEmptyList, isEmptyMap, type Members, shapeOf } from './value.ts'

/**
 * `left` with what `right` says put over it: leaves are taken from `right`, maps and associative lists are merged, and
 * nothing is removed. Items keep the order of `left` where `right` does not order them otherwise. Unchanged parts are
 * the same references. Throws TypeMismatch.
 */
export function mergeValues(type: Type, left: unknown, right: unknown): unknown {
  if (right === undefined || left === right) return left
  if (left === undefined) return right
  switch (shapeOf(type, right)) {
    case 'map': {
      const map = type.map as MapType
      const l = asMap(left)
      const r = asMap(right)
      return map.atomic || (isEmptyMap(l) && isEmptyMap(r)) ? right : mergeMembers(map, l, r)
    }
    case 'list': {
      const list = type.list as ListType
      const l = asList(left)
      const r = asList(right)
      return list.atomic || (isEmptyList(l) && isEmptyList(r)) ? right : mergeItems(list, l ?? [], r ?? [])
    }
    default:
      return right
  }
}

function mergeMembers(map: MapType, left: Members | undefined, right: Members | undefined): Members | undefined {
  if (left === undefined || right === undefined) return left ?? right
  let result: Record<string, unknown> | undefined
  for (const key of Object.keys(right)) {
    const r = right[key]
    if (r === undefined) continue
    const l = getOwn(left, key)
    const merged = mergeValues(memberType(map, key) ?? {}, l, r)
    if (merged === l) continue
    result ??= { ...left }
    setOwn(result, key, merged)
  }
  return result ?? left
}

/** Items that occur more than once on the left cannot be merged with: `repeated` stands for them. */
const repeated = null

function mergeItems(list: ListType, left: readonly unknown[], right: readonly unknown[]): readonly unknown[] {
  const leftElements = left.map((item) => itemElement(list, item))
  const rightElements = right.map((item) => itemElement(list, item))
  const leftItems = new Map<PathElement, unknown>()
  leftElements.forEach((element, i) => leftItems.set(element, leftItems.has(element) ? repeated : left[i]))
  const rightItems = new Map(rightElements.map((element, i) => [element, right[i]] as const))

  // What both have keeps the order of the right; it is taken only when its turn has come.
  const shared = rightElements.filter((element) => leftItems.has(element))
  let turn = 0
  const taken = new Set<PathElement>()
  const out: unknown[] = []
  const takeMerged = (element: PathElement): void => {
    taken.add(element)
    out.push(mergeValues(list.element, leftItems.get(element), rightItems.get(element)))
  }

  let l = 0
  let r = 0
  while (l < left.length || r < right.length) {
    const ours = leftElements[l]
    const theirs = rightElements[r]
    if (ours !== undefined && theirs !== undefined) {
      if (ours === theirs) {
        takeMerged(ours)
        l++
        r++
        turn++
        continue
      }
      if (rightItems.has(ours) && shared[turn] !== ours) {
        l++
        continue
      }
    }
    if (ours !== undefined) {
      if (!rightItems.has(ours)) {
        out.push(left[l])
        l++
        continue
      }
      if (taken.has(ours)) l++
    }
    if (theirs !== undefined) {
      takeMerged(theirs)
      r++
      if (shared[turn] === theirs) turn++
    }
  }
  return out.length === left.length && out.every((item, index) => item === left[index]) ? left : out
}
