import type { KubeObject } from '@weft/api'
import { findValues, type TemplateNode } from '../../jsonpath/index.ts'

/** In the order of one field; what lacks it comes first. Stable. */
export function sortByField<T>(items: readonly T[], path: readonly TemplateNode[], objectOf: (item: T) => KubeObject): readonly T[] {
  const keyed = items.map((item) => ({ item, key: findValues(path, objectOf(item))[0] }))
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item)
}

function order(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1
  return compare(a, b) ?? compare(JSON.stringify(a), JSON.stringify(b)) ?? 0
}

/** Numbers with numbers, text with text; nothing else has an order. */
function compare(a: unknown, b: unknown): number | undefined {
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  return undefined
}

const isNumeric = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
