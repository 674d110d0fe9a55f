import type { DelayClass } from '../../catalogue/simulated-kind.ts'

export type Operation = 'create' | 'update' | 'delete'

/** How long an operation takes, in milliseconds. */
export type Delays = (delay: DelayClass, operation: Operation) => number

export const fixedDelays =
  (millis: number): Delays =>
  () =>
    millis

/** What such an operation takes in a real cloud, roughly: a subnetwork is there at once, a cluster after minutes. */
const REAL_MILLIS: Record<DelayClass, number> = { instant: 0, fast: 5_000, medium: 60_000, slow: 300_000 }
const SHARE: Record<Operation, number> = { create: 1, update: 0.4, delete: 0.5 }

/** Realistic proportions, `speed` times as fast as reality, each up to 20 % off. `random` answers in [0, 1). */
export const realisticDelays =
  (speed: number, random: () => number): Delays =>
  (delay, operation) =>
    Math.round(((REAL_MILLIS[delay] * SHARE[operation]) / speed) * (0.8 + 0.4 * random()))
