import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Limits } from '../limits.ts'
import { PackageError } from '../package-error.ts'
import { readPlainFile } from '../source/read-file.ts'
import type { YamlFile } from './parse-package.ts'

/** The files of a package directory. */
export interface DirectoryContents {
  /** The metadata first, then by path. */
  readonly yaml: readonly YamlFile[]
  readonly files: ReadonlyMap<string, Uint8Array>
}

const METADATA_FILES = ['crossplane.yaml', 'package.yaml']
/** Crossplane's place for manifests that show how the package is used; they are not part of it. */
const EXAMPLES = 'examples'
const isLeftOut = (name: string, depth: number): boolean =>
  name.startsWith('.') || name === 'node_modules' || name.endsWith('.xpkg') || (depth === 0 && name === EXAMPLES)

/**
 * Reads a directory with `crossplane.yaml`: every YAML file holds objects, every other file travels along. Left out are hidden files,
 * node_modules, .xpkg files and the folder examples. Links are refused: what they point to may be anything on this machine.
 */
export async function readDirectory(directory: string, limits: Limits): Promise<DirectoryContents> {
  const found = new Map<string, Uint8Array>()
  let bytes = 0
  let entries = 0
  const tooLarge = (): PackageError =>
    new PackageError(
      'TooLarge',
      `${directory} contains more than ${limits.files} files or ${limits.unpackedBytes} bytes; is it the folder of the package alone?`,
    )
  /** Names in order; a folder with millions of them is not read to its end. */
  const namesIn = async (folder: string, depth: number): Promise<readonly string[]> => {
    const names: string[] = []
    for await (const { name } of await opendir(join(directory, folder))) {
      if (isLeftOut(name, depth)) continue
      if (++entries > limits.files) throw tooLarge()
      names.push(name)
    }
    return names.toSorted()
  }
  const walk = async (folder: string, depth: number): Promise<void> => {
    for (const name of await namesIn(folder, depth)) {
      const path = folder === '' ? name : `${folder}/${name}`
      const stats = await lstat(join(directory, path))
      if (stats.isDirectory()) {
        await walk(path, depth + 1)
        continue
      }
      if (!stats.isFile())
        throw new PackageError(
          'Malformed',
          `${join(directory, path)} is a link or special file; a package contains plain files only: copy what it points to`,
        )
      if (bytes + stats.size > limits.unpackedBytes) throw tooLarge()
      const contents = await readPlainFile(join(directory, path), limits.unpackedBytes - bytes)
      // Gone since it was listed: as if it had never been there.
      if (contents === undefined) continue
      bytes += contents.length
      found.set(path, contents)
    }
  }
  await walk('', 0).catch((cause: NodeJS.ErrnoException) => {
    if (cause instanceof PackageError) throw cause
    const why = cause.code === 'ENOENT' ? 'there is no such directory' : cause.code === 'ENOTDIR' ? 'it is not a directory' : cause.message
    throw new PackageError('NotFound', `${directory} cannot be read: ${why}`, { cause })
  })
  const metadata = METADATA_FILES.find((name) => found.has(name))
  if (metadata === undefined)
    throw new PackageError('NotFound', `${directory} contains no crossplane.yaml; \`weft package init\` creates a package to start from`)
  const isYaml = (path: string): boolean => /\.ya?ml$/.test(path)
  const rest = [...found.keys()].filter((path) => path !== metadata)
  return {
    yaml: [metadata, ...rest.filter(isYaml)].map((name) => ({ name, text: textOf(found.get(name) as Uint8Array, join(directory, name)) })),
    files: new Map(rest.filter((path) => !isYaml(path)).map((path) => [path, found.get(path) as Uint8Array])),
  }
}

export function textOf(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new PackageError('Malformed', `${what} is not UTF-8 text`, { cause })
  }
}
