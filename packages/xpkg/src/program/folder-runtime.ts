import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type TarEntry, writeEntries } from '../archive/write-tar.ts'
import { compressed, type Runtime } from '../image/build-image.ts'
import { PROGRAM_LIMITS } from '../limits.ts'
import { PackageError } from '../package-error.ts'
import { readPlainFile } from '../source/read-file.ts'
import { missingInterpreter, withoutInterpreter } from './interpreter.ts'
import type { Platform } from './platform.ts'
import { programFile } from './program-file.ts'

export interface FolderRuntimeOptions {
  /** What is started, and its arguments; paths as in the folder. */
  readonly entrypoint: readonly string[]
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly workingDirectory?: string | undefined
  readonly platform: Platform
}

/**
 * A folder of this machine as what a package runs: it becomes the root of the program. Links are kept as they are, owners and setuid bits are not. The same files
 * always give the same layer. Throws PackageError when what it is to start is not in it, or cannot be started there.
 */
export async function folderRuntime(folder: string, options: FolderRuntimeOptions): Promise<Runtime> {
  const { entrypoint, env = {}, workingDirectory, platform } = options
  const archive = await writeEntries(entriesOf(folder)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR' && cause.code !== 'EACCES') throw cause
    throw new PackageError('NotFound', `${folder} cannot be read: ${cause.message}`, { cause })
  })
  const started = { command: entrypoint, env, workingDirectory: workingDirectory ?? '/', platform, layers: [] }
  const { path, inside } = await programFile(folder, started, folder)
  const missing = await missingInterpreter(folder, path, folder)
  if (missing !== undefined) throw new PackageError('Malformed', `${folder}: ${withoutInterpreter(inside, missing)}`)
  const config = {
    Entrypoint: [...entrypoint],
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...(workingDirectory !== undefined && { WorkingDir: workingDirectory }),
  }
  return { platform, config, layers: [await compressed(archive)] }
}

async function* entriesOf(folder: string): AsyncGenerator<TarEntry> {
  let left = PROGRAM_LIMITS.layerBytes
  async function* below(inside: string): AsyncGenerator<TarEntry> {
    for (const each of (await readdir(join(folder, inside))).toSorted()) {
      const name = inside === '' ? each : `${inside}/${each}`
      const path = join(folder, name)
      const stats = await lstat(path)
      const mode = stats.mode & 0o777
      if (stats.isDirectory()) {
        yield { type: 'directory', name: `${name}/`, mode }
        yield* below(name)
      } else if (stats.isSymbolicLink()) yield { type: 'symlink', name, linkname: await readlink(path) }
      else if (stats.isFile()) {
        left -= stats.size
        if (left < 0)
          throw new PackageError(
            'TooLarge',
            `${folder} contains more than ${PROGRAM_LIMITS.layerBytes} bytes; is it the root of the program alone?`,
          )
        // Gone since it was listed: as if it had never been there.
        const bytes = await readPlainFile(path, stats.size)
        if (bytes !== undefined) yield { type: 'file', name, mode, bytes }
      } else throw new PackageError('Malformed', `${path} is neither a file, a folder nor a link: images hold nothing else`)
    }
  }
  yield* below('')
}
