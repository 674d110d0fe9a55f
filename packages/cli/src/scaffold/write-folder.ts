import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandFailure } from '../report.ts'

/** All files or none; never into a directory that holds something. */
export async function writeFolder(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  const there = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new CommandFailure(`${directory} cannot be used: ${error.code === 'ENOTDIR' ? 'it is a file' : error.message}`)
  })
  if (there !== undefined && there.length > 0)
    throw new CommandFailure(`${directory} is not empty; name a directory that does not exist yet`)
  const temporary = `${directory}.part-${randomBytes(6).toString('hex')}`
  try {
    for (const [name, text] of files) {
      await mkdir(dirname(join(temporary, name)), { recursive: true })
      await writeFile(join(temporary, name), text)
    }
    if (there !== undefined) await rmdir(directory)
    await rename(temporary, directory)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw error
  }
}
