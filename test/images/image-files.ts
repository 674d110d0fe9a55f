import { execFile } from 'node:child_process'
import { readFile, realpath } from 'node:fs/promises'
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
