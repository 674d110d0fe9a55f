import { execFile } from 'node:child_process'
import { lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Entry } from '../../packages/xpkg/src/program/program.fixture.ts'

const run = promisify(execFile)

/** A program of this machine with the libraries that it needs, as entries of a layer. */
export async function programFiles(path: string, name: string): Promise<readonly Entry[]> {
  const { stdout } = await run('ldd', [path]).catch(() => ({ stdout: '' }))
  const libraries = new Set([...stdout.matchAll(/(?:=> )?(\/[^\s]+) \(0x/g)].map((match) => match[1] as string))
  const entries: Entry[] = [{ name, mode: 0o755, text: await readFile(path) }]
  for (const library of libraries) entries.push({ name: library, mode: 0o755, text: await readFile(await realpath(library)) })
  return entries
}

/** A folder of this machine, as entries of a layer. */
export async function folderFiles(from: string, to: string, skip: (path: string) => boolean = () => false): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (const each of await readdir(from)) {
    const [path, name] = [join(from, each), `${to}/${each}`]
    if (skip(path)) continue
    const stats = await lstat(path)
    if (stats.isDirectory()) entries.push(...(await folderFiles(path, name, skip)))
    else if (stats.isSymbolicLink()) entries.push({ name, type: 'symlink', linkname: await readlink(path) })
    else if (stats.isFile()) entries.push({ name, mode: stats.mode & 0o777, text: await readFile(path) })
  }
  return entries
}
