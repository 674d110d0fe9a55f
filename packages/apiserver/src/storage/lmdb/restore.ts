import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError, causeText } from '../errors.ts'
import { DATA_FILE, inspectFile, syncPath } from './data-directory.ts'
import { openEnvironment } from './environment.ts'
import { openLmdbStorage } from './open.ts'
import { decodeCompacted, encodeCompacted } from './record.ts'
import { encodeRestored, RESTORED } from './restored.ts'

export interface RestoreOptions {
  /**
   * Continue at the backup's revision plus this number, without its history. Revisions made after the backup would otherwise be given
   * out a second time, and a client that was connected before could take new objects for old ones; so every such client is told
   * to list again. Use a number above all the writes since the backup, for instance 1e9.
   */
  readonly advanceRevision?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

const RESTORING = 'restoring.tmp'

/**
 * Makes a data directory from a backup. `directory` must be empty or not exist; when this fails it is left as it was.
 * Every page of the copy is checked, and it is opened once. The store is marked as restored (see `LmdbStorage.restored`).
 * It is made aside and moved into place whole: a store that was restored and is not marked is never there, whenever the power went.
 */
export async function restoreBackup(file: string, directory: string, options: RestoreOptions = {}): Promise<void> {
  const existed = existsSync(directory)
  if (existed && readdirSync(directory).some((name) => name !== RESTORING)) {
    throw new BackupError('TargetNotEmpty', `${directory} is not empty: a backup is restored into an empty or a new directory`)
  }
  const aside = join(directory, RESTORING)
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  try {
    const draft = join(aside, DATA_FILE)
    copyFileSync(file, draft, constants.COPYFILE_EXCL)
    chmodSync(draft, 0o600)
    inspectFile(draft, true)
    const storage = await openLmdbStorage({ directory: aside })
    const { revision } = storage
    if (options.advanceRevision) await storage.compact(revision)
    await storage.close()
    await mark(draft, options.advanceRevision ?? 0, { at: (options.now ?? Date.now)(), revision })
    syncPath(draft)
    renameSync(draft, join(directory, DATA_FILE))
    rmSync(aside, { recursive: true, force: true })
    syncPath(directory)
  } catch (error) {
    rmSync(existed ? aside : directory, { recursive: true, force: true })
    throw new BackupError('Unreadable', `${file} cannot be restored: ${causeText(error)}`, error)
  }
}

/** Where the revision moves on the log is empty: the revision is that of the compaction. */
async function mark(file: string, advance: number, restored: { at: number; revision: number }): Promise<void> {
  const { root, meta } = openEnvironment(file)
  root.transactionSync(() => {
    const compacted = meta.get('compacted')
    const { revision, cumulativeCost } = compacted ? decodeCompacted(compacted) : { revision: 0, cumulativeCost: 0 }
    if (advance > 0) meta.put('compacted', encodeCompacted({ revision: revision + advance, cumulativeCost }))
    meta.put(RESTORED, encodeRestored(restored))
  })
  await root.close()
}
