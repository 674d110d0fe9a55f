import { NANO, parseQuantity } from '@weft/api'

/** A Kubernetes quantity (`10Gi`, `500m`, `1e3`) as a number; undefined when the text is none, or is more than a number can hold. */
export function quantityAsNumber(text: string): number | undefined {
  const nanos = parseQuantity(text)
  if (typeof nanos !== 'bigint') return undefined
  // A whole number keeps every digit that a number can hold; the billionths of a large one would not fit.
  const value = nanos % NANO === 0n ? Number(nanos / NANO) : Number(nanos) / Number(NANO)
  return Number.isFinite(value) ? value : undefined
}
