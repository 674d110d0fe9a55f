import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError, causeText } from '../errors.ts'
import { DATA_FILE, inspectFile, syncPath } from './data-directory.ts'
import { openEnvironment } from './environment.ts'
import { openLmdbStorage } from './open.ts'
import { decodeCompacted, encodeCompacted } from './record.ts'

export interface RestoreOptions {
  /**
   * Continue at the backup's revision plus this number, without its history. Revisions made after the backup would otherwise be given
   * out a second time, and a client that was connected before could take new objects for old ones; so every such client is told
   * to list again. Use a number above all the writes since the backup, for instance 1e9.
   */
  readonly advanceRevision?: number
}

/**
 * Makes a data directory from a backup. `directory` must be empty or not exist; when this fails it is left as it was.
 * Every page of the copy is checked, and it is opened once.
 */
export async function restoreBackup(file: string, directory: string, options: RestoreOptions = {}): Promise<void> {
  const existed = existsSync(directory)
  if (existed && readdirSync(directory).length > 0) {
    throw new BackupError('TargetNotEmpty', `${directory} is not empty: a backup is restored into an empty or a new directory`)
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  try {
    const draft = join(directory, 'restoring.tmp')
    copyFileSync(file, draft, constants.COPYFILE_EXCL)
    chmodSync(draft, 0o600)
    inspectFile(draft, true)
    syncPath(draft)
    renameSync(draft, join(directory, DATA_FILE))
    syncPath(directory)
    const storage = await openLmdbStorage({ directory })
    if (options.advanceRevision) await storage.compact(storage.revision)
    await storage.close()
    if (options.advanceRevision) advanceRevision(join(directory, DATA_FILE), options.advanceRevision)
  } catch (error) {
    for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true, force: true })
    if (!existed) rmSync(directory, { recursive: true, force: true })
    throw new BackupError('Unreadable', `${file} cannot be restored: ${causeText(error)}`, error)
  }
}

/** The log is empty: the revision is that of the compaction. */
function advanceRevision(file: string, by: number): void {
  const { root, meta } = openEnvironment(file)
  root.transactionSync(() => {
    const compacted = meta.get('compacted')
    const { revision, cumulativeCost } = compacted ? decodeCompacted(compacted) : { revision: 0, cumulativeCost: 0 }
    meta.put('compacted', encodeCompacted({ revision: revision + by, cumulativeCost }))
  })
  void root.close()
}
