import { statfsSync, statSync } from 'node:fs'
import { historyCost } from '../driver.ts'
import type { CompactionStep, Driver, PendingWrite, Recovered, Ref, Snapshot } from '../driver.ts'
import { WriteFailedError } from '../errors.ts'
import { MAX_READERS } from './environment.ts'
import type { Environment } from './environment.ts'
import { LmdbSnapshot } from './lmdb-snapshot.ts'
import { checksumOf, decodeCompacted, decodeLive, encodeCompacted, encodeLive, RecordWriter, weightOf } from './record.ts'
import type { Live, LoggedChange, Version } from './record.ts'
import { decodeRestored, RESTORED, type Restored } from './restored.ts'

// A step holds writes back for some milliseconds.
const COMPACTION_STEP = 1000

// Longer than any request may take.
const SNAPSHOT_MAX_AGE_MS = 5 * 60_000
const MAX_SNAPSHOTS = MAX_READERS - 24

/** What gives this process the right to the data directory. */
export interface Hold {
  /** False once another process has taken over. */
  isHeld(): boolean
  /** Called after closing. */
  release(): void
}

/** Commits to, and reads from, one open LMDB environment. Who may open it and what is in it is the concern of `open.ts`. */
export class LmdbDriver implements Driver {
  readonly recovered: Recovered
  readonly #environment: Environment
  readonly #file: string
  readonly #copy: (file: string) => Promise<void>
  readonly #hold: Hold
  readonly #snapshots = new Set<LmdbSnapshot>()
  #current: LmdbSnapshot | undefined
  #cumulativeCost: number
  #compactedCost: number
  #live: Live

  /** `copy` makes the backup. */
  constructor(environment: Environment, file: string, copy: (file: string) => Promise<void>, hold: Hold) {
    this.#environment = environment
    this.#file = file
    this.#copy = copy
    this.#hold = hold
    const compacted = recoverCompacted(environment)
    const last = lastChange(environment)
    this.#live = decodeLive(environment.meta.get('live'))
    this.#cumulativeCost = last?.change.cumulativeCost ?? compacted.cumulativeCost
    this.#compactedCost = compacted.cumulativeCost
    this.recovered = {
      revision: last?.revision ?? compacted.revision,
      compactedRevision: compacted.revision,
      entries: this.#live.entries,
      historyBytes: this.#cumulativeCost - this.#compactedCost,
    }
  }

  snapshot(): Snapshot {
    const now = performance.now()
    if (this.#current) this.#current.supersededAt = now
    this.#expireSnapshots(now)
    const snapshot = new LmdbSnapshot(this.#environment, (ended) => this.#snapshots.delete(ended))
    this.#snapshots.add(snapshot)
    this.#current = snapshot
    return snapshot
  }

  async commit(batch: readonly PendingWrite[], time: number): Promise<void> {
    const { keys, log, values, meta } = this.#environment
    const records = new RecordWriter(batch)
    let cumulativeCost = this.#cumulativeCost
    let { entries, sum } = this.#live
    await this.#transact(() => {
      for (const { key, revision, type, value, previous } of batch) {
        cumulativeCost += historyCost(key, previous)
        const before = previous && versionOf(previous)
        const after = value && { revision, size: value.byteLength, checksum: checksumOf(key, value) }
        log.put(revision, records.logged({ type, key, time, cumulativeCost, ...loggedVersions(before, after) }))
        if (before) {
          entries--
          sum -= weightOf(key, before)
        }
        if (value && after) {
          entries++
          sum += weightOf(key, after)
          values.put(revision, value)
          keys.put(key, records.version(after))
        } else {
          keys.remove(key)
        }
      }
      meta.put('live', encodeLive({ entries, sum: sum >>> 0 }))
    })
    this.#cumulativeCost = cumulativeCost
    this.#live = { entries, sum: sum >>> 0 }
  }

