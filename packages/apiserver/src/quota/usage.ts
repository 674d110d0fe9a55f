import { formatQuantity, type Quantity, quantityOf, minus, plus, ZERO } from '../kinds/quantity.ts'

/** Amounts by the names that quotas limit: `pods`, `requests.cpu`, `count/widgets.example.org`. */
export type Usage = ReadonlyMap<string, Quantity>

export const NOTHING: Usage = new Map()

/** `spec.hard` and the like, as a client wrote them. */
export const usageOf = (amounts: unknown): Usage =>
  new Map(Object.entries((amounts ?? {}) as Record<string, unknown>).map(([name, amount]) => [name, quantityOf(amount)]))

export function sum(a: Usage, b: Usage): Usage {
  if (b.size === 0) return a
  const result = new Map(a)
  for (const [name, amount] of b) result.set(name, plus(result.get(name) ?? ZERO, amount))
  return result
}

/** `a` without `b`; what `a` does not have counts as zero. */
export function difference(a: Usage, b: Usage): Usage {
  const result = new Map(a)
  for (const [name, amount] of b) result.set(name, minus(result.get(name) ?? ZERO, amount))
  return result
}

/** What grows between two states of an object: what shrinks is given back by counting, not by the write. */
export const growth = (next: Usage, old: Usage): Usage => new Map([...difference(next, old)].filter(([, { nanos }]) => nanos > 0n))

export const masked = (usage: Usage, names: { has(name: string): boolean }): Usage =>
  new Map([...usage].filter(([name]) => names.has(name)))

/** For messages: sorted, `a=1,b=2`. */
export const formatUsage = (usage: Usage): string =>
  [...usage]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, amount]) => `${name}=${formatQuantity(amount)}`)
    .join(',')

/** For `status.used`. */
export const amountsOf = (usage: Usage): Record<string, string> =>
  Object.fromEntries([...usage].map(([name, amount]) => [name, formatQuantity(amount)]))
