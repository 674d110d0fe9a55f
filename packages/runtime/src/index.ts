/**
 * What runs a controller: queues that give each object to one worker at a time, watches that come and go, back-off, leader election, events, metrics.
 * Knows requests and results, never what they are about.
 */
export {
  type ControllerSpec,
  done,
  type Known,
  type Mapper,
  type Patience,
  type Predicate,
  type Reconcile,
  type ReconcileContext,
  type Request,
  requeueAfter,
  type Result,
  type SharedWatchSpec,
  TerminalError,
  underWay,
  watch,
  type WatchSpec,
} from './controller/controller.ts'
export { need, type Need } from './controller/needs.ts'
export { requestFor, toIndexed, toLabelled, toOwner } from './controller/mappers.ts'
export {
  allOf,
  annotationsChanged,
  anyOf,
  deletionChanged,
  generationChanged,
  labelsChanged,
  specOrMetadataChanged,
} from './controller/predicates.ts'
export { type ControllerServices, ReconcileTimeoutError, runController, type RunningController } from './controller/run-controller.ts'
export { type ControllerEngine, createControllerEngine } from './engine/controller-engine.ts'
export { createEventRecorder, type RecorderServices } from './events/create-event-recorder.ts'
export type { EventDetails, EventRecorder, EventRecorderOptions } from './events/event-recorder.ts'
export { createLeaderElector, type LeaderServices } from './leader/create-leader-elector.ts'
export type { LeaderCallbacks, LeaderElectionOptions, LeaderElector } from './leader/leader-elector.ts'
export { createLog, type LogOptions, silentLog } from './log/create-log.ts'
export { humanFields, humanLog, jsonLog, type LineWriter } from './log/formats.ts'
export type { Log, LogFields, LogLevel, LogRecord, LogSink, LogValue } from './log/log.ts'
export { describeError } from './log/safe-fields.ts'
export { actingAs } from './manager/acting-as.ts'
export { createManager } from './manager/create-manager.ts'
export type { Health, Manager, ManagerOptions } from './manager/manager.ts'
export { createWatchSet, type WatchScope, type WatchSet } from './watches/watch-set.ts'
export { createWorkQueue, type WorkQueueOptions } from './queue/create-work-queue.ts'
export { createWorkerPool, type PoolMember, type WorkerPool, type WorkSource } from './queue/worker-pool.ts'
export type { QueueStats, TakenKey, WorkQueue } from './queue/work-queue.ts'