  async compact(from: number, to: number): Promise<CompactionStep> {
    const { log, values, meta } = this.#environment
    const revision = Math.min(to, from + COMPACTION_STEP)
    // Outside of a snapshot: this is the only writer, and no commit is in flight.
    const changes = Array.from(log.getRange({ start: from + 1, end: revision + 1 }))
    const cumulativeCost = changes.at(-1)?.value.cumulativeCost ?? this.#compactedCost
    await this.#transact(() => {
      for (const { key, value } of changes) {
        log.remove(key)
        // No view at or after `revision`, and no change after it, can see a version that was superseded by then.
        if (value.previousRevision > 0) values.remove(value.previousRevision)
      }
      meta.put('compacted', encodeCompacted({ revision, cumulativeCost }))
    })
    const freedBytes = cumulativeCost - this.#compactedCost
    this.#compactedCost = cumulativeCost
    return { revision, freedBytes }
  }

  get restored(): Restored | undefined {
    return decodeRestored(this.#environment.meta.get(RESTORED))
  }

  forgetRestored(): Promise<void> {
    return this.#transact(() => this.#environment.meta.remove(RESTORED))
  }

  backup(file: string): Promise<void> {
    return this.#copy(file)
  }

  bytes(): number {
    return statSync(this.#file).size
  }

  async close(): Promise<void> {
    for (const snapshot of this.#snapshots) snapshot.dispose('Closed')
    await this.#environment.root.close()
    this.#hold.release()
  }

  /** An iterator that somebody forgot, or reads too slowly, must not fill the disk or the table of readers. Oldest first. */
  #expireSnapshots(now: number): void {
    for (const snapshot of this.#snapshots) {
      const expired = snapshot.supersededAt !== undefined && now - snapshot.supersededAt > SNAPSHOT_MAX_AGE_MS
      if (!expired && this.#snapshots.size < MAX_SNAPSHOTS) return
      snapshot.dispose('IteratorExpired')
    }
  }

  /**
   * Up to the write of the meta page, which comes last, a failed commit leaves nothing behind: LMDB gives the transaction up, and the
   * next one writes all of its pages anew. If the meta page itself could not be written, LMDB refuses every further transaction,
   * and a batch would wait for ever: the empty transaction finds that out.
   */
  #classify(cause: unknown): WriteFailedError {
    try {
      this.#environment.root.transactionSync(() => {})
    } catch {
      return new WriteFailedError('Broken', cause)
    }
    const code = (cause as { code?: number }).code ?? 0
    // LMDB reports a write that was cut short, as the last one on a full disk is, as an I/O error.
    const full = NO_SPACE.has(code) || (code === EIO && freeBytes(this.#file) < LITTLE_SPACE)
    return new WriteFailedError(full ? 'DiskFull' : 'Failed', cause)
  }

  async #transact(operations: () => void): Promise<void> {
    try {
      await this.#environment.root.batch(operations)
    } catch (error) {
      throw this.#classify(await commitError(error))
    }
    // After the commit: whoever takes over copies what was committed by then. What was committed later is nobody's, and is not
    // acknowledged either; there is no moment in between.
    if (!this.#hold.isHeld()) throw new WriteFailedError('Superseded', 'another process has taken over the data directory')
  }
}

/** A version that is still in flight has its bytes, and no checksum yet. */
function versionOf({ key, revision, size, checksum, value }: Ref): Version {
  return { revision, size, checksum: checksum ?? checksumOf(key, value as Uint8Array) }
}

export function loggedVersions(before: Version | undefined, after: Version | undefined): LoggedVersions {
  return {
    size: after?.size ?? 0,
    checksum: after?.checksum ?? 0,
    previousRevision: before?.revision ?? 0,
    previousSize: before?.size ?? 0,
    previousChecksum: before?.checksum ?? 0,
  }
}

type LoggedVersions = Pick<LoggedChange, 'size' | 'checksum' | 'previousRevision' | 'previousSize' | 'previousChecksum'>

// EFBIG, ENOSPC and EDQUOT.
const NO_SPACE = new Set([27, 28, 122])
const EIO = 5
const LITTLE_SPACE = 64 * 1024 ** 2

/** lmdb rejects with a general error whose `commitError` promise rejects with the real one, and must be handled. */
async function commitError(error: unknown): Promise<unknown> {
  const details: unknown = await (error as { commitError?: Promise<unknown> }).commitError?.catch((cause: unknown) => cause)
  return details ?? error
}

function freeBytes(file: string): number {
  const { bavail, bsize } = statfsSync(file)
  return bavail * bsize
}

function recoverCompacted(environment: Environment): { revision: number; cumulativeCost: number } {
  const bytes = environment.meta.get('compacted')
  return bytes ? decodeCompacted(bytes) : { revision: 0, cumulativeCost: 0 }
}

function lastChange(environment: Environment): { revision: number; change: LoggedChange } | undefined {
  for (const { key, value } of environment.log.getRange({ start: Number.MAX_SAFE_INTEGER, end: 0, reverse: true, limit: 1 })) {
    return { revision: key, change: value }
  }
  return undefined
}
