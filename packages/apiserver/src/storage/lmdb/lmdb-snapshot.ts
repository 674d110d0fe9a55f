import type { Transaction } from 'lmdb'
import type { LogRecord, Ref, Snapshot } from '../driver.ts'
import { StorageUnavailableError } from '../errors.ts'
import type { Entry } from '../storage.ts'
import type { Environment, ReadOptions } from './environment.ts'
import { checksumOf, DamagedRecordError } from './record.ts'
import type { LoggedChange, Version } from './record.ts'

/** One LMDB read transaction, shared by all who hold it. */
export class LmdbSnapshot implements Snapshot {
  readonly #environment: Environment
  readonly #transaction: Transaction
  readonly #options: ReadOptions
  readonly #cursors = new Set<{ return(): unknown }>()
  readonly #onEnd: (snapshot: LmdbSnapshot) => void
  #holders = 1
  #ended: StorageUnavailableError['code'] = 'Closed'
  /** When a newer snapshot took its place: from then on only iterators hold it. */
  supersededAt: number | undefined

  constructor(environment: Environment, onEnd: (snapshot: LmdbSnapshot) => void) {
    this.#environment = environment
    this.#onEnd = onEnd
    // lmdb shares one read transaction for a turn of the event loop; without the reset it may be one from before the last commit.
    environment.root.resetReadTxn()
    this.#transaction = environment.root.useReadTransaction()
    this.#options = { transaction: this.#transaction }
  }

  find(key: string): Ref | undefined {
    this.#requireOpen()
    const version = this.#environment.keys.get(key, this.#options)
    return version && { key, ...version }
  }

  refs(start: string, end: string): Iterator<Ref> {
    this.#requireOpen()
    const range = this.#environment.keys.getRange({ start, end, transaction: this.#transaction })
    return this.#track(range, ({ key, value }: { key: string; value: Version }) => ({ key, ...value }))
  }

  log(after: number): Iterator<LogRecord> {
    this.#requireOpen()
    const range = this.#environment.log.getRange({ start: after + 1, transaction: this.#transaction })
    return this.#track(range, ({ key, value }: { key: number; value: LoggedChange }) => toLogRecord(key, value))
  }

  read(ref: Ref): Entry {
    const { key, revision } = ref
    if (ref.value) return { key, revision, value: ref.value }
    this.#requireOpen()
    const value = this.#environment.values.get(revision, this.#options)
    if (value === undefined) throw new DamagedRecordError(`${key}: its value at revision ${revision} is missing: stop, and run weft check`)
    if (ref.checksum !== undefined && checksumOf(key, value) !== ref.checksum) {
      throw new DamagedRecordError(`${key}: its value at revision ${revision} is damaged: stop, and run weft check`)
    }
    return { key, revision, value }
  }

  retain(): void {
    this.#holders++
  }

  release(): void {
    if (this.#holders > 0 && --this.#holders === 0) this.#end()
  }

  /** Ends it under the feet of its holders, who get StorageUnavailableError from then on. */
  dispose(reason: StorageUnavailableError['code']): void {
    if (this.#holders === 0) return
    this.#holders = 0
    this.#ended = reason
    this.#end()
  }

  #end(): void {
    // Cursors first: LMDB does not survive a cursor that outlives its transaction.
    for (const cursor of this.#cursors) cursor.return()
    this.#transaction.done()
    this.#onEnd(this)
  }

  #requireOpen(): void {
    if (this.#holders === 0) throw new StorageUnavailableError(this.#ended)
  }

  #track<S, T>(range: Iterable<S>, map: (item: S) => T): Iterator<T> {
    const require = (): void => this.#requireOpen()
    const cursor: Cursor<S, T> = new Cursor(range[Symbol.iterator](), map, require, () => this.#cursors.delete(cursor))
    this.#cursors.add(cursor)
    return cursor
  }
}

/** An iterator that can be ended from outside. */
class Cursor<S, T> implements Iterator<T> {
  #source: Iterator<S> | undefined
  readonly #map: (item: S) => T
  readonly #require: () => void
  readonly #onEnd: () => void

  /** `require` throws if the snapshot has ended: a range that was cut off must not look finished. */
  constructor(source: Iterator<S>, map: (item: S) => T, require: () => void, onEnd: () => void) {
    this.#source = source
    this.#map = map
    this.#require = require
    this.#onEnd = onEnd
  }

  next(): IteratorResult<T, undefined> {
    this.#require()
    const next = this.#source?.next()
    if (next && !next.done) return { done: false, value: this.#map(next.value) }
    return this.return()
  }

  return(): IteratorResult<T, undefined> {
    this.#source?.return?.()
    this.#source = undefined
    this.#onEnd()
    return { done: true, value: undefined }
  }
}

export function toLogRecord(revision: number, change: LoggedChange): LogRecord {
  const { type, key, time, size, checksum, previousRevision, previousSize, previousChecksum } = change
  return {
    revision,
    type,
    key,
    time,
    current: type === 'deleted' ? undefined : { key, revision, size, checksum },
    previous: type === 'created' ? undefined : { key, revision: previousRevision, size: previousSize, checksum: previousChecksum },
  }
}
