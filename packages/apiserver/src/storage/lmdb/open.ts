import { join } from 'node:path'
import { DataDirectoryError, causeText } from '../errors.ts'
import { RevisionedStorage } from '../revisioned-storage.ts'
import type { RevisionedStorageOptions } from '../revisioned-storage.ts'
import { backUp } from './backup.ts'
import { copyDataFile } from './copy-data-file.ts'
import { createStore, DATA_FILE, FORMAT_VERSION, inspectStore, prepareDirectory } from './data-directory.ts'
import { openEnvironment } from './environment.ts'
import type { Environment } from './environment.ts'
import { LmdbDriver } from './lmdb-driver.ts'
import { isOpenElsewhere, LOCK_FILE, LockFile } from './lock-file.ts'
import { migrateToFormat2 } from './migrate.ts'
import { checkFile, isWholeFile } from './repair.ts'
import type { Restored } from './restored.ts'

export interface LmdbStorageOptions extends RevisionedStorageOptions {
  /** Made if it does not exist. Holds the data file and the lock, and nothing else. */
  readonly directory: string
  /** The store is known to have been there: that it is not is an error, and no reason to make an empty one. */
  readonly mustExist?: boolean
  /** Take the directory from a process that holds it and cannot be stopped. It will acknowledge no write any more. */
  readonly takeOver?: boolean
  /** Called when another process has taken over: this one serves stale data, and should end. */
  readonly onLost?: () => void
}

export class LmdbStorage extends RevisionedStorage {
  /** Made with the data directory, kept in backups. */
  readonly clusterId: string
  readonly #driver: LmdbDriver
  #restored: Restored | undefined

  constructor(driver: LmdbDriver, clusterId: string, options: RevisionedStorageOptions) {
    super(driver, options)
    this.clusterId = clusterId
    this.#driver = driver
    this.#restored = driver.restored
  }

  /** Present from a restore until `forgetRestored`: whoever opens the store first passes it on to those who have to know. */
  get restored(): Restored | undefined {
    return this.#restored
  }

  async forgetRestored(): Promise<void> {
    await this.exclusively(() => this.#driver.forgetRestored())
    this.#restored = undefined
  }
}

/**
 * Opens the store in a data directory, and makes one in an empty directory. Throws DataDirectoryError if the directory cannot be
 * used, without having changed anything in it.
 */
export async function openLmdbStorage(options: LmdbStorageOptions): Promise<LmdbStorage> {
  const { directory } = options
  prepareDirectory(directory, options.mustExist)
  const lock = LockFile.acquire(directory, options)
  try {
    if (lock.supersedes) copyDataFile(directory)
    else if (isOpenElsewhere(join(directory, DATA_FILE))) throw new DataDirectoryError('Locked', directory, OPEN_ELSEWHERE)
    lock.settle()
    createStore(directory)
    const identity = inspectStore(directory)
    const { clusterId } = identity
    if (identity.format < FORMAT_VERSION) await migrateToFormat2(join(directory, DATA_FILE), identity)
    else requireWhole(directory)
    const driver = await openDriver(directory, lock)
    lock.onLost(options.onLost ?? (() => undefined))
    return new LmdbStorage(driver, clusterId, options)
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Everything is read before anything is served: a list that is short, or a kind that cannot be listed, would be found out too late. */
function requireWhole(directory: string): void {
  const file = join(directory, DATA_FILE)
  if (isWholeFile(file)) return
  const { damages } = checkFile(file)
  if (damages.length === 0) return
  const objects = damages.filter(({ kind }) => kind === 'object')
  const first = objects[0] ?? damages[0]
  const what = objects.length > 0 ? `${objects.length} objects cannot be read` : `its ${first?.kind ?? 'file'} is damaged`
  const which = `the first: ${first?.key === undefined ? '' : `${first.key}: `}${first?.message ?? ''}`
  const next = 'weft check lists all; weft repair keeps what is whole, or restore a backup into another directory'
  throw new DataDirectoryError('Damaged', directory, `${DATA_FILE} is damaged: ${what} (${which}). Nothing was changed: ${next}`)
}

const OPEN_ELSEWHERE = `a process has its ${DATA_FILE} open, although ${LOCK_FILE} is not there: find and stop that process first`

async function openDriver(directory: string, lock: LockFile): Promise<LmdbDriver> {
  const file = join(directory, DATA_FILE)
  let environment: Environment | undefined
  try {
    const opened = (environment = openEnvironment(file))
    const driver = new LmdbDriver(opened, file, (target) => backUp(opened.root, target), lock)
    requireWholeLog(opened, driver)
    return driver
  } catch (error) {
    await environment?.root.close()
    if (isSystemError(error)) throw error
    throw new DataDirectoryError('Damaged', directory, `${DATA_FILE} is damaged (${causeText(error)}): restore a backup`, error)
  }
}

// Revisions have no gap: a cheap sign of tables that do not belong together.
function requireWholeLog(environment: Environment, driver: LmdbDriver): void {
  const { revision, compactedRevision } = driver.recovered
  const recorded = environment.log.getStats().entryCount
  if (recorded === revision - compactedRevision) return
  throw new Error(`${recorded} changes are recorded between revisions ${compactedRevision} and ${revision}`)
}

/** No rights, no memory, no space: says nothing about the data. LMDB has negative codes for what is wrong with the file. */
function isSystemError(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'number' ? code > 0 : typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)
}
