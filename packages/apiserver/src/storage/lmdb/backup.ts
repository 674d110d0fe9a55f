import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { BackupError, causeText } from '../errors.ts'
import { DATA_FILE, inspectFile, syncPath } from './data-directory.ts'

/**
 * Copies the database while it is in use: LMDB reads it in one transaction of its own, on a thread of its own. Free
 * pages are copied as well: without them (LMDB's compacting copy) a later write may find a list of free pages that is not whole, on which
 * LMDB ends the process. The copy appears under its name only when it is whole and on disk; a file of that name is replaced.
 */
export async function backUp(root: RootDatabase, file: string): Promise<void> {
  // In a directory of our own: LMDB makes the file readable for everyone, and it holds secrets.
  const aside = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  const draft = join(aside, DATA_FILE)
  try {
    mkdirSync(aside, { mode: 0o700 })
    await root.backup(draft, false)
    chmodSync(draft, 0o600)
    inspectFile(draft)
    syncPath(draft)
    renameSync(draft, file)
    syncPath(dirname(file))
  } catch (error) {
    throw new BackupError('Failed', `backing up to ${file} failed: ${causeText(error)}`, error)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}
