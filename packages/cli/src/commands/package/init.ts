import { isDns1123Label } from '@weft/api'
import type { PackageType } from '@weft/xpkg'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandFailure } from '../../report.ts'
import { configurationTemplate, providerTemplate } from './templates.ts'

export interface InitOptions {
  readonly name?: string
}

export async function init(type: PackageType, directory: string, { name = basename(resolve(directory)) }: InitOptions): Promise<number> {
  const [problem] = isDns1123Label(name)
  if (problem !== undefined)
    throw new CommandFailure(`${JSON.stringify(name)} cannot be the name of a package (${problem}); give another with --name`)
  const files = type === 'Provider' ? providerTemplate(name) : configurationTemplate(name)
  await writeAll(resolve(directory), files)
  const names = [...files.keys()].map((file) => `  ${join(directory, file)}`)
  process.stdout.write(`made a ${type.toLowerCase()} package:\n${names.join('\n')}\nNext: weft package build ${directory}\n`)
  return 0
}

/** All files or none; never into a directory that holds something. */
async function writeAll(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  const there = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new CommandFailure(`${directory} cannot be used: ${error.code === 'ENOTDIR' ? 'it is a file' : error.message}`)
  })
  if (there !== undefined && there.length > 0)
    throw new CommandFailure(`${directory} is not empty; name a directory that does not exist yet`)
  const temporary = `${directory}.part-${randomBytes(6).toString('hex')}`
  try {
    for (const [name, text] of files) {
      await mkdir(dirname(join(temporary, name)), { recursive: true })
      await writeFile(join(temporary, name), text)
    }
    if (there !== undefined) await rmdir(directory)
    await rename(temporary, directory)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    throw error
  }
}
