import { lstat, mkdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { PackageError } from '../package-error.ts'

/** As many as Linux follows. */
const MAX_LINKS = 40
const MAX_DEPTH = 256

export const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.')

export interface Inside {
  /** Where it is on this machine. No link leads there. */
  readonly path: string
  /** How many folders below the root. */
  readonly depth: number
}

interface InsideOptions {
  readonly what: string
  /** Folders that are missing are made. */
  readonly create?: boolean
  /** Before each that is made; may throw. */
  readonly onCreate?: () => void
}

/**
 * Where a path of an image leads, with every link on the way followed as it would be for a program whose root `root` is: an absolute one starts at
 * `root`. One that climbs out of it is refused. Answers undefined when there is nothing, and nothing is to be made.
 */
export async function followInside(
  root: string,
  path: string,
  { what, create = false, onCreate }: InsideOptions,
): Promise<Inside | undefined> {
  const waiting = partsOf(path).toReversed()
  const walked: string[] = []
  let links = 0
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part === '..') {
      if (walked.pop() === undefined) throw outside(path, what)
      continue
    }
    const here = join(root, ...walked, part)
    const stats = await lstat(here).catch(() => undefined)
    if (stats?.isSymbolicLink() === true) {
      if (++links > MAX_LINKS) throw new PackageError('Malformed', `${what}: too many links on the way to ${quoted(path)}`)
      const target = await readlink(here)
      if (target.startsWith('/')) walked.length = 0
      waiting.push(...partsOf(target).toReversed())
      continue
    }
    if (stats === undefined && !create) return undefined
    if (stats === undefined) {
      onCreate?.()
      await mkdir(here, { mode: 0o755 })
    }
    walked.push(part)
    if (walked.length > MAX_DEPTH) throw new PackageError('TooLarge', `${what}: ${quoted(path)} lies deeper than ${MAX_DEPTH} folders`)
  }
  return { path: join(root, ...walked), depth: walked.length }
}

/** Refuses the target of a link in a folder `depth` below the root that climbs out of the image. */
export function mustStayInside(target: string, depth: number, { name, what }: { readonly name: string; readonly what: string }): void {
  let at = target.startsWith('/') ? 0 : depth
  for (const part of partsOf(target)) {
    at += part === '..' ? -1 : 1
    if (at < 0)
      throw new PackageError('NotAllowed', `${what}: the link ${quoted(name)} to ${quoted(target)} leads out of the image; it is refused`)
  }
}

const outside = (path: string, what: string): PackageError =>
  new PackageError('NotAllowed', `${what}: ${quoted(path)} leads out of the image; it is refused`)

/** Names in images are a stranger's text. */
export const quoted = (name: string): string => JSON.stringify(name.slice(0, 200))
