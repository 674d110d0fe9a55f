export { createFairness, type Fairness, type FairnessOptions, type Flow, type FlowControlObjects } from './fairness.ts'
export { FLOW_CONTROL_GROUP, flowControlObjects } from './flow-control-objects.ts'
export type { Timers } from './timers.ts'
