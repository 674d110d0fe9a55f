/** Kubernetes' limits on expressions in CustomResourceDefinitions. */
export const STATIC_COST_LIMIT = 10_000_000n
/** All expressions of one schema together. */
export const STATIC_TOTAL_LIMIT = 100_000_000n
/** One evaluation of one rule. */
export const PER_CALL_LIMIT = 1_000_000
/** All evaluations for one object. */
export const OBJECT_BUDGET = 10_000_000
export const MAX_MESSAGE_BYTES: number = 5 * 1024
/** One expression of a policy, and all match conditions of one webhook together. */
export const MATCH_CONDITIONS_BUDGET: number = 2_500_000

/** Why an expression is refused: how far over the limit it is, and what would help. */
export function costMessage(what: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit)
  const shown = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`
}
