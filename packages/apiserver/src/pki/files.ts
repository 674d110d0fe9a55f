import { randomBytes } from 'node:crypto'
import { open, rename, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface FileWrite {
  readonly path: string
  readonly data: string
  readonly mode: number
}

/** Suffix of a file that is being written; what a crash leaves behind carries it too. */
export const TEMPORARY_SUFFIX: RegExp = /\.[0-9a-f]{12}\.tmp$/

/**
 * Writes all files or, on failure, leaves the old ones in place: temporary file, fsync, rename, fsync of the folder.
 * The files become visible in the order given. Resolves when they are durable.
 */
export async function writeFilesAtomically(writes: readonly FileWrite[]): Promise<void> {
  const staged = await Promise.allSettled(writes.map(stage))
  const failed = staged.find((result) => result.status === 'rejected')
  const temporaries = staged.map((result) => (result.status === 'fulfilled' ? result.value : undefined))
  try {
    if (failed !== undefined) throw failed.reason
    for (const [index, write] of writes.entries()) {
      await rename(temporaries[index] as string, write.path)
      temporaries[index] = undefined
    }
  } catch (error) {
    await Promise.allSettled(temporaries.map((path) => (path === undefined ? undefined : unlink(path))))
    throw error
  }
  for (const folder of new Set(writes.map((write) => dirname(write.path)))) await syncFolder(folder)
}

async function stage({ path, data, mode }: FileWrite): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  // The mode is given at creation: a private key must not be readable for even a moment.
  const handle = await open(temporary, 'wx', mode)
  try {
    await handle.writeFile(data)
    await handle.sync()
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
  return temporary
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; there the rename is as durable as it gets.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
