import { chmodSync, copyFileSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError, causeText } from '../errors.ts'
import { DATA_FILE, FORMAT_VERSION, readIdentity, syncPath } from './data-directory.ts'
import { openEnvironment } from './environment.ts'
import { type Damage, type Examination, examine } from './examine.ts'
import { revisionKeys } from './key-codec.ts'
import { LockFile } from './lock-file.ts'
import { PageFile } from './page-file.ts'
import { encodeCompacted, encodeLive, RecordWriter, weightOf } from './record.ts'
import { isWhole } from './whole.ts'

export interface StoreReport {
  readonly clusterId: string
  readonly format: number
  readonly revision: number
  /** Objects that are as they were written. */
  readonly wholeObjects: number
  readonly damages: readonly Damage[]
  /** False for a store of a format without checksums, of which only the pages could be looked at. */
  readonly hasChecksums: boolean
}

/** Reads all of a store that is not in use, and tells what is wrong with it. Changes nothing. Throws DataDirectoryError and PageFileError. */
export function checkStore(directory: string): StoreReport {
  const lock = LockFile.acquire(directory)
  try {
    return checkFile(join(directory, DATA_FILE))
  } finally {
    lock.release()
  }
}

/** The same for a data file, or a backup. */
export function checkFile(file: string): StoreReport {
  return withPages(file, (pages) => {
    const identity = readIdentity(pages)
    const { clusterId, format } = identity
    if (format < FORMAT_VERSION) {
      pages.verify()
      return { clusterId, format, revision: 0, wholeObjects: 0, damages: [], hasChecksums: false }
    }
    const { damages, revision, whole } = examine(pages, identity)
    return { clusterId, format, revision, wholeObjects: whole.size, damages, hasChecksums: true }
  })
}

/** Has `checkFile` nothing to say of a data file of the present format? Sooner known than what it would say. */
export const isWholeFile = (file: string): boolean => withPages(file, isWhole)

// Clients that saw revisions which are lost are told to list again; see RestoreOptions.
const ADVANCE = 1_000_000_000

/**
 * Makes the store anew of the objects that are whole, without its history, and keeps the damaged file under another name, which it answers.
 * The new file takes the place of the old one in one step.
 */
export async function repairStore(directory: string, now: () => number = Date.now): Promise<{ readonly keptAs: string }> {
  const lock = LockFile.acquire(directory)
  const aside = join(directory, 'repairing.tmp')
  try {
    const file = join(directory, DATA_FILE)
    rmSync(aside, { recursive: true, force: true })
    mkdirSync(aside, { mode: 0o700 })
    const draft = join(aside, DATA_FILE)
    await withPages(file, (pages) => writeWhole(pages, draft))
    chmodSync(draft, 0o600)
    syncPath(draft)
    const keptAs = `${file}.damaged-${new Date(now()).toISOString().replaceAll(':', '')}`
    keep(file, keptAs)
    rmSync(`${file}-lock`, { force: true })
    renameSync(draft, file)
    syncPath(directory)
    return { keptAs }
  } catch (error) {
    throw new BackupError('Failed', `${directory} cannot be repaired: ${causeText(error)}`, error)
  } finally {
    rmSync(aside, { recursive: true, force: true })
    lock.release()
  }
}

async function writeWhole(pages: PageFile, draft: string): Promise<void> {
  const { identity, revision, whole }: Examination = examine(pages, readIdentity(pages))
  const wanted = new Map(Array.from(whole, ([key, version]) => [version.revision, key]))
  const { root, keys, values, meta } = openEnvironment(draft)
  root.transactionSync(() => {
    let sum = 0
    for (const [key, version] of whole) {
      keys.put(key, new RecordWriter([{ key }]).version(version))
      sum = (sum + weightOf(key, version)) >>> 0
    }
    for (const { key, data } of pages.scan('values', () => undefined)) {
      const at = key.length === 8 ? revisionKeys.readKey(key, 0) : 0
      if (wanted.has(at)) values.put(at, Buffer.from(data))
    }
    meta.put('live', encodeLive({ entries: whole.size, sum }))
    meta.put('compacted', encodeCompacted({ revision: revision + ADVANCE, cumulativeCost: 0 }))
    meta.put('store', Buffer.from(JSON.stringify(identity)))
  })
  await root.close()
}

function keep(file: string, as: string): void {
  try {
    linkSync(file, as)
  } catch {
    // A file system without hard links.
    copyFileSync(file, as)
  }
}

function withPages<T>(file: string, work: (pages: PageFile) => T): T {
  const pages = new PageFile(file)
  let result: T | undefined
  try {
    result = work(pages)
    return result
  } finally {
    if (result instanceof Promise) void result.finally(() => pages.close()).catch(() => undefined)
    else pages.close()
  }
}
