import { join } from 'node:path'
import { DataDirectoryError, describe } from '../errors.ts'
import { RevisionedStorage } from '../revisioned-storage.ts'
import type { RevisionedStorageOptions } from '../revisioned-storage.ts'
import { backUp } from './backup.ts'
import { createStore, DATA_FILE, inspectStore, prepareDirectory } from './data-directory.ts'
import { openEnvironment } from './environment.ts'
import type { Environment } from './environment.ts'
import { LmdbDriver } from './lmdb-driver.ts'
import { LockFile } from './lock-file.ts'

export interface LmdbStorageOptions extends RevisionedStorageOptions {
  /** Made if it does not exist. Holds the data file and the lock, and nothing else. */
  readonly directory: string
}

export class LmdbStorage extends RevisionedStorage {
  /** Made with the data directory, kept in backups. */
  readonly clusterId: string

  constructor(driver: LmdbDriver, clusterId: string, options: RevisionedStorageOptions) {
    super(driver, options)
    this.clusterId = clusterId
  }
}

/**
 * Opens the store in a data directory, and makes one in an empty directory. Throws DataDirectoryError if the directory cannot be
 * used, without having changed anything in it.
 */
export async function openLmdbStorage(options: LmdbStorageOptions): Promise<LmdbStorage> {
  const { directory } = options
  prepareDirectory(directory)
  const lock = LockFile.acquire(directory)
  try {
    createStore(directory)
    const { clusterId } = inspectStore(directory)
    const file = join(directory, DATA_FILE)
    const environment = openEnvironment(file)
    const driver = new LmdbDriver(environment, file, (target) => backUp(environment.root, target), () => lock.release())
    await requireWholeLog(environment, driver, directory)
    return new LmdbStorage(driver, clusterId, options)
  } catch (error) {
    lock.release()
    if (error instanceof DataDirectoryError) throw error
    throw new DataDirectoryError('Damaged', directory, `${DATA_FILE} cannot be opened (${describe(error)}): check the disk, or restore a backup`, error)
  }
}

// Revisions have no gap: a cheap sign of tables that do not belong together.
async function requireWholeLog(environment: Environment, driver: LmdbDriver, directory: string): Promise<void> {
  const { revision, compactedRevision } = driver.recovered
  const recorded = environment.log.getStats().entryCount
  if (recorded === revision - compactedRevision) return
  await environment.root.close()
  const message = `${DATA_FILE} is damaged (${recorded} changes recorded between revisions ${compactedRevision} and ${revision}): restore a backup`
  throw new DataDirectoryError('Damaged', directory, message)
}
