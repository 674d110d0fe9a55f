import type { Change, Entry, Version } from './storage.ts'
import { utf8Length } from './key.ts'

/**
 * What a storage driver has to do; `RevisionedStorage` builds the whole Storage contract on it, once for all drivers.
 *
 *     write ──▶ CommitPipeline ──commit(batch)──▶ Driver (durable)
 *                    │                              │
 *                    └──publish: snapshot() ◀───────┘──▶ Subscriptions, then the callers' promises
 *
 * One commit or compaction step runs at a time: the pipeline never calls `commit` or `compact` before the one before has settled.
 */
export interface Driver {
  /** What the driver found when it was opened. */
  readonly recovered: Recovered
  /**
   * A view of everything committed so far. It stays as it is whatever is committed or compacted later, until its last holder
   * releases it. The caller holds it once.
   */
  snapshot(): Snapshot
  /**
   * Makes all writes of the batch durable, or none. Resolves only when a crash or power loss can no longer take them back.
   * Rejects with WriteFailedError; after code `Broken` no further commit is attempted.
   */
  commit(batch: readonly PendingWrite[], time: number): Promise<void>
  /**
   * One bounded step of compaction: removes log records above `from` and up to (at most) `to`, with the values that they
   * superseded. Durable like a commit. Answers how far it got.
   */
  compact(from: number, to: number): Promise<CompactionStep>
  backup(file: string): Promise<void>
  /** Bytes on disk, or an estimate of those in memory. */
  bytes(): number
  close(): Promise<void>
}

export interface Recovered {
  readonly revision: number
  readonly compactedRevision: number
  readonly entries: number
  readonly historyBytes: number
}

export interface CompactionStep {
  readonly revision: number
  readonly freedBytes: number
}

/** An immutable view of the store as of one commit. */
export interface Snapshot {
  find(key: string): Ref | undefined
  /** In key order. The caller calls `return` when it stops early. */
  refs(start: string, end: string): Iterator<Ref>
  /** Every record with a revision above `after`, in revision order. */
  log(after: number): Iterator<LogRecord>
  /** Of a ref of this snapshot, or of any version that was not compacted when it was taken. */
  read(ref: Ref): Entry
  retain(): void
  release(): void
}

/** Points to one version of one key; `Snapshot.read` fetches the bytes. */
export interface Ref extends Version {
  /** The bytes, where they are at hand anyway: then `read` looks nothing up. */
  readonly value?: Uint8Array
}

export interface LogRecord {
  readonly revision: number
  readonly type: Change['type']
  readonly key: string
  readonly time: number
  readonly current: Ref | undefined
  readonly previous: Ref | undefined
}

/** A write with its revision assigned, on its way to the disk. */
export interface PendingWrite {
  readonly key: string
  readonly revision: number
  readonly type: Change['type']
  readonly value: Uint8Array | undefined
  readonly previous: Ref | undefined
}

// Page and record overhead of one log record, roughly: enough for a bound, which is all that it is used for.
const RECORD_OVERHEAD = 64

/** Bytes that a change adds to history: what compacting it away gives back. */
export function historyCost(key: string, previous: Ref | undefined): number {
  return RECORD_OVERHEAD + utf8Length(key) + (previous?.size ?? 0)
}
