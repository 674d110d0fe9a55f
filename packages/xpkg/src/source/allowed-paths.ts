import { realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { PackageError } from '../package-error.ts'

/** From where packages on disk may be read. Whoever writes `spec.package` need not be somebody who may read files of this machine. */
export interface AllowedPaths {
  /** Directories; what is below them may be read. */
  readonly within: readonly string[]
  /** Directories below those that may not. */
  readonly except?: readonly string[] | undefined
}

/**
 * The path itself, links followed. Throws `NotAllowed` when it is not within what is allowed; a path that does not even look as if it were is
 * refused without a look at the disk, so that nobody learns what is there.
 */
export async function allowedPath(path: string, { within, except = [] }: AllowedPaths): Promise<string> {
  const refuse = (): PackageError => {
    const where =
      within.length === 0 ? 'this control plane reads no packages from disk' : `packages are read from ${within.join(', ')} only`
    return new PackageError(
      'NotAllowed',
      `${path} may not be read: ${where}; push the package to a registry, or start the control plane with --package-path and the directory that it is in`,
    )
  }
  const isAllowed = (candidate: string, roots: readonly string[], holes: readonly string[]): boolean =>
    roots.some((root) => contains(root, candidate)) && !holes.some((hole) => contains(hole, candidate))
  const asked = resolve(path)
  if (!isAllowed(asked, within.map(toFull), except.map(toFull))) throw refuse()
  const real = await realpath(asked).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'there is no such file or directory' : cause.message
    throw new PackageError('NotFound', `${path} cannot be read: ${why}`, { cause })
  })
  if (!isAllowed(real, await Promise.all(within.map(toReal)), await Promise.all(except.map(toReal)))) throw refuse()
  return real
}

const toFull = (path: string): string => resolve(path)
/** One that is not there yet contains nothing. */
const toReal = (path: string): Promise<string> => realpath(path).catch(() => resolve(path))

function contains(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`))
}
