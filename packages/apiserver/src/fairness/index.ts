export { createFairQueue, type FairQueue, type FairQueueOptions, type FairQueueStats, type Seat } from './fair-queue.ts'
export { createFairness, type Fairness, type FairnessOptions, type FairRequest } from './fairness.ts'
export type { Timers } from './timers.ts'
