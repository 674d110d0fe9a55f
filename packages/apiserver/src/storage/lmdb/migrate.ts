import { open } from 'lmdb'
import { KEYSPACE_END } from '../key.ts'
import type { Change } from '../storage.ts'
import { FORMAT_VERSION, type StoreIdentity } from './data-directory.ts'
import { revisionKeys, textKeys } from './key-codec.ts'
import { loggedVersions } from './lmdb-driver.ts'
import { checksumOf, encodeLive, RecordWriter, type Version, weightOf } from './record.ts'

const TYPES = ['created', 'updated', 'deleted'] as const

interface RawTable<K> {
  get(key: K): Buffer | undefined
  getRange(options: object): Iterable<{ readonly key: K; readonly value: Buffer }>
  put(key: K, value: Uint8Array): void
}

/** Rewrites a store of format 1 as one of format 2, in one transaction: a crash leaves the one or the other. The caller holds the lock. */
export async function migrateToFormat2(file: string, identity: StoreIdentity): Promise<void> {
  const root = open(file, { noSubdir: true, overlappingSync: false, mapSize: 16 * 1024 ** 3, maxDbs: 8 })
  const table = <K>(name: string, keyEncoder: object): RawTable<K> =>
    root.openDB(name, { keyEncoder, encoding: 'binary' } as object) as unknown as RawTable<K>
  const keys = table<string>('keys', textKeys)
  const log = table<number>('log', revisionKeys)
  const values = table<number>('values', revisionKeys)
  const meta = table<string>('meta', textKeys)
  const versionAt = (key: string, revision: number, size: number): Version => {
    const value = values.get(revision)
    if (value === undefined) throw new Error(`key ${key}: its value at revision ${revision} is missing`)
    return { revision, size, checksum: checksumOf(key, value) }
  }
  root.transactionSync(() => {
    let entries = 0
    let sum = 0
    for (const { key, value } of Array.from(keys.getRange({ start: '', end: KEYSPACE_END }), copied)) {
      const version = versionAt(key, value.readDoubleLE(0), value.readUInt32LE(8))
      entries++
      sum = (sum + weightOf(key, version)) >>> 0
      keys.put(key, new RecordWriter([{ key }]).version(version))
    }
    for (const { key: revision, value } of Array.from(log.getRange({ start: 0 }), copied)) {
      const change = decodeFormat1(value)
      const { key, type, time, cumulativeCost } = change
      const before = change.previousRevision === 0 ? undefined : versionAt(key, change.previousRevision, change.previousSize)
      // A version that was superseded is kept for as long as the change that superseded it.
      const after = type === 'deleted' ? undefined : versionAt(key, revision, change.size)
      log.put(revision, new RecordWriter([{ key }]).logged({ key, type, time, cumulativeCost, ...loggedVersions(before, after) }))
    }
    meta.put('live', encodeLive({ entries, sum }))
    meta.put('store', Buffer.from(JSON.stringify({ ...identity, format: FORMAT_VERSION })))
  })
  await root.close()
}

// lmdb hands out a buffer that it uses again.
const copied = <K>({ key, value }: { key: K; value: Buffer }): { key: K; value: Buffer } => ({ key, value: Buffer.from(value) })

function decodeFormat1(source: Buffer): {
  readonly type: Change['type']
  readonly time: number
  readonly previousRevision: number
  readonly cumulativeCost: number
  readonly previousSize: number
  readonly size: number
  readonly key: string
} {
  return {
    type: TYPES[source[0] as number] as Change['type'],
    time: source.readDoubleLE(1),
    previousRevision: source.readDoubleLE(9),
    cumulativeCost: source.readDoubleLE(17),
    previousSize: source.readUInt32LE(25),
    size: source.readUInt32LE(29),
    key: source.toString('utf8', 33),
  }
}
