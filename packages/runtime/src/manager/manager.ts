import type { KubeObject, Metrics } from '@weft/api'
import type { Client, Clock, Random, SharedInformers } from '@weft/client'
import type { ControllerSpec } from '../controller/controller.ts'
import type { ControllerEngine } from '../engine/controller-engine.ts'
import type { EventRecorder } from '../events/event-recorder.ts'
import type { LeaderElectionOptions } from '../leader/leader-elector.ts'
import type { Log } from '../log/log.ts'

/**
 * Runs controllers in one process: one set of watches, one pool of workers, one leader.
 *
 * `start` begins at once, or when this process becomes the leader. `stop` begins nothing new, lets reconciles finish for
 * the drain time, aborts the rest, writes the last events and gives the lease up. A leader that loses its lease aborts
 * its reconciles at once (somebody else is about to start) and becomes a candidate again.
 */
export interface Manager {
  readonly client: Client
  readonly informers: SharedInformers
  readonly engine: ControllerEngine
  readonly metrics: Metrics
  readonly log: Log
  /** Shorthand for `engine.start` that does not wait. */
  add<T extends KubeObject>(spec: ControllerSpec<T>): void
  /** A recorder of its own for each controller, stopped with the manager. */
  recorder(component: string): EventRecorder
  readonly isLeader: boolean
  /** Is anything being worked on, or ready to be? What waits for a time to come, or for watches that are not complete, does not count. */
  readonly busy: boolean
  start(): void
  stop(options?: { readonly drainMs?: number }): Promise<void>
  health(): Health
}

export interface Health {
  /** The process works; when not, restarting it may help. */
  readonly live: boolean
  /** All controllers that should run have what they need. */
  readonly ready: boolean
  /** For people: which controller lacks what. */
  readonly problems: readonly string[]
}

export interface ManagerOptions {
  readonly client: Client
  readonly log: Log
  readonly clock?: Clock | undefined
  readonly random?: Random | undefined
  readonly metrics?: Metrics | undefined
  /** Reconciles at a time, over all controllers. */
  readonly workers?: number | undefined
  /** Off unless given: then only the leader reconciles. */
  readonly leaderElection?: LeaderElectionOptions | undefined
  /** Named in events. */
  readonly instance?: string | undefined
}
