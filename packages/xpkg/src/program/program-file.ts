import { stat } from 'node:fs/promises'
import { PackageError } from '../package-error.ts'
import { followInside, quoted } from './inside.ts'
import type { Program } from './program.ts'

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export interface ProgramFile {
  /** On this machine. */
  readonly path: string
  /** As a program in that root knows it. */
  readonly inside: string
}

/** The file that is started, found as it would be in its root. Throws PackageError when there is none, or it is not to be run. */
export async function programFile(root: string, { command, env, workingDirectory }: Program, what: string): Promise<ProgramFile> {
  const [name = ''] = command
  const candidates = name.startsWith('/')
    ? [name]
    : name.includes('/')
      ? [`${workingDirectory}/${name}`]
      : (env['PATH'] ?? DEFAULT_PATH).split(':').map((folder) => `${folder}/${name}`)
  for (const inside of candidates) {
    const found = await followInside(root, inside, { what })
    const stats = found === undefined ? undefined : await stat(found.path).catch(() => undefined)
    if (found !== undefined && stats?.isFile() === true && (stats.mode & 0o111) !== 0)
      return { path: found.path, inside: found.path.slice(root.length) }
  }
  throw new PackageError(
    'Malformed',
    `${what} starts ${quoted(name)}, and there is no such program in it: its Entrypoint must name a file of the image that may be run`,
  )
}
