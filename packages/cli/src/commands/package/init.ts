import { isDns1123Label } from '@weft/api'
import type { PackageType } from '@weft/xpkg'
import { basename, join, resolve } from 'node:path'
import { CommandFailure } from '../../report.ts'
import { writeFolder } from '../../scaffold/write-folder.ts'
import { configurationTemplate, providerTemplate } from './templates.ts'

export interface InitOptions {
  readonly name?: string
}

export async function init(type: PackageType, directory: string, { name = basename(resolve(directory)) }: InitOptions): Promise<number> {
  const [problem] = isDns1123Label(name)
  if (problem !== undefined)
    throw new CommandFailure(`${JSON.stringify(name)} cannot be the name of a package (${problem}); give another with --name`)
  const files = type === 'Provider' ? providerTemplate(name) : configurationTemplate(name)
  await writeFolder(resolve(directory), files)
  const names = [...files.keys()].map((file) => `  ${join(directory, file)}`)
  process.stdout.write(`made a ${type.toLowerCase()} package:\n${names.join('\n')}\nNext: weft package build ${directory}\n`)
  return 0
}
