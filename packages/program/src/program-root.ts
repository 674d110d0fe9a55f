import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { followInside } from '@weft/xpkg'
import { type ProcessUser, share } from './process-place.ts'

const run = promisify(execFile)

/** The root folder of one run of a program: the files of its image, and what it is given. */
export interface ProgramRoot {
  readonly path: string
  /** Writes a file that the program may read and nobody else; `path` as the program knows it. */
  give(path: string, contents: string | Uint8Array): Promise<void>
  /** Makes a folder that is the program's own. */
  own(path: string): Promise<void>
}

const DEVICES = [
  ['null', '3'],
  ['zero', '5'],
  ['random', '8'],
  ['urandom', '9'],
] as const
/** How names are looked up is the machine's business. */
const OF_THE_MACHINE = ['/etc/resolv.conf', '/etc/hosts']

/**
 * Makes the root of a run from the files that a store keeps. With a user of its own, who cannot change what is root's, they are the very same files;
 * else copies, since the program could change them. `to` must not exist.
 */
export async function assembleRoot(from: string, to: string, user: ProcessUser | undefined): Promise<ProgramRoot> {
  await run('cp', [user === undefined ? '-a' : '-al', from, to])
  await chmod(to, 0o755)
  const what = `the root of ${basename(dirname(to))}`
  const placeOf = async (path: string): Promise<string> => {
    const folder = await followInside(to, dirname(path), { what, create: true })
    if (folder === undefined) throw new Error(`${what} has no ${path}`)
    return join(folder.path, basename(path))
  }
  const root: ProgramRoot = {
    path: to,
    async give(path, contents) {
      const place = await placeOf(path)
      // Never into a file of the image, which is the store's own.
      await rm(place, { recursive: true, force: true })
      await writeFile(place, contents, { mode: 0o600, flag: 'wx' })
      await share(place, user)
    },
    async own(path) {
      const place = await placeOf(path)
      await mkdir(place, { recursive: true, mode: 0o700 })
      if (user !== undefined) await chown(place, user.uid, user.gid)
      await chmod(place, 0o700)
    },
  }
  await root.own('/tmp')
  for (const path of OF_THE_MACHINE) {
    const text = await readFile(path).catch(() => undefined)
    if (text !== undefined) await root.give(path, text)
  }
  if (user !== undefined) await makeDevices(await placeOf('/dev/null').then(dirname))
  return root
}

/** Programs do without where they cannot be made, as in a container that may not. */
async function makeDevices(folder: string): Promise<void> {
  for (const [name, minor] of DEVICES) {
    const path = join(folder, name)
    await rm(path, { recursive: true, force: true })
    await run('mknod', ['-m', '666', path, 'c', '1', minor]).catch(() => undefined)
  }
}
