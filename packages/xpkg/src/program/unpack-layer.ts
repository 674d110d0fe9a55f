import { constants } from 'node:fs'
import { chmod, link, lstat, mkdir, open, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '@weft/api'
import { extract, type Header } from 'tar-stream'
import { PackageError } from '../package-error.ts'
import { followInside, type Inside, mustStayInside, partsOf, quoted } from './inside.ts'

/** What all layers of an image may take together. */
export interface Budget {
  bytes: number
  entries: number
}

interface UnpackOptions {
  readonly budget: Budget
  /** For messages. */
  readonly what: string
}

/** In the name of a file: what is called so in the layers below is gone. */
const REMOVED = '.wh.'
/** A file that says: so is everything in its folder. */
const ALL_REMOVED = '.wh..wh..opq'
const PLAIN = new Set(['file', 'contiguous-file'])
const SET_ID = 0o6000
const LONGEST = 4096

/**
 * Lays the entries of a layer over what is in `root`. Never writes elsewhere: links are never written through, but followed as a program in that root
 * would follow them. Owners are not kept, and everybody may read and, where anybody may, run what there is: whose program runs in it is decided
 * later, and which folders it can reach.
 * Throws PackageError; what it has written until then is to be thrown away.
 */
export async function unpackLayer(archive: AsyncIterable<Uint8Array>, root: string, options: UnpackOptions): Promise<void> {
  await new LayerUnpacker(root, options).unpack(archive)
}

class LayerUnpacker {
  readonly #root: string
  readonly #budget: Budget
  readonly #what: string
  /** Of this layer: what its own removals do not touch. */
  readonly #written = new Set<string>()
  /** Folders that were followed before, as long as nothing on the way was taken away. */
  #followed = new Map<string, Inside>()

  constructor(root: string, { budget, what }: UnpackOptions) {
    this.#root = root
    this.#budget = budget
    this.#what = what
  }

  async unpack(source: AsyncIterable<Uint8Array>): Promise<void> {
    const archive = extract()
    let failed: unknown
    const fed = (async () => {
      try {
        for await (const chunk of source) {
          // Whoever reads has given up: nothing more is unpacked, and the file is let go.
          if (archive.destroyed) return
          if (!archive.write(chunk)) await drained(archive)
        }
        archive.end(new Uint8Array())
      } catch (error) {
        failed = error
        archive.destroy(error as Error)
      }
    })()
    try {
      for await (const entry of archive) {
        this.#count()
        await this.#place(entry.header, entry)
        entry.resume()
      }
      await fed
      if (failed !== undefined) throw failed
    } catch (cause) {
      archive.destroy(cause as Error)
      await fed
      const error = failed ?? cause
      if (error instanceof PackageError) throw error
      throw new PackageError('Malformed', `${this.#what} cannot be unpacked: ${messageOf(error)}`, { cause: error })
    }
  }

  #count(): void {
    if (--this.#budget.entries < 0) throw new PackageError('TooLarge', `${this.#what}: the image contains too many files; it is refused`)
  }

  async #place(header: Header, contents: AsyncIterable<unknown>): Promise<void> {
    const { name, type = 'file', mode = 0o644, linkname } = header
    if (name.length > LONGEST || name.includes('\0')) throw this.#refuse(name, 'has a name that no file can have')
    const parts = partsOf(name)
    if (parts.includes('..')) throw this.#refuse(name, 'leads out of the image')
    const last = parts.at(-1)
    if (last === undefined) return
    const parent = await this.#folder(parts.slice(0, -1).join('/'))
    if (last === ALL_REMOVED) return this.#removeBelow(parent)
    if (last.startsWith(REMOVED)) return this.#remove(parent, last.slice(REMOVED.length), name)
    const path = join(parent.path, last)
    if (type === 'directory') await this.#makeFolder(path)
    else if (type === 'symlink') await this.#makeLink(path, { name, target: linkname ?? '', depth: parent.depth })
    else if (type === 'link') await this.#makeSecondName(path, name, linkname ?? '')
    else if (PLAIN.has(type)) {
      if ((mode & SET_ID) !== 0)
        throw this.#refuse(
          name,
          'would run with the rights of its owner (setuid or setgid), which no package may ask for: take the bit off with chmod a-s when the image is built',
        )
      await this.#writeFile(path, mode, contents)
    } else throw this.#refuse(name, `is a ${type}, which no package may bring`)
    this.#written.add(path)
  }

  async #folder(path: string): Promise<Inside> {
    const before = this.#followed.get(path)
    if (before !== undefined) return before
    const found = await followInside(this.#root, path, { what: this.#what, create: true, onCreate: () => this.#count() })
    if (found === undefined) throw this.#refuse(path, 'cannot be reached')
    this.#followed.set(path, found)
    return found
  }

  async #makeFolder(path: string): Promise<void> {
    const before = await lstat(path).catch(() => undefined)
    if (before?.isDirectory() === true) return
    if (before !== undefined) await this.#clear(path)
    await mkdir(path, { mode: 0o755 })
  }

  async #makeLink(path: string, { name, target, depth }: { name: string; target: string; depth: number }): Promise<void> {
    if (target === '' || target.length > LONGEST || target.includes('\0')) throw this.#refuse(name, 'is a link to nothing')
    mustStayInside(target, depth, { name, what: this.#what })
    await this.#clear(path)
    await symlink(target, path)
  }

  async #makeSecondName(path: string, name: string, target: string): Promise<void> {
    if (partsOf(target).includes('..')) throw this.#refuse(name, `is a second name of ${quoted(target)}, which leads out of the image`)
    const folder = await followInside(this.#root, dirname(`/${target}`), { what: this.#what })
    const first = folder === undefined ? '' : join(folder.path, basename(target))
    const stats = folder === undefined ? undefined : await lstat(first).catch(() => undefined)
    if (stats === undefined || (!stats.isFile() && !stats.isSymbolicLink()))
      throw this.#refuse(name, `is a second name of ${quoted(target)}, and that is no file of the image`)
    if (first === path) return
    await this.#clear(path)
    if (stats.isSymbolicLink()) await symlink(await readlink(first), path)
    else await link(first, path)
  }

  async #writeFile(path: string, mode: number, contents: AsyncIterable<unknown>): Promise<void> {
    await this.#clear(path)
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
    try {
      for await (const chunk of contents) {
        this.#budget.bytes -= (chunk as Uint8Array).length
        if (this.#budget.bytes < 0) throw new PackageError('TooLarge', `${this.#what}: the image unpacks to too many bytes; it is refused`)
        await file.write(chunk as Uint8Array)
      }
    } finally {
      await file.close()
    }
    await chmod(path, (mode & 0o111) === 0 ? 0o444 : 0o555)
  }

  async #remove(parent: Inside, removed: string, name: string): Promise<void> {
    if (['', '.', '..'].includes(removed)) throw this.#refuse(name, 'removes what is not in the image')
    const path = join(parent.path, removed)
    if (!this.#written.has(path)) await this.#clear(path)
  }

  async #removeBelow({ path }: Inside): Promise<void> {
    for (const name of await readdir(path)) {
      const below = join(path, name)
      if (!this.#written.has(below)) await this.#clear(below)
    }
  }

  async #clear(path: string): Promise<void> {
    if ((await lstat(path).catch(() => undefined)) === undefined) return
    await rm(path, { recursive: true, force: true })
    this.#followed = new Map()
  }

  #refuse(name: string, why: string): PackageError {
    return new PackageError('NotAllowed', `${this.#what} contains ${quoted(name)}, which ${why}; it is refused`)
  }
}

const drained = (stream: NodeJS.EventEmitter & { readonly destroyed: boolean }): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) return resolve()
    const go = (): void => {
      for (const event of ['drain', 'close', 'error']) stream.off(event, go)
      resolve()
    }
    for (const event of ['drain', 'close', 'error']) stream.once(event, go)
  })
