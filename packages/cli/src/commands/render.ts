import { gvkOf, type KubeObject } from '@weft/api'
import { NO_PACKAGES, openBundledPackages, type RenderedObject, Renderer, RenderError, type Rendering } from '@weft/plan'
import { Command, Option } from 'commander'
import { readManifests } from '../manifests/index.ts'
import { formatJson, formatYaml } from '../output/index.ts'
import { CommandFailure, style } from '../report.ts'
import type { Run } from '../run.ts'
import { collect } from './option-values.ts'
import { formatExplained } from './render-explain.ts'

interface RenderOptions {
  readonly filename?: readonly string[]
  readonly recursive?: boolean
  readonly observed?: readonly string[]
  readonly only?: readonly string[]
  readonly includeIntent?: boolean
  readonly explain?: boolean
  readonly packages: boolean
  readonly output: 'yaml' | 'json'
  readonly quiet?: boolean
}

export const renderCommand = (run: Run): Command =>
  new Command('render')
    .description(
      'Show the objects that would be made for a claim, requirement, composite or application, from files alone: no server is asked, and the same files always give the same text. Generated names and uids are stand-ins that follow from what they are for.',
    )
    .argument('[paths...]', 'files and directories: the intent, its class or Composition, definitions; - is standard input')
    .option('-f, --filename <path>', 'the same, one at a time', collect)
    .option('-R, --recursive', 'look into directories of directories, too')
    .option('--observed <path>', 'objects that exist already: their names are kept, and patches read them', collect)
    .option('--only <object>', 'render only this intent: KIND/NAME', collect)
    .option('--include-intent', 'show the intent, too, as it would be written back')
    .option('--explain', 'say of each field what set it: a patch, a base, the schema, or Weft itself')
    .option('--no-packages', 'do not use the packages of the bundled providers')
    .option('-q, --quiet', 'no notes')
    .addOption(new Option('-o, --output <format>', 'format').choices(['yaml', 'json']).default('yaml'))
    .addHelpText('after', '\nExample:\n  weft render claim.yaml class.yaml\n  weft render -f platform/ -f claim.yaml --explain')
    .action((paths: string[], options: RenderOptions) => run(() => render(paths, options)))

async function render(paths: readonly string[], options: RenderOptions): Promise<number> {
  const files = [...paths, ...(options.filename ?? [])]
  if (files.length === 0) throw new CommandFailure('name the files to render: weft render claim.yaml class.yaml')
  const read = async (from: readonly string[]): Promise<readonly KubeObject[]> =>
    from.length === 0 ? [] : (await readManifests(from, { recursive: options.recursive })).map(({ object }) => object)
  const [given, observed] = await Promise.all([read(files), read(options.observed ?? [])])
  const renderer = new Renderer(given, { observed, packages: options.packages ? openBundledPackages() : NO_PACKAGES })
  const intents = wanted(renderer.intents(), given, options.only)
  const renderings: Rendering[] = []
  try {
    for (const intent of intents) renderings.push(await renderer.render(intent))
  } catch (error) {
    throw error instanceof RenderError ? new CommandFailure(error.message, { cause: error }) : error
  }
  const notes = new Set(renderings.flatMap((rendering) => rendering.notes))
  if (options.quiet !== true) for (const note of notes) process.stderr.write(`${style('yellow', 'note')}: ${note}\n`)
  process.stdout.write(formatRenderings(renderings, options))
  return 0
}

function wanted(intents: readonly KubeObject[], given: readonly KubeObject[], only: readonly string[] | undefined): readonly KubeObject[] {
  if (only === undefined) {
    if (intents.length > 0) return intents
    const kinds = [...new Set(given.map(({ kind }) => kind))].join(', ')
    throw new CommandFailure(
      `nothing here is a claim, requirement, composite or application (there is ${kinds}): add one, and its class, definition or Composition`,
    )
  }
  return only.map((text) => {
    const found = given.find((object) => isNamed(object, text))
    if (found === undefined) throw new CommandFailure(`there is no ${text} in the files: --only takes KIND/NAME`)
    return found
  })
}

function isNamed(object: KubeObject, text: string): boolean {
  const [kind = '', name] = text.toLowerCase().split('/')
  const own = gvkOf(object)
  return object.metadata.name === name && (own.kind.toLowerCase() === kind || `${own.kind}.${own.group}`.toLowerCase() === kind)
}

function formatRenderings(renderings: readonly Rendering[], { output, explain = false, includeIntent = false }: RenderOptions): string {
  const objects = renderings.flatMap((rendering): readonly RenderedObject[] => [
    ...(includeIntent ? [{ object: rendering.intent, origins: [] }] : []),
    ...rendering.objects,
  ])
  if (output === 'json')
    return formatJson({ apiVersion: 'v1', kind: 'List', items: explain ? objects : objects.map(({ object }) => object) })
  return objects.map((each) => (explain ? formatExplained(each) : formatYaml(each.object))).join('---\n')
}
