import { historyCost } from '../driver.ts'
import type { CompactionStep, Driver, LogRecord, PendingWrite, Ref, Recovered, Snapshot } from '../driver.ts'
import { BackupError } from '../errors.ts'
import { RevisionedStorage } from '../revisioned-storage.ts'
import type { RevisionedStorageOptions } from '../revisioned-storage.ts'
import type { Entry, Storage } from '../storage.ts'
import { SortedMap } from './sorted-map.ts'

/** A store that lives and dies with the process, for `--in-memory` and for tests. */
export function openMemoryStorage(options: RevisionedStorageOptions = {}): Storage {
  return new RevisionedStorage(new MemoryDriver(), options)
}

/** In memory every version carries its bytes, so it is its own entry. */
interface Version extends Ref, Entry {
  readonly value: Uint8Array
}

interface MemoryRecord extends LogRecord {
  readonly previous: Version | undefined
}

const COMPACTION_STEP = 20_000

export class MemoryDriver implements Driver {
  readonly recovered: Recovered = { revision: 0, compactedRevision: 0, entries: 0, historyBytes: 0 }
  #live = new SortedMap<Version>()
  /** Append-only; compaction makes a new one, because snapshots keep reading the old one. */
  #log: MemoryRecord[] = []
  #bytes = 0

  snapshot(): Snapshot {
    return new MemorySnapshot(this.#live, this.#log)
  }

  async commit(batch: readonly PendingWrite[], time: number): Promise<void> {
    for (const { key, revision, type, value } of batch) {
      const previous = this.#live.get(key)
      const current = value && { key, revision, size: value.byteLength, value }
      this.#live = current ? this.#live.set(key, current) : this.#live.delete(key)
      this.#log.push({ revision, type, key, time, current, previous })
      this.#bytes += (current?.size ?? 0) + historyCost(key, undefined)
    }
  }

  async compact(from: number, to: number): Promise<CompactionStep> {
    const count = Math.min(to - from, COMPACTION_STEP)
    let freedBytes = 0
    for (const { key, previous } of this.#log.slice(0, count)) freedBytes += historyCost(key, previous)
    this.#log = this.#log.slice(count)
    this.#bytes -= freedBytes
    return { revision: from + count, freedBytes }
  }

  async backup(): Promise<void> {
    throw new BackupError('Unsupported', 'a control plane that runs in memory cannot be backed up: start it with a data directory instead')
  }

  bytes(): number {
    return this.#bytes
  }

  async close(): Promise<void> {}
}

class MemorySnapshot implements Snapshot {
  readonly #live: SortedMap<Version>
  readonly #log: readonly MemoryRecord[]
  /** Later commits append to the same array: what is beyond is not part of this snapshot. */
  readonly #length: number

  constructor(live: SortedMap<Version>, log: readonly MemoryRecord[]) {
    this.#live = live
    this.#log = log
    this.#length = log.length
  }

  find(key: string): Ref | undefined {
    return this.#live.get(key)
  }

  refs(start: string, end: string): Iterator<Ref> {
    return this.#live.range(start, end)
  }

  // Revisions have no gap, so a record's place follows from its revision.
  *log(after: number): Generator<LogRecord> {
    const first = this.#log[0]?.revision ?? 0
    for (let i = Math.max(0, after + 1 - first); i < this.#length; i++) yield this.#log[i] as MemoryRecord
  }

  read(ref: Ref): Entry {
    // Refs of this driver and of writes in flight carry their bytes.
    if (ref.value !== undefined) return ref as Version
    const live = this.#live.get(ref.key)
    if (live?.revision === ref.revision) return live
    const logged = this.#log[ref.revision - (this.#log[0]?.revision ?? 0)]?.current as Version | undefined
    if (logged?.key !== ref.key) throw new Error(`${ref.key}: its value at revision ${ref.revision} is missing`)
    return logged
  }

  retain(): void {}

  release(): void {}
}
