/**
 * The storage contract: an ordered map from string keys to bytes with one revision counter, as in etcd.
 * It knows bytes, keys and revisions, never kinds. Drivers live in `lmdb/` and `memory/` and pass one conformance suite.
 *
 * Revisions: one counter for the whole store, +1 for every successful write, strictly increasing in commit order.
 * A revision becomes visible (to `get`, `range`, `watch` and `revision`) only once it is durable; nothing that a crash
 * could take back is ever shown. Revisions fit in a double (2^53); they are formatted as decimal strings at the rim.
 *
 * Keys are non-empty strings without U+0000, ordered bytewise by UTF-8, of at most 1024 bytes; values have at most 6 MiB.
 */
export interface Storage {
  /** Highest visible revision; 0 in an empty store. */
  readonly revision: number
  /** Reads and watches at revisions below this one are refused with CompactedError. */
  readonly compactedRevision: number

  /** The visible value. Synchronous: drivers read from memory or a memory map. The bytes are shared: never write to them. */
  get(key: string): Entry | undefined

  /**
   * Entries of `[start, end)` in key order at the visible revision, streamed: values are read as the iterator advances. The
   * iterator is a snapshot taken at the call and can be used once. Finish it or `break` out of it soon: until then it keeps
   * the disk space of later deleted values from being reused.
   */
  range(start: string, end: string, limit?: number): Iterable<Entry>

  /** Like `range`, without the bytes: `read` fetches those of one version. */
  versions(start: string, end: string): Iterable<Version>

  /** The bytes of a version that is live, or was superseded and is not compacted. Shared: never write to them. */
  read(version: Version): Uint8Array

  /** Like `range`, exact as of `revision`. Throws CompactedError or FutureRevisionError. Cost grows with the number of changes since. */
  rangeAt(revision: number, start: string, end: string, limit?: number): Iterable<Entry>

  /**
   * One optimistic write. It takes effect only if the key's latest revision (writes in flight included) is
   * `expected`; 0 = the key must not exist. Otherwise ConflictError, and nothing is written; it comes once the write that
   * stood in the way is durable and visible, however long the disk takes, so that whoever loses can read what it lost to.
   * `value` is called once, synchronously, with the revision that the write gets, so that bytes can carry their own
   * revision; the bytes are the store's from then on. `null` deletes, and needs a revision to delete (not 0).
   * Resolves when the write is durable and visible; concurrent writes share one fsync.
   * Rejects without effect: ConflictError, InvalidWriteError (never retry), WriteFailedError (the disk refused it),
   * StorageUnavailableError (closed or broken), or what `value` threw.
   */
  write(key: string, expected: number, value: ((revision: number) => Uint8Array) | null): Promise<number>

  /**
   * Every change with a revision above `after` whose key starts with `prefix`, in revision order, without gap or
   * repeat, delivered synchronously in batches right after they become visible (and, on the calling tick, the recorded ones first).
   * Throws CompactedError if `after` is older than the history; an `after` in the future is allowed and skips what comes up to it.
   * `onChanges` must not throw. Returns the cancel function.
   * In-process fan-out with bounded queues is built on top (one subscription per resource), so drivers stay simple.
   */
  subscribe(prefix: string, after: number, onChanges: (changes: readonly Change[]) => void): () => void

  /** The last revision that was made at `time` or before, as far back as history goes: at least the compacted one. */
  revisionAt(time: number): number

  /** Drops history up to and including `revision`; live entries stay. Bounded work per tick; resolves when done. */
  compact(revision: number): Promise<void>

  /** Writes a consistent copy of the visible state (with its history) to `file` while the store is in use. */
  backup(file: string): Promise<void>

  /** Bytes on disk or in memory, and counts, for /metrics and the compaction policy. */
  stats(): StorageStats

  /** Waits for writes in flight, then closes. */
  close(): Promise<void>
}

export interface Entry {
  readonly key: string
  readonly value: Uint8Array
  /** Revision of the write that made this value. */
  readonly revision: number
}

/** One version of one key, known by its revision. */
export interface Version {
  readonly key: string
  readonly revision: number
  /** Of its bytes, in bytes. */
  readonly size: number
  /** Of its bytes, in drivers that check what they read; without it they are not checked. */
  readonly checksum?: number | undefined
}

export interface Change {
  readonly type: 'created' | 'updated' | 'deleted'
  readonly key: string
  readonly revision: number
  /** The new value; for `deleted` absent. */
  readonly value?: Uint8Array
  /** The value before; absent for `created`. */
  readonly previous?: Entry
}

export interface StorageStats {
  readonly entries: number
  readonly historyEntries: number
  /** Bytes that only the history needs, roughly: what compacting all of it would give back. */
  readonly historyBytes: number
  /** On disk: the size of the file, which does not shrink (freed pages are used again). */
  readonly bytes: number
  /** Time of the oldest recorded change, in milliseconds since 1970. */
  readonly oldestHistoryTime?: number
}

export class ConflictError extends Error {
  readonly actual: number
  constructor(key: string, expected: number, actual: number) {
    super(`key ${key}: expected revision ${expected}, found ${actual}`)
    this.name = 'ConflictError'
    this.actual = actual
  }
}

export class CompactedError extends Error {
  readonly compactedRevision: number
  constructor(revision: number, compactedRevision: number) {
    super(`revision ${revision} has been compacted; the oldest available is ${compactedRevision}`)
    this.name = 'CompactedError'
    this.compactedRevision = compactedRevision
  }
}

export class FutureRevisionError extends Error {
  constructor(revision: number, current: number) {
    super(`revision ${revision} is in the future; the current one is ${current}`)
    this.name = 'FutureRevisionError'
  }
}
