import type { KubeObject } from '@weft/api'
import { compare, findValues, type TemplateNode } from '../../jsonpath/index.ts'

/** In the order of one field; what lacks it comes first. Stable. */
export function sortByField<T>(items: readonly T[], path: readonly TemplateNode[], objectOf: (item: T) => KubeObject): readonly T[] {
  const keyed = items.map((item) => ({ item, key: findValues(path, objectOf(item))[0] }))
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item)
}

function order(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1
  return compare(a, b) ?? compare(JSON.stringify(a), JSON.stringify(b)) ?? 0
}
