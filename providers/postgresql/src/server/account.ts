import { execFile } from 'node:child_process'
import { chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** Who runs the servers when we are root, which PostgreSQL refuses to be. */
export interface Account {
  readonly name: string
  readonly ids: { readonly uid: number; readonly gid: number }
}

const run = promisify(execFile)
const CANDIDATES = ['postgres', 'nobody']

/** Undefined when we are not root: then servers run as we do. */
export async function serverAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of CANDIDATES) {
    const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)])
    if (uid !== undefined && gid !== undefined) return { name, ids: { uid, gid } }
  }
  throw new Error(`PostgreSQL does not run as root, and this machine has none of the users ${CANDIDATES.join(', ')} to run it as`)
}

async function idOf(flag: string, name: string): Promise<number | undefined> {
  try {
    return Number((await run('id', [flag, name])).stdout.trim())
  } catch {
    return undefined
  }
}

/** Where servers keep their data when the account cannot get into our own folder. */
const SHARED_ROOT = '/var/lib/weft-postgresql'

/**
 * The folder for servers: under `dataDir`, unless the account that runs them may not go there (root's home, for example). Then it is a
 * folder of its own, the same for the same `dataDir`.
 */
export async function serverRoot(dataDir: string, account: Account | undefined): Promise<string> {
  const own = resolve(dataDir)
  await mkdir(own, { recursive: true, mode: 0o755 })
  if (account === undefined || (await isOpen(own))) return own
  const shared = join(SHARED_ROOT, createHash('sha256').update(own).digest('hex').slice(0, 16))
  await mkdir(shared, { recursive: true, mode: 0o755 })
  // Whoever looks for the data, or removes this folder, should know.
  await writeFile(
    join(own, 'README'),
    `The data of the PostgreSQL servers is in ${shared}:\n${account.name}, who runs them, may not enter this folder.\n`,
  )
  return shared
}

/** May anybody pass through all folders on the way? */
async function isOpen(path: string): Promise<boolean> {
  const { mode } = await stat(path)
  if ((mode & 0o001) === 0) return false
  const parent = dirname(path)
  return parent === path || isOpen(parent)
}

export async function giveTo(account: Account | undefined, path: string): Promise<void> {
  if (account !== undefined) await chown(path, account.ids.uid, account.ids.gid)
}
