import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, chown, lstat, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { followInside } from '@weft/xpkg'
import { type ProcessUser, share } from './process-place.ts'
import { starterProgram } from './starter.ts'

const run = promisify(execFile)

/** The root folder of one run of a program: the files of its image, and what it is given. */
export interface ProgramRoot {
  readonly path: string
  /** Writes a file that the program may read and nobody else; `path` as the program knows it. Only before the program runs. */
  give(path: string, contents: string | Uint8Array): Promise<void>
  /** A folder of files that the program may read and nobody else, which can be replaced while it runs. To be opened before. */
  folder(path: string): Promise<GivenFolder>
  /** Makes a folder that is the program's own. */
  own(path: string): Promise<void>
  /** Places what starts the program with its variables, and answers where it is in the root; undefined where there is nothing for this machine. */
  starter(): Promise<string | undefined>
}

/** Held open: whatever the program makes of the way to it, what is written is written there. */
export interface GivenFolder {
  /** As the program knows it, links followed. */
  readonly path: string
  /** The old file or the new one is there at any time. */
  write(name: string, contents: string | Uint8Array): Promise<void>
  close(): Promise<void>
}

const DEVICES = [
  ['null', '3'],
  ['zero', '5'],
  ['random', '8'],
  ['urandom', '9'],
] as const
const STARTER = '/run/weft-start'
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
      const folder = await root.folder(dirname(path))
      try {
        await folder.write(basename(path), contents)
      } finally {
        await folder.close()
      }
    },
    async folder(path) {
      const place = dirname(await placeOf(join(path, 'file')))
      const handle = await open(place, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
      const held = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : place
      return {
        path: place.slice(to.length) || '/',
        // Never into a file of the image, which is the store's own: its name is given to another.
        async write(name, contents) {
          const [file, part] = [join(held, name), join(held, `.${name}.${randomUUID()}`)]
          await writeFile(part, contents, { mode: 0o600, flag: 'wx' })
          await share(part, user)
          if ((await lstat(file).catch(() => undefined))?.isDirectory() === true) await rm(file, { recursive: true, force: true })
          await rename(part, file)
        },
        close: () => handle.close(),
      }
    },
    async own(path) {
      const place = await placeOf(path)
      await mkdir(place, { recursive: true, mode: 0o700 })
      if (user !== undefined) await chown(place, user.uid, user.gid)
      await chmod(place, 0o700)
    },
    async starter() {
      const program = starterProgram()
      if (program === undefined) return undefined
      const place = await placeOf(STARTER)
      await rm(place, { recursive: true, force: true })
      await writeFile(place, program, { mode: 0o500, flag: 'wx' })
      await share(place, user)
      return place.slice(to.length)
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
