import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DataDirectoryError, causeText } from '../errors.ts'
import { openEnvironment } from './environment.ts'
import { LOCK_FILE } from './lock-file.ts'
import { PageFile, PageFileError } from './page-file.ts'

export const DATA_FILE = 'data.mdb'
const CREATING = 'creating.tmp'

/**
 * Format of the tables in `environment.ts`; raise it with every change that an older version would misread, and say here what changed.
 *
 * | format | since | |
 * |---|---|---|
 * | 1 | 0.1 | `keys`, `log`, `values`, `meta` |
 * | 2 | 0.2 | checksums in `keys` and `log`, `live` in `meta`; format 1 is rewritten when it is opened (see `migrate.ts`) |
 *
 * A version reads every format up to its own, and refuses newer ones. There is no way back but a backup from before.
 */
export const FORMAT_VERSION = 2

/** The `store` record of the `meta` table. */
export interface StoreIdentity {
  readonly application: 'weft'
  readonly format: number
  readonly clusterId: string
}

const MISSING = `there is no ${DATA_FILE}, but there was one: put it back, or restore a backup into another directory; to start over, remove the whole data directory`

/**
 * Makes sure that `directory` exists and that nothing in it belongs to someone else. Changes nothing that is there. A store that
 * should be there (`mustExist`) and is not is no reason to make an empty one.
 */
export function prepareDirectory(directory: string, mustExist = false): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (existsSync(join(directory, DATA_FILE))) return
  // LMDB leaves its lock behind: there was a data file.
  if (mustExist || existsSync(join(directory, `${DATA_FILE}-lock`))) throw new DataDirectoryError('Missing', directory, MISSING)
  const foreign = readdirSync(directory).filter((name) => !isExpectedWithoutData(name))
  if (foreign.length === 0) return
  const names = foreign.slice(0, 3).join(', ') + (foreign.length > 3 ? ', …' : '')
  throw new DataDirectoryError(
    'NotOurs',
    directory,
    `it contains other files (${names}) and no ${DATA_FILE}: choose an empty or a new directory`,
  )
}

function isExpectedWithoutData(name: string): boolean {
  return name === CREATING || name === 'lost+found' || name.startsWith(LOCK_FILE)
}

/** Creates the store where there is none. The caller holds the lock. */
export function createStore(directory: string): void {
  if (existsSync(join(directory, DATA_FILE))) return
  // Made aside and moved into place whole: a data file without our record is then never ours, whenever the power went.
  const aside = join(directory, CREATING)
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { mode: 0o700 })
  const file = join(aside, DATA_FILE)
  const identity: StoreIdentity = { application: 'weft', format: FORMAT_VERSION, clusterId: randomUUID() }
  const environment = openEnvironment(file)
  environment.root.transactionSync(() => {
    environment.meta.put('store', Buffer.from(JSON.stringify(identity)))
  })
  void environment.root.close()
  syncPath(file)
  renameSync(file, join(directory, DATA_FILE))
  rmSync(aside, { recursive: true, force: true })
  syncPath(directory)
}

/** Looks at the data file without opening it as a database. Throws DataDirectoryError; writes nothing. */
export function inspectStore(directory: string): StoreIdentity {
  const file = join(directory, DATA_FILE)
  try {
    return inspectFile(file)
  } catch (error) {
    if (error instanceof ForeignFileError) {
      throw new DataDirectoryError(error.code, directory, `${DATA_FILE} ${error.message}`, error)
    }
    if (error instanceof PageFileError) {
      const message = `${DATA_FILE} is damaged (${causeText(error)}): weft check says more; restore a backup into another directory; nothing was changed here`
      throw new DataDirectoryError('Damaged', directory, message, error)
    }
    throw error
  }
}

/** A whole database, but not one that this version can use. */
export class ForeignFileError extends Error {
  readonly code: 'NotOurs' | 'NewerFormat'
  constructor(code: ForeignFileError['code'], message: string) {
    super(message)
    this.name = 'ForeignFileError'
    this.code = code
  }
}

/** Throws PageFileError or ForeignFileError. `thorough` looks at every page. */
export function inspectFile(file: string, thorough = false): StoreIdentity {
  const pages = new PageFile(file)
  try {
    const identity = readIdentity(pages)
    if (thorough || !pages.isComplete) pages.verify()
    return identity
  } finally {
    pages.close()
  }
}

/** Throws PageFileError or ForeignFileError. */
export function readIdentity(pages: PageFile): StoreIdentity {
  const identity = parseIdentity(pages.readTable('meta')?.get('store'))
  if (identity.format > FORMAT_VERSION) {
    const message = `has format ${identity.format}, made by a newer version; this one knows ${FORMAT_VERSION}: run the newer version`
    throw new ForeignFileError('NewerFormat', message)
  }
  return identity
}

function parseIdentity(record: Buffer | undefined): StoreIdentity {
  if (record === undefined) throw new ForeignFileError('NotOurs', 'is a LMDB database of another program: choose another directory')
  try {
    const identity = JSON.parse(record.toString('utf8')) as StoreIdentity
    if (identity.application === 'weft' && Number.isInteger(identity.format)) return identity
  } catch (error) {
    throw new PageFileError(`its store record is not readable: ${causeText(error)}`)
  }
  throw new ForeignFileError('NotOurs', 'is a LMDB database of another program: choose another directory')
}

/** Makes a file's content, or a directory's list of names, durable. */
export function syncPath(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
