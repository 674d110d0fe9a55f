export { createFairQueue, type FairQueueOptions } from './fair-queue.ts'
export { createFairness, type FairnessOptions, type Flow } from './fairness.ts'
export { FLOW_CONTROL_GROUP, flowControlObjects } from './flow-control-objects.ts'
export type { Timers } from './timers.ts'
