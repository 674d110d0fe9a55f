import { messageOf } from '@weft/api'
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
  for (const [key, { revision, checksum }] of objects.versions) history.values.set(revision, { key, checksum })
  const bad = badValues(pages, history.values, inTable('values'))
  const whole = new Map<string, Version>()
  for (const [key, version] of objects.versions) {
    if (!bad.has(version.revision)) whole.set(key, version)
    else damages.push({ kind: 'object', key, message: 'its value is damaged or missing' })
  }
  for (const [revision, { key }] of bad) {
    if (objects.versions.get(key)?.revision !== revision) {
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

/** What the value of a revision must be. */
interface Expected {
  readonly key: string
  readonly checksum: number
}

interface History {
  /** By revision: versions that were superseded, and those that are live. */
  readonly values: Map<number, Expected>
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
    onDamage(messageOf(error))
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
  const values = new Map<number, Expected>()
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
      if (change.type !== 'deleted') values.set(revision, change)
      if (previousRevision > 0 && !agrees(values.get(previousRevision), key, change.previousChecksum))
        values.set(previousRevision, { key, checksum: change.previousChecksum })
    } catch {
      damages.push({ kind: 'history', message: `the record of revision ${revision} is damaged` })
    }
  }
  return { values, latest, last }
}

const agrees = (known: Expected | undefined, key: string, checksum: number): boolean => known?.checksum === checksum && known.key === key

/** Strikes out of `expected` what is there as it was written: what it answers is missing or damaged. */
function badValues(pages: PageFile, expected: Map<number, Expected>, onDamage: OnDamage): ReadonlyMap<number, Expected> {
  for (const { key: bytes, data } of pages.scan('values', onDamage)) {
    const revision = bytes.length === 8 ? revisionKeys.readKey(bytes, 0) : 0
    const record = expected.get(revision)
    if (record !== undefined && checksumOf(record.key, data) === record.checksum) expected.delete(revision)
  }
  return expected
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
