/**
 * Keys that need work. Level-triggered: a key is in it once, however often it is added, and says only that something
 * may have changed.
 *
 * - A key that is added while it is being worked on comes back when that is done, never at the same time.
 * - Delayed keys wait outside the queue on one timer, whatever their number; they occupy no worker.
 * - Failures of a key delay it, doubling, until `forget`.
 * - At most `capacity` keys wait for a worker. What does not fit is refused, `overflowed` is remembered, and the owner is asked
 *   to look for work anew once there is room (see WorkQueueOptions.onRoom).
 * - Delayed keys do not count and are never refused: each names an object, so there are no more of them than objects. Where every object is looked at from
 *   time to time, all are always delayed, and room that they took would never come back.
 */
export interface WorkQueue {
  /** False when it did not fit. */
  add(key: string): boolean
  /** Adds the key after a delay, of which a hundredth may be missing. An earlier time wins over a later one. */
  addAfter(key: string, delayMs: number): void
  /** Adds the key after its back-off, which grows with every call until `forget`. Answers the delay. */
  addFailed(key: string): number
  /** The key is fine: its back-off starts over. */
  forget(key: string): void
  failures(key: string): number
  /** The next key to work on; undefined when there is none. Whoever takes a key must call `done` with it. */
  take(): TakenKey | undefined
  done(key: string): void
  readonly stats: QueueStats
  /** Refuses everything from now on and drops what waits. */
  close(): void
}

export interface TakenKey {
  readonly key: string
  /** How long it waited since it was due. */
  readonly waitedMs: number
}

export interface QueueStats {
  readonly ready: number
  readonly delayed: number
  readonly working: number
  /** Keys whose back-off is remembered. */
  readonly failing: number
}
