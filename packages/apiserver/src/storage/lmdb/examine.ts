import type { StoreIdentity } from './data-directory.ts'
import { revisionKeys } from './key-codec.ts'
import type { PageFile } from './page-file.ts'
import {
  checksumOf,
  decodeCompacted,
  decodeLive,
  keysCodec,
  type Live,
  logCodec,
  type LoggedChange,
  type Version,
  weightOf,
} from './record.ts'

/** What is wrong with a store, in words for an operator. */
export interface Damage {
  /** `object`: one that cannot be read any more. `history`: only watches that go back and reads of old versions miss it. */
  readonly kind: 'object' | 'history' | 'file'
  /** Of an object, unless that is lost as well. */
  readonly key?: string
  readonly message: string
}

export interface Examination {
  readonly identity: StoreIdentity
  readonly damages: readonly Damage[]
  /** The last revision that shows. */
  readonly revision: number
  /** Every object whose record and value are as they were written. */
  readonly whole: ReadonlyMap<string, Version>
}

/**
 * Reads everything in a store of the present format, and compares it with its checksums. It goes by the pages of the file, not through
 * LMDB, which trusts them: a damaged page may crash it, or lead it to less than there is. Work and memory grow with the number of
 * records. Throws nothing but errors of reading the file.
 */
export function examine(pages: PageFile, identity: StoreIdentity): Examination {
  const damages: Damage[] = []
  const inTable = (table: string) => (message: string) => void damages.push({ kind: 'file', message: `table ${table}: ${message}` })
  const { live, compacted } = readMeta(pages, inTable('meta'))
  const objects = readKeys(pages, damages, inTable('keys'))
  const history = readLog(pages, compacted, damages, inTable('log'))
  for (const [key, { type }] of history.latest) {
    if (type !== 'deleted' && !objects.versions.has(key) && !objects.lost.has(key)) {
      objects.lost.add(key)
      damages.push({ kind: 'object', key, message: 'its record is missing' })
    }
  }
  const intact = readValues(pages, [objects.versions, history.versions], inTable('values'))
  const whole = new Map<string, Version>()
  for (const [key, version] of objects.versions) {
    if (intact.has(version.revision)) whole.set(key, version)
    else damages.push({ kind: 'object', key, message: 'its value is damaged or missing' })
  }
  for (const { revision, key } of history.versions) {
    if (!intact.has(revision) && objects.versions.get(key)?.revision !== revision) {
      damages.push({ kind: 'history', message: `the value of ${key} at revision ${revision} is damaged or missing` })
    }
  }
  damages.push(...compareWithLive(live, objects))
  return { identity, damages, revision: Math.max(compacted, history.last, objects.last), whole }
}

interface Objects {
  readonly versions: ReadonlyMap<string, Version>
  readonly lost: Set<string>
  readonly last: number
  readonly sum: number
}

interface History {
  /** What must be among the values: versions that were superseded, and those that are live. */
  readonly versions: readonly { readonly key: string; readonly revision: number; readonly checksum: number }[]
  readonly latest: ReadonlyMap<string, LoggedChange>
  readonly last: number
}

type OnDamage = (message: string) => void

function readMeta(pages: PageFile, onDamage: OnDamage): { live: Live | undefined; compacted: number } {
  const records = new Map<string, Buffer>()
  for (const { key, data } of pages.scan('meta', onDamage)) records.set(key.toString('utf8'), Buffer.from(data))
  const compacted = records.get('compacted')
  try {
    return { live: decodeLive(records.get('live')), compacted: compacted === undefined ? 0 : decodeCompacted(compacted).revision }
  } catch (error) {
    onDamage((error as Error).message)
    return { live: undefined, compacted: 0 }
  }
}

function readKeys(pages: PageFile, damages: Damage[], onDamage: OnDamage): Objects {
  const versions = new Map<string, Version>()
  const lost = new Set<string>()
  let last = 0
  let sum = 0
  for (const { key: bytes, data } of pages.scan('keys', onDamage)) {
    const key = bytes.toString('utf8')
    try {
      const version = keysCodec.decode(data)
      versions.set(key, version)
      last = Math.max(last, version.revision)
      sum = (sum + weightOf(key, version)) >>> 0
    } catch {
      lost.add(key)
      damages.push({ kind: 'object', key, message: 'its record is damaged' })
    }
  }
  return { versions, lost, last, sum }
}

function readLog(pages: PageFile, compacted: number, damages: Damage[], onDamage: OnDamage): History {
  const versions: { key: string; revision: number; checksum: number }[] = []
  const latest = new Map<string, LoggedChange>()
  let last = compacted
  for (const { key: bytes, data } of pages.scan('log', onDamage)) {
    const revision = bytes.length === 8 ? revisionKeys.readKey(bytes, 0) : 0
    if (revision !== last + 1)
      damages.push({ kind: 'history', message: `the changes between revisions ${last} and ${revision} are missing` })
    last = Math.max(last, revision)
    try {
      const change = logCodec.decode(data)
      const { key, previousRevision } = change
      latest.set(key, change)
      if (change.type !== 'deleted') versions.push({ key, revision, checksum: change.checksum })
      if (previousRevision > 0) versions.push({ key, revision: previousRevision, checksum: change.previousChecksum })
    } catch {
      damages.push({ kind: 'history', message: `the record of revision ${revision} is damaged` })
    }
  }
  return { versions, latest, last }
}

/** The revisions whose value is there and has the checksum that every record of it tells. */
function readValues(
  pages: PageFile,
  [objects, history]: readonly [Objects['versions'], History['versions']],
  onDamage: OnDamage,
): Set<number> {
  const wanted = new Map<number, { key: string; checksum: number }>()
  for (const { key, revision, checksum } of history) wanted.set(revision, { key, checksum })
  for (const [key, { revision, checksum }] of objects) wanted.set(revision, { key, checksum })
  const intact = new Set<number>()
  for (const { key: bytes, data } of pages.scan('values', onDamage)) {
    const revision = bytes.length === 8 ? revisionKeys.readKey(bytes, 0) : 0
    const record = wanted.get(revision)
    if (record !== undefined && checksumOf(record.key, data) === record.checksum) intact.add(revision)
  }
  return intact
}

/** Records that are gone without a trace show in their number, and in the sum. */
function compareWithLive(live: Live | undefined, { versions, lost, sum }: Objects): readonly Damage[] {
  if (live === undefined) return []
  const missing = live.entries - versions.size - lost.size
  if (missing > 0) return [{ kind: 'object', message: `${missing} more, whose names are lost as well` }]
  if (missing < 0) return [{ kind: 'file', message: `there are ${-missing} objects more than were written` }]
  return lost.size === 0 && sum !== live.sum
    ? [{ kind: 'file', message: 'some objects are not the latest versions that were written' }]
    : []
}
