import { getOwn, type KubeObject } from '@weft/api'
import type { Random } from '@weft/client'

/** How much more often a class is chosen than one without; off unless a class of the kind sets it. */
export const WEIGHT = 'resourceclass.crossplane.io/weight'

export interface Pick<T> {
  readonly chosen: T
  /** How long to hold the choice back before writing it: in [0, jitterMs). */
  readonly delayMs: number
}

/**
 * One of the candidates of one kind, and how long to wait before saying so.
 *
 * Schedulers of different kinds decide independently, and the first to write wins (S10). Without weights each kind waits for a uniform time, so
 * each wins equally often whatever its number of candidates (S12), and within a kind each candidate is equally likely (S7). A kind with weights counts
 * as much as the sum of them: the least of several times drawn as `1 - u^(1/w)` is the one of weight w with probability w / sum, so
 * kinds share out claims by weight without talking to each other. With weight 1 that is the uniform time again.
 */
export function pick<T extends KubeObject>(
  candidates: readonly T[],
  { random, jitterMs }: { random: Random; jitterMs: number },
): Pick<T> | undefined {
  const weighted = candidates.some(hasWeight)
  const lots = candidates.map((candidate) => ({ candidate, weight: weighted ? weightOf(candidate) : 1 }))
  const total = lots.reduce((sum, { weight }) => sum + weight, 0)
  const chosen = draw(lots, random() * total)
  const share = weighted ? total : 1
  return chosen && { chosen, delayMs: jitterMs * (1 - (1 - random()) ** (1 / share)) }
}

function draw<T>(lots: readonly { readonly candidate: T; readonly weight: number }[], at: number): T | undefined {
  let left = at
  for (const { candidate, weight } of lots) {
    left -= weight
    if (left < 0) return candidate
  }
  return lots.findLast(({ weight }) => weight > 0)?.candidate
}

const annotationOf = ({ metadata }: KubeObject): unknown => getOwn(metadata.annotations ?? {}, WEIGHT)
const hasWeight = (candidate: KubeObject): boolean => annotationOf(candidate) !== undefined

/** A positive number; 0 is never chosen while others are there. What is not a number counts as not set. */
function weightOf(candidate: KubeObject): number {
  const text = annotationOf(candidate)
  const weight = typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN
  return Number.isFinite(weight) && weight >= 0 ? Math.min(weight, 1e6) : 1
}
