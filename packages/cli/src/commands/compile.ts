import { formatFieldErrors, formatGroupKind, isJsonObject, type KubeObject } from '@weft/api'
import { checkComposition, type CompositeDefinition, type CompositionSchemas, compositionSchemas } from '@weft/controllers'
import { Command } from 'commander'
import { stringify } from 'yaml'
import { readManifests } from '../manifests/index.ts'
import { CommandFailure, style } from '../report.ts'
import type { Run } from '../run.ts'
import { definedKinds } from '../typescript/kinds-of.ts'
import { loadTypeScript } from '../typescript/load-module.ts'
import { writeOutput } from '../typescript/write-output.ts'

interface CompileOptions {
  readonly filename?: readonly string[]
  readonly recursive?: boolean
  readonly output?: string
}

export const compileCommand = (run: Run): Command =>
  new Command('compile')
    .description(
      'Compile a composition in TypeScript to YAML, ready to be applied. The file is run; its types are not checked: `tsc --noEmit` does that.',
    )
    .argument('<files...>', 'TypeScript files that export compositions')
    .option('-f, --filename <paths...>', 'files and directories with definitions and kinds, to check the result against')
    .option('-R, --recursive', 'include subdirectories')
    .option('-o, --output <file>', 'file to write (default: standard output)')
    .addHelpText('after', '\nExample:\n  weft compile composition.ts | weft apply -f -')
    .action((files: string[], options: CompileOptions) => run(() => compile(files, options)))

async function compile(files: readonly string[], { filename, recursive, output }: CompileOptions): Promise<number> {
  const compositions: KubeObject[] = []
  for (const file of files) compositions.push(...exported(await loadTypeScript(file), file))
  const names = compositions.map(({ metadata }) => metadata.name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new CommandFailure(`two compositions are named ${twice}: give each a name of its own`)
  if (filename !== undefined) check(compositions, await schemasOf(filename, recursive))
  await writeOutput(compositions.map((composition) => stringify(composition, { aliasDuplicateObjects: false })).join('---\n'), output)
  return 0
}

/** Every export that is a composition or a list of them, each once. */
function exported(module: Readonly<Record<string, unknown>>, file: string): readonly KubeObject[] {
  const found = new Set(Object.values(module).flat().filter(isComposition))
  if (found.size === 0) throw new CommandFailure(`${file} exports no composition: write \`export default defineComposition(...)\``)
  return [...found]
}

const isComposition = (value: unknown): value is KubeObject =>
  isJsonObject(value) && value['kind'] === 'Composition' && isJsonObject(value['spec'])

async function schemasOf(paths: readonly string[], recursive: boolean | undefined): Promise<CompositionSchemas> {
  const objects = (await readManifests(paths, { recursive })).map(({ object }) => object)
  const crds = new Map(definedKinds(objects).map(({ crd }) => [formatGroupKind({ group: crd.spec.group, kind: crd.spec.names.kind }), crd]))
  const definitions = objects.filter(
    ({ kind }) => kind === 'ApplicationDefinition' || kind === 'InfrastructureDefinition',
  ) as CompositeDefinition[]
  return compositionSchemas({
    crd: (kind) => crds.get(formatGroupKind(kind)),
    definition: ({ group, kind }) =>
      definitions.find(({ spec: { crdSpecTemplate: template } }) => template.group === group && template.names.kind === kind),
  })
}

/** As the control plane will when they are applied. */
function check(compositions: readonly KubeObject[], schemas: CompositionSchemas): void {
  for (const composition of compositions) {
    const name = composition.metadata.name ?? ''
    const problems = checkComposition(composition, schemas)
    for (const { severity, error } of problems)
      if (severity === 'warning')
        process.stderr.write(`${style('yellow', 'Warning')}: Composition ${name}: ${formatFieldErrors([error])}\n`)
    const errors = problems.filter(({ severity }) => severity === 'error').map(({ error }) => error)
    if (errors.length > 0) throw new CommandFailure(`Composition ${name}: ${formatFieldErrors(errors)}`)
  }
}
