import { createHash } from 'node:crypto'
import { chmod, chown, constants, copyFile, cp, lchown, lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { endAllIn } from './end-all-in.ts'
import { endAbandoned } from './run-note.ts'

/** Who a provider's process runs as. */
export interface ProcessUser {
  readonly uid: number
  readonly gid: number
}

/** Where a provider's process lives: all that it needs of this machine, and nothing of Weft's. */
export interface ProcessPlace {
  /** Undefined where Weft is not root, and so cannot run anything as somebody else. */
  readonly user: ProcessUser | undefined
  /** What the provider keeps; its own, kept over upgrades. */
  readonly home: string
  /** Its code and credentials: it may read them, and change nothing. Goes when the process does. */
  readonly run: string
  /** In it: the root of a program that has one. */
  readonly root: string
  /** The Node that runs modules. */
  readonly node: string
}

/**
 * Ids that no system gives to people or to its services. Each package has one of its own, out of a thousand for each control plane of this machine: users who are one
 * may look into the processes and files of one another.
 */
const FIRST_ID = 610_000
const IDS = 1000
const BLOCKS = 390
/** Where providers live when nobody but us may enter our own folder. */
const SHARED = '/var/lib/weft-providers'

/**
 * Prepares the place of a package's process. As root, each package gets a user id of its own, found again by who owns its folder, so that it
 * can read neither Weft's data and keys nor anything of another provider.
 */
export async function prepareProcessPlace(dataDir: string, packageName: string, revision: string): Promise<ProcessPlace> {
  const own = resolve(dataDir)
  const isRoot = process.getuid?.() === 0
  const root = await reachableRoot(own)
  const homes = join(root, 'providers')
  const home = join(homes, packageName)
  await mkdir(homes, { recursive: true, mode: 0o755 })
  if (root !== own) await bringAlong(join(own, 'providers', packageName), home)
  const user = isRoot ? await userOf(homes, packageName) : undefined
  await mkdir(home, { recursive: true, mode: 0o700 })
  const runs = join(root, 'provider-run')
  await mkdir(runs, { recursive: true, mode: 0o711 })
  const run = join(runs, revision)
  if (!(await endAbandoned(run))) throw new Error(`it is already running, started by another control plane: ${run}`)
  // Its keeper may have been ended, too.
  const rootOfRun = join(run, 'root')
  await endAllIn(rootOfRun)
  await rm(run, { recursive: true, force: true })
  await mkdir(run, { mode: 0o750 })
  await share(run, user)
  return { user, home, run, root: rootOfRun, node: user === undefined ? process.execPath : await reachableNode(root) }
}

/** Makes something of ours readable for the process alone: root owns it, its group may look. */
export async function share(path: string, user: ProcessUser | undefined): Promise<void> {
  if (user === undefined) return
  const { mode } = await stat(path)
  await chown(path, 0, user.gid)
  await chmod(path, (mode & 0o700) | ((mode & 0o500) >> 3))
}

/** Copies the files of a package to where its process may read them. */
export async function shareFiles(from: string, to: string, user: ProcessUser | undefined): Promise<void> {
  await cp(from, to, { recursive: true })
  await shareBelow(to, user)
}

async function shareBelow(path: string, user: ProcessUser | undefined): Promise<void> {
  await share(path, user)
  if ((await stat(path)).isDirectory()) for (const name of await readdir(path)) await shareBelow(join(path, name), user)
}

/** The data directory itself, where everybody may pass through it on the way to a folder of their own, or nobody else comes; else a folder elsewhere. */
export async function reachableRoot(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  if (process.getuid?.() !== 0) return dataDir
  if (await isOpen(dataDir)) return dataDir
  const shared = join(SHARED, createHash('sha256').update(dataDir).digest('hex').slice(0, 16))
  await mkdir(shared, { recursive: true, mode: 0o755 })
  await mkdir(join(dataDir, 'providers'), { recursive: true, mode: 0o700 })
  // Whoever looks for the data, or removes this folder, should know.
  await writeFile(
    join(dataDir, 'providers', 'README'),
    `What providers in processes of their own keep is in ${shared}: they may not enter this folder.\n`,
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

/** What a provider kept before it had to move is moved, once, entirely or not at all. */
async function bringAlong(before: string, home: string): Promise<void> {
  const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined
  if (!(await exists(before)) || (await exists(home))) return
  const part = `${home}.part`
  await rm(part, { recursive: true, force: true })
  await cp(before, part, { recursive: true, preserveTimestamps: true })
  await rename(part, home)
}

async function userOf(homes: string, packageName: string): Promise<ProcessUser> {
  const taken = new Map<string, number>()
  for (const name of await readdir(homes)) taken.set(name, (await lstat(join(homes, name))).uid)
  const before = taken.get(packageName)
  if (before !== undefined && before >= FIRST_ID) return { uid: before, gid: before }
  const first = FIRST_ID + (createHash('sha256').update(homes).digest().readUInt32BE() % BLOCKS) * IDS
  const uid = Math.max(first - 1, ...taken.values()) + 1
  await mkdir(join(homes, packageName), { recursive: true, mode: 0o700 })
  // The folder comes last: it is what says that the id is taken, and that all is done.
  await giveAll(join(homes, packageName), uid)
  return { uid, gid: uid }
}

async function giveAll(path: string, uid: number): Promise<void> {
  if ((await lstat(path)).isDirectory()) for (const name of await readdir(path)) await giveAll(join(path, name), uid)
  // Never through a link: it may point to anything.
  await lchown(path, uid, uid)
}

/** Node itself may be in somebody's home. */
async function reachableNode(root: string): Promise<string> {
  if (await isOpen(dirname(process.execPath))) return process.execPath
  const copy = join(root, `node-${process.version}`)
  if ((await stat(copy).catch(() => undefined)) !== undefined) return copy
  const part = `${copy}.${process.pid}`
  await copyFile(process.execPath, part, constants.COPYFILE_FICLONE)
  await chmod(part, 0o755)
  await rename(part, copy)
  return copy
}
