import { CelCostExceeded } from './fault.ts'

/**
 * Elements that comparisons have looked at in the evaluation under way. Kubernetes charges for the outermost list only,
 * and a few steps build a list of lists with 2^40 leaves: comparing two of those must not stop the server. Evaluation is
 * synchronous, so one counter serves all.
 */
export const work = { done: 0 }

/** Up to here comparisons cost what they cost in Kubernetes. */
const FREE = 10_000
const MAX_COMPARED = 1_000_000

export function compareElements(count: number): void {
  work.done += count
  if (work.done > MAX_COMPARED) throw new CelCostExceeded(work.done)
}

export const workCost = (): number => (work.done > FREE ? work.done : 0)
