import { open } from 'lmdb'
import type { RootDatabase, Transaction } from 'lmdb'
import { revisionKeys, textKeys } from './key-codec.ts'
import { keysCodec, logCodec } from './record.ts'
import type { LoggedChange, Version } from './record.ts'

/**
 * The tables of a store:
 *
 *     keys    key      → revision, size and checksum of the live version
 *     log     revision → type, key, time, the version before: everything about a change but the bytes
 *     values  revision → the bytes written at that revision, live or superseded
 *     meta    name     → format and cluster id (`store`), how far the log is compacted (`compacted`),
 *                        that it was restored from a backup (`restored`),
 *                        how many keys there are (`live`)
 *
 * Every record of `keys` and `log` carries its own checksum and that of its value: LMDB has none.
 *
 * A value is written once, whatever becomes of it: history costs one small log record more, and superseding a value costs nothing.
 * Against keeping the bytes in `keys` and again in the log, a 2 KB update writes a third. The log stays small enough to be scanned
 * for `rangeAt` and for subscriptions without touching values. Compaction deletes a range of the log, and the versions which
 * those changes superseded.
 */
export interface Environment {
  readonly root: RootDatabase
  readonly keys: Table<string, Version>
  readonly log: Table<number, LoggedChange>
  readonly values: Table<number, Uint8Array>
  readonly meta: Table<string, Uint8Array>
}

/** The part of a `lmdb` database that we use, with the options that its own types leave out. */
export interface Table<K, V> {
  get(key: K, options?: ReadOptions): V | undefined
  getRange(options: RangeOptions<K>): Iterable<{ readonly key: K; readonly value: V }>
  /** Only inside `commit`. */
  put(key: K, value: Uint8Array): void
  remove(key: K): void
  getStats(): { readonly entryCount: number }
}

export interface ReadOptions {
  readonly transaction?: Transaction
}

export interface RangeOptions<K> extends ReadOptions {
  readonly start?: K
  readonly end?: K
  readonly limit?: number
  readonly reverse?: boolean
}

// Address space, not disk or memory: the file only grows as needed. A map that never moves keeps growth out of the write path.
const MAP_SIZE = 16 * 1024 ** 3

/** Each snapshot that a slow reader still holds takes one. */
export const MAX_READERS = 1024

/** Opens, and creates where it is missing, the database in `file`. */
export function openEnvironment(file: string): Environment {
  const options = {
    noSubdir: true,
    // What makes an acknowledged write survive a power loss: without `overlappingSync`, `noSync`, `noMetaSync`, `useWritemap` and
    // `mapAsync`, LMDB's commit (on a thread of its own) writes the changed pages, calls fdatasync, and only then writes the meta
    // page that points to them through a descriptor opened with O_DSYNC. It returns after that, and the promise of `root.batch`
    // is settled from the flag that the thread sets after the commit has returned. A crash at any point leaves the old meta page
    // or the new one, each with all of its pages on disk. (With `overlappingSync`, lmdb's default, promises resolve before the
    // flush; it gains nothing here, because all that arrives during a commit shares the next one.)
    overlappingSync: false,
    noSync: false,
    noMetaSync: false,
    useWritemap: false,
    mapAsync: false,
    // CommitPipeline makes the batches. lmdb's own batching would add a promise that nobody can handle when a commit fails.
    eventTurnBatching: false,
    mapSize: MAP_SIZE,
    maxDbs: 8,
    maxReaders: MAX_READERS,
    permissionsMode: 0o600,
  }
  const root = open(file, options)
  const table = <K, V>(name: string, tableOptions: object): Table<K, V> => root.openDB(name, tableOptions) as unknown as Table<K, V>
  return {
    root,
    keys: table('keys', { keyEncoder: textKeys, encoder: keysCodec }),
    log: table('log', { keyEncoder: revisionKeys, encoder: logCodec }),
    values: table('values', { keyEncoder: revisionKeys, encoding: 'binary' }),
    meta: table('meta', { keyEncoder: textKeys, encoding: 'binary' }),
  }
}
