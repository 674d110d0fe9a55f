import type { KubeObject } from '@weft/api'

/**
 * Tells people what happened to an object (`kubectl describe` shows it). Never blocks and never fails its caller.
 *
 * The same thing happening to the same object again is one Event with a count, written at most every few seconds. An
 * object that has too much to tell is cut short: its further new events are dropped until it has earned some again.
 */
export interface EventRecorder {
  record(object: KubeObject, event: EventDetails): void
  /** What went as it should. */
  normal(object: KubeObject, reason: string, message: string): void
  /** What somebody has to know of. */
  warning(object: KubeObject, reason: string, message: string): void
  /** Writes what waits. Resolves when it is written or given up. */
  flush(): Promise<void>
  /** Flushes, then takes nothing any more. */
  stop(): Promise<void>
  readonly stats: { readonly remembered: number; readonly dropped: number }
}

export interface EventDetails {
  readonly type: 'Normal' | 'Warning'
  /** One word in CamelCase, the same for the same cause: `BoundManagedResource`. */
  readonly reason: string
  /** A sentence. Without secrets: everybody who may read events may read it. */
  readonly message: string
}

export interface EventRecorderOptions {
  /** Who reports: `claimbinding`. */
  readonly component: string
  readonly instance?: string
  /** Repetitions within this time count up one Event; later ones make a new one. */
  readonly windowMs?: number
  /** How long repetitions are gathered before the count is written. */
  readonly gatherMs?: number
  /** New events an object may have at once, and how fast it earns more. */
  readonly burst?: number
  readonly earnMs?: number
}
