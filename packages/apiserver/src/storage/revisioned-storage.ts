import { CommitPipeline } from './commit-pipeline.ts'
import type { PipelineLimits } from './commit-pipeline.ts'
import { historyCost } from './driver.ts'
import type { Driver, PendingWrite, Snapshot } from './driver.ts'
import { StorageUnavailableError } from './errors.ts'
import { refsAt } from './refs-at.ts'
import { checkBound, mayExist } from './key.ts'
import { RangeIterator } from './range-iterator.ts'
import { CompactedError, FutureRevisionError } from './storage.ts'
import type { Change, Entry, Storage, StorageStats, Version } from './storage.ts'
import { Subscriptions } from './subscriptions.ts'

export interface RevisionedStorageOptions {
  /** Milliseconds since 1970, recorded with every change. */
  readonly now?: () => number
  readonly limits?: PipelineLimits
}

/** The Storage contract over any Driver. */
export class RevisionedStorage implements Storage {
  readonly #driver: Driver
  readonly #pipeline: CommitPipeline
  readonly #subscriptions = new Subscriptions()
  readonly #backups = new Set<Promise<void>>()
  readonly #now: () => number
  #snapshot: Snapshot
  #compactedRevision: number
  #entries: number
  #historyBytes: number
  #closed: Promise<void> | undefined
  #compaction: Promise<void> = Promise.resolve()

  constructor(driver: Driver, options: RevisionedStorageOptions = {}) {
    const { revision, compactedRevision, entries, historyBytes } = driver.recovered
    this.#driver = driver
    this.#now = options.now ?? Date.now
    this.#snapshot = driver.snapshot()
    this.#compactedRevision = compactedRevision
    this.#entries = entries
    this.#historyBytes = historyBytes
    const target = {
      find: (key: string) => this.#snapshot.find(key),
      commit: (batch: readonly PendingWrite[]) => driver.commit(batch, this.#now()),
      publish: (batch: readonly PendingWrite[]) => this.#publish(batch),
    }
    this.#pipeline = new CommitPipeline(target, revision, options.limits)
  }

  get revision(): number {
    return this.#pipeline.visible
  }

  get compactedRevision(): number {
    return this.#compactedRevision
  }

  get(key: string): Entry | undefined {
    this.#requireOpen()
    if (!mayExist(key)) return undefined
    const ref = this.#snapshot.find(key)
    return ref && this.#snapshot.read(ref)
  }

  range(start: string, end: string, limit: number = Infinity): Iterable<Entry> {
    this.#requireOpen()
    checkBound(start)
    checkBound(end)
    const snapshot = this.#snapshot
    return new RangeIterator(snapshot, () => snapshot.refs(start, end), limit)
  }

  *versions(start: string, end: string): Iterable<Version> {
    this.#requireOpen()
    checkBound(start)
    checkBound(end)
    const snapshot = this.#snapshot
    snapshot.retain()
    const refs = snapshot.refs(start, end)
    try {
      for (let next = refs.next(); !next.done; next = refs.next()) yield next.value
    } finally {
      refs.return?.()
      snapshot.release()
    }
  }

  read(version: Version): Uint8Array {
    this.#requireOpen()
    return this.#snapshot.read(version).value
  }

  rangeAt(revision: number, start: string, end: string, limit: number = Infinity): Iterable<Entry> {
    this.#requireOpen()
    checkBound(start)
    checkBound(end)
    if (revision > this.revision) throw new FutureRevisionError(revision, this.revision)
    this.#requireHistory(revision)
    const snapshot = this.#snapshot
    return new RangeIterator(snapshot, refsAt(snapshot, revision, start, end), limit)
  }

  write(key: string, expected: number, value: ((revision: number) => Uint8Array) | null): Promise<number> {
    return this.#pipeline.write(key, expected, value)
  }

  subscribe(prefix: string, after: number, onChanges: (changes: readonly Change[]) => void): () => void {
    this.#requireOpen()
    this.#requireHistory(after)
    return this.#subscriptions.add(prefix, after, onChanges, this.#snapshot, this.revision)
  }

  revisionAt(time: number): number {
    // Revisions follow time: half of what is left is ruled out by each look.
    let [before, after] = [this.#compactedRevision, this.revision + 1]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if ((this.#timeOf(middle) ?? Infinity) <= time) before = middle
      else after = middle
    }
    return before
  }

  compact(revision: number): Promise<void> {
    if (revision > this.revision) return Promise.reject(new FutureRevisionError(revision, this.revision))
    // One after the other: a second call finds done what the first one did.
    const compaction = this.#compaction.then(() => this.#compactTo(revision))
    this.#compaction = compaction.catch(() => {})
    return compaction
  }

  async backup(file: string): Promise<void> {
    this.#requireOpen()
    const backup = this.#driver.backup(file)
    this.#backups.add(backup)
    await backup.finally(() => this.#backups.delete(backup))
  }

  stats(): StorageStats {
    this.#requireOpen()
    const oldest = this.#timeOf(this.#compactedRevision + 1)
    return {
      entries: this.#entries,
      historyEntries: this.revision - this.#compactedRevision,
      historyBytes: this.#historyBytes,
      bytes: this.#driver.bytes(),
      ...(oldest !== undefined && { oldestHistoryTime: oldest }),
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  /** Runs `run` while no commit is in flight. */
  protected exclusively(run: () => Promise<void>): Promise<void> {
    return this.#pipeline.exclusive(run)
  }

  async #close(): Promise<void> {
    await this.#pipeline.close()
    await Promise.allSettled(this.#backups)
    this.#subscriptions.clear()
    this.#snapshot.release()
    await this.#driver.close()
  }

  #publish(batch: readonly PendingWrite[]): void {
    for (const { type, key, previous } of batch) {
      if (type === 'created') this.#entries++
      if (type === 'deleted') this.#entries--
      this.#historyBytes += historyCost(key, previous)
    }
    this.#renewSnapshot()
    this.#subscriptions.dispatch(batch, this.#snapshot)
  }

  async #compactTo(revision: number): Promise<void> {
    while (this.#compactedRevision < revision) {
      await this.#pipeline.exclusive(async () => {
        const step = await this.#driver.compact(this.#compactedRevision, revision)
        this.#compactedRevision = step.revision
        this.#historyBytes -= step.freedBytes
        this.#renewSnapshot()
      })
    }
  }

  // Nothing commits between the end of one commit and this call (see Driver), so the view is exactly that of the published batch.
  #renewSnapshot(): void {
    const old = this.#snapshot
    this.#snapshot = this.#driver.snapshot()
    old.release()
  }

  /** When a revision that is in history was made. */
  #timeOf(revision: number): number | undefined {
    const records = this.#snapshot.log(revision - 1)
    const first = records.next()
    records.return?.()
    return first.done ? undefined : first.value.time
  }

  #requireOpen(): void {
    if (this.#closed) throw new StorageUnavailableError('Closed')
  }

  #requireHistory(revision: number): void {
    if (revision < this.#compactedRevision) throw new CompactedError(revision, this.#compactedRevision)
  }
}
