import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import { stopProcess } from './server-process.ts'

const run = promisify(execFile)

/** Where servers keep their data when their accounts cannot get into our own folder. */
const SHARED_ROOT = '/var/lib/weft-postgresql'

/**
 * The folder for servers: under `dataDir`, unless the accounts that run them may not go there (root's home, for example). Then it is a
 * folder of its own, the same for the same `dataDir`. Servers that were made while they could go there move with it: a server that is
 * looked for in the wrong folder would be made again, empty.
 */
export async function serverRoot(dataDir: string, account: Account | undefined): Promise<string> {
  const own = resolve(dataDir)
  await mkdir(own, { recursive: true, mode: 0o755 })
  const shared = sharedRoot(own)
  if (account === undefined) return own
  if ((await serversIn(shared)).length === 0 && (await isOpen(own))) return own
  await mkdir(shared, { recursive: true, mode: 0o755 })
  for (const name of await serversIn(own)) await moveServer(join(own, 'servers', name), join(shared, 'servers', name))
  // Whoever looks for the data, or removes this folder, should know.
  await writeFile(
    join(own, 'README'),
    `The data of the PostgreSQL servers is in ${shared}:\nthe accounts that run them may not enter this folder.\n`,
  )
  return shared
}

/** Has there ever been a server under this folder that is still there? Asked before anything that only servers need is made. */
export async function hasServers(dataDir: string): Promise<boolean> {
  const own = resolve(dataDir)
  return (await serversIn(own)).length > 0 || (await serversIn(sharedRoot(own))).length > 0
}

/** Removes what a root outside of the data directory holds besides servers, once there are none. */
export async function leaveRoot(root: string): Promise<void> {
  if (dirname(root) === SHARED_ROOT && (await serversIn(root)).length === 0) await rm(root, { recursive: true, force: true, maxRetries: 3 })
}

const sharedRoot = (own: string): string => join(SHARED_ROOT, createHash('sha256').update(own).digest('hex').slice(0, 16))

const serversIn = (root: string): Promise<string[]> => readdir(join(root, 'servers')).catch(() => [])

async function moveServer(from: string, to: string): Promise<void> {
  await stopProcess(join(from, 'data'))
  await mkdir(dirname(to), { recursive: true })
  await chmod(dirname(to), 0o711)
  try {
    await rename(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    const partial = `${dirname(to)}.moving`
    await rm(partial, { recursive: true, force: true })
    await run('cp', ['-a', from, partial])
    await rename(partial, to)
    await rm(from, { recursive: true, force: true })
  }
}

/** May anybody pass through all folders on the way? */
async function isOpen(path: string): Promise<boolean> {
  const { mode } = await stat(path)
  if ((mode & 0o001) === 0) return false
  const parent = dirname(path)
  return parent === path || isOpen(parent)
}
