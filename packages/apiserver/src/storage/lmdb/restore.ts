import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError, describe } from '../errors.ts'
import { DATA_FILE, inspectFile, syncPath } from './data-directory.ts'
import { openLmdbStorage } from './open.ts'

/**
 * Makes a data directory from a backup. `directory` must be empty or not exist; when this fails it is left as it was.
 * Every page of the copy is checked, and it is opened once.
 */
export async function restoreBackup(file: string, directory: string): Promise<void> {
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
    await (await openLmdbStorage({ directory })).close()
  } catch (error) {
    for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true, force: true })
    if (!existed) rmSync(directory, { recursive: true, force: true })
    throw new BackupError('Unreadable', `${file} cannot be restored: ${describe(error)}`, error)
  }
}
