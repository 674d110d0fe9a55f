import { randomUUID } from 'node:crypto'
import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { BackupError, describe } from '../errors.ts'
import { DATA_FILE, inspectFile, syncPath } from './data-directory.ts'
import { openLmdbStorage } from './open.ts'

/**
 * Copies the database while it is in use: LMDB reads it in one transaction of its own, on a thread of its own, and leaves out
 * free pages. The copy appears under its name only when it is whole and on disk; a file of that name is replaced.
 */
export async function backUp(root: RootDatabase, file: string): Promise<void> {
  // In a directory of our own: LMDB makes the file readable for everyone, and it holds secrets.
  const aside = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  const draft = join(aside, DATA_FILE)
  try {
    mkdirSync(aside, { mode: 0o700 })
    await root.backup(draft, true)
    chmodSync(draft, 0o600)
    inspectFile(draft)
    syncPath(draft)
    renameSync(draft, file)
    syncPath(dirname(file))
  } catch (error) {
    throw new BackupError('Failed', `backing up to ${file} failed: ${describe(error)}`, error)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

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
