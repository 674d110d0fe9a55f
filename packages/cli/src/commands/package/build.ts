import { type BuiltPackage, buildPackage, writeOciLayout, writeXpkg } from '@weft/xpkg'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandFailure } from '../../report.ts'

export interface BuildOptions {
  readonly output?: string
  readonly ociLayout?: string
}

export async function build(directory: string, { output, ociLayout }: BuildOptions): Promise<number> {
  if (output !== undefined && ociLayout !== undefined) throw new CommandFailure('give either --output or --oci-layout')
  const built = await buildPackage(directory)
  const target = ociLayout ?? (await fileFor(built, output))
  await (ociLayout === undefined ? writeXpkg(built, target) : writeOciLayout(built, target))
  process.stdout.write(`${summaryOf(built)}\nwrote ${target}\n`)
  return 0
}

/** A directory as output means a file in it. */
async function fileFor({ contents }: BuiltPackage, output: string | undefined): Promise<string> {
  const name = `${contents.name}.xpkg`
  if (output === undefined) return name
  const isDirectory = (await stat(output).catch(() => undefined))?.isDirectory() ?? false
  return isDirectory ? join(output, name) : output
}

/** What was found, so that its author sees what is missing or should not be there. */
function summaryOf({ contents, digest }: BuiltPackage): string {
  const kinds = new Map<string, number>()
  for (const { kind } of contents.objects) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  const lines = [`${contents.type} ${contents.name} ${digest}`, ...[...kinds].map(([kind, count]) => `  ${count} ${kind}`)]
  return [...lines, ...[...contents.files.keys()].map((file) => `  file ${file}`)].join('\n')
}
