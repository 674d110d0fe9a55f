import { openBundledPackages, validateObjects } from '@weft/plan'
import { type BuiltPackage, buildPackage, platformText, type Runtime, writeOciLayout, writeXpkg } from '@weft/xpkg'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandFailure } from '../../report.ts'
import { packageFolder } from './package-folder.ts'
import { runtimeFor, type RuntimeOptions } from './runtime-options.ts'

export interface BuildOptions extends RuntimeOptions {
  readonly output?: string
  readonly ociLayout?: string
}

export async function build(directory: string, options: BuildOptions): Promise<number> {
  const { output, ociLayout } = options
  if (output !== undefined && ociLayout !== undefined) throw new CommandFailure('give either --output or --oci-layout')
  const runtime = await runtimeFor(options)
  const built = await buildPackage(await packageFolder(directory), runtime)
  await mustBeValid(directory, built)
  const target = ociLayout ?? (await fileFor(built, output))
  await (ociLayout === undefined ? writeXpkg(built, target) : writeOciLayout(built, target))
  process.stdout.write(`${summaryOf(built, runtime)}\nwrote ${target}\n`)
  return 0
}

/** What `weft validate` refuses would be refused when it is installed, by people who cannot mend it. */
async function mustBeValid(directory: string, { contents }: BuiltPackage): Promise<void> {
  const objects = [contents.metadata, ...contents.objects]
  const problems = (await validateObjects(objects, { packages: openBundledPackages() })).filter(({ severity }) => severity === 'error')
  if (problems.length === 0) return
  const lines = problems.map(({ index, path, message }) => {
    const { kind, metadata } = objects[index] ?? { kind: '', metadata: {} }
    return `  ${kind} ${metadata.name ?? ''}: ${path === '' ? '' : `${path}: `}${message}`
  })
  throw new CommandFailure(
    `${directory} is not built: what it contains would be refused\n${lines.join('\n')}\n\`weft validate ${directory}\` says where`,
  )
}

/** A directory as output means a file in it. */
async function fileFor({ contents }: BuiltPackage, output: string | undefined): Promise<string> {
  const name = `${contents.name}.xpkg`
  if (output === undefined) return name
  const isDirectory = (await stat(output).catch(() => undefined))?.isDirectory() ?? false
  return isDirectory ? join(output, name) : output
}

/** What was found, so that its author sees what is missing or should not be there. */
function summaryOf({ contents, digest }: BuiltPackage, runtime: Runtime | undefined): string {
  const kinds = new Map<string, number>()
  for (const { kind } of contents.objects) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  const lines = [`${contents.type} ${contents.name} ${digest}`, ...[...kinds].map(([kind, count]) => `  ${count} ${kind}`)]
  const runs = runtime === undefined ? [] : [`  runs ${startOf(runtime).join(' ')} (${platformText(runtime.platform)})`]
  return [...lines, ...[...contents.files.keys()].map((file) => `  file ${file}`), ...runs].join('\n')
}

const startOf = ({ config: { Entrypoint, Cmd } }: Runtime): readonly string[] =>
  [Entrypoint, Cmd].flatMap((words) => (Array.isArray(words) ? words.map(String) : []))
