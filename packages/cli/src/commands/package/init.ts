import { isDns1123Label } from '@weft/api'
import type { PackageType } from '@weft/xpkg'
import { basename, join, resolve } from 'node:path'
import { CommandFailure } from '../../report.ts'
import { writeFolder } from '../../scaffold/write-folder.ts'
import { configurationTemplate } from './configuration-template.ts'
import { providerTemplate } from './provider-template.ts'

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
  const next = type === 'Provider' ? `weft package dev ${directory}` : `weft package build ${directory}`
  process.stdout.write(`created a ${type.toLowerCase()} package:\n${names.join('\n')}\nNext: ${next}\n`)
  return 0
}
