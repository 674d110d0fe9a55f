/**
 * Sees to it that one of several processes leads, by a Lease that the leader renews.
 *
 * - Only whoever holds the lease leads. A candidate takes it when the holder has not renewed it for `leaseDurationMs`
 *   by the candidate's own clock: clocks of different machines are never compared.
 * - A leader that cannot renew for `renewDeadlineMs` stops leading, whatever its requests are doing. That is shorter
 *   than the lease, so that it has stopped before anybody else starts.
 * - `stop` gives the lease up, so that the next one need not wait.
 */
export interface LeaderElector {
  readonly isLeader: boolean
  /** Who holds the lease as far as is known; empty when nobody does. */
  readonly leader: string
  start(): void
  /** Stops leading, then gives the lease up. Idempotent. */
  stop(): Promise<void>
}

export interface LeaderCallbacks {
  /** Leadership begins. `signal` aborts the moment it ends. */
  onStarted(signal: AbortSignal): void
  /** Leadership has ended; must resolve quickly: what it waits for must obey the signal. */
  onStopped(): Promise<void>
}

export interface LeaderElectionOptions {
  readonly namespace: string
  readonly name: string
  /** Unique per process: host name and something random. */
  readonly identity: string
  readonly leaseDurationMs?: number
  readonly renewDeadlineMs?: number
  readonly retryPeriodMs?: number
}
