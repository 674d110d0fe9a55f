import { getOwn, goType, goValue, isJsonObject } from '@weft/api'
import { unclassified } from './unprocessable.ts'

/** What identifies an item of a merged list: its merge key's value, or the scalar itself when there is no key. */
export function identityOf(item: unknown, mergeKey: string): unknown {
  if (mergeKey === '') return item
  if (!isJsonObject(item)) throw unclassified(`expected a map[string]interface {}, but received a ${goTypeName(item)}`)
  if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey)
  return getOwn(item, mergeKey)
}

export const noMergeKey = (item: unknown, mergeKey: string): Error =>
  unclassified(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`)

/** A type as `%s` prints it, which does not know the type of null. */
export const goTypeName = (value: unknown): string => (value === null ? '%!s(<nil>)' : goType(value))

/**
 * Puts merged items in order: those that the patch speaks of as `patchOrder` has them, the server's own as they were,
 * and the two interleaved as they were where that is possible.
 */
export function orderItems(
  merged: readonly unknown[],
  patchOrder: readonly unknown[],
  serverOrder: readonly unknown[],
  mergeKey: string,
): unknown[] {
  const patchRank = ranks(patchOrder, mergeKey)
  const serverRank = ranks(serverOrder, mergeKey)
  const fromPatch: unknown[] = []
  const serverOnly: unknown[] = []
  for (const item of merged) (patchRank.has(identityOf(item, mergeKey)) ? fromPatch : serverOnly).push(item)
  sortByRank(fromPatch, patchRank, mergeKey)
  sortByRank(serverOnly, serverRank, mergeKey)

  const result: unknown[] = []
  let s = 0
  for (const item of fromPatch) {
    const rank = serverRank.get(identityOf(item, mergeKey)) ?? 0
    while (s < serverOnly.length && (serverRank.get(identityOf(serverOnly[s], mergeKey)) ?? rank) < rank) result.push(serverOnly[s++])
    result.push(item)
  }
  return result.concat(serverOnly.slice(s))
}

function ranks(order: readonly unknown[], mergeKey: string): Map<unknown, number> {
  const result = new Map<unknown, number>()
  for (const [index, item] of order.entries()) {
    const identity = identityOf(item, mergeKey)
    if (!result.has(identity)) result.set(identity, index)
  }
  return result
}

function sortByRank(items: unknown[], rank: ReadonlyMap<unknown, number>, mergeKey: string): void {
  const of = (item: unknown): number => rank.get(identityOf(item, mergeKey)) ?? 0
  items.sort((a, b) => of(a) - of(b))
}
