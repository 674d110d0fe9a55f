import { gvkOf, type KubeObject } from '@weft/api'
import { isPipeline, NO_PACKAGES, openBundledPackages, type RenderedObject, Renderer, RenderError, type Rendering } from '@weft/plan'
import { Command, Option } from 'commander'
import { readManifests } from '../manifests/index.ts'
import { formatJson, formatYaml } from '../output/index.ts'
import { CommandFailure, style } from '../report.ts'
import type { Run } from '../run.ts'
import { collect, durationOption } from './option-values.ts'
import { formatExplained } from './render-explain.ts'
import type { PipelineOptions } from './render/pipeline.ts'

interface RenderOptions extends PipelineOptions {
  readonly filename?: readonly string[]
  readonly recursive?: boolean
  readonly observed?: readonly string[]
  readonly only?: readonly string[]
  readonly includeIntent?: boolean
  readonly explain?: boolean
  readonly packages: boolean
  /** A format; or, as `crossplane render` has it, where the observed resources are. */
  readonly output: string
  readonly quiet?: boolean
}

const TIMEOUT = '60s'

export const renderCommand = (run: Run): Command =>
  new Command('render')
    .description(
      'Show the objects that would be created for a claim, requirement, composite or application, from files alone: no server is asked, and the same files always give the same output. Generated names and uids are placeholders that are always the same. A composite resource with a Composition of functions is rendered as its controller would compose it; built-in functions need nothing else.',
    )
    .argument('[paths...]', 'files and directories: the intent, its class or Composition, definitions, functions; - is standard input')
    .option('-f, --filename <path>', 'a file or directory, like an argument; may be repeated', collect)
    .option('-R, --recursive', 'include subdirectories')
    .option('--observed <path>', 'objects that exist already: their names are kept, and patches read them', collect)
    .option('--only <object>', 'render only this intent: KIND/NAME', collect)
    .option('--include-intent', 'also show the intent, as it would be written back')
    .option('--explain', 'show what set each field: a patch, a base, the schema, or Weft itself')
    .option('--no-packages', 'do not use the packages of the bundled providers')
    .option('-q, --quiet', 'leave out notes')
    .option('-o, --output <format>', 'yaml or json; with functions also a path, as --observed-resources', 'yaml')
    .option('--observed-resources <path>', 'with functions: composed resources that exist already', collect)
    .option('-e, --required-resources <path>', 'with functions: what they may ask for', collect)
    .addOption(new Option('--extra-resources <path>', 'the same').argParser(collect).hideHelp())
    .option('--function-credentials <path>', 'with functions: Secrets that steps name as credentials', collect)
    .option('--context-files <key=file>', 'with functions: the context that the pipeline begins with, from files of JSON or YAML', collect)
    .option('--context-values <key=value>', 'the same as values in JSON or YAML; they override files', collect)
    .option('-a, --function-annotations <key=value>', 'annotations to set on every Function, overriding its own', collect)
    .option('--xrd <file>', 'with functions: the definition of the composite: its defaults, and where its machinery is')
    .option('-x, --include-full-xr', 'with functions: the whole composite, not just what changes')
    .option('-r, --include-function-results', 'with functions: their results, as objects of kind Result')
    .option('-c, --include-context', 'with functions: the context at the end, as an object of kind Context')
    .addOption(durationOption('--timeout <duration>', 'with functions: how long one call may take', TIMEOUT))
    .addHelpText(
      'after',
      '\nExample:\n  weft render claim.yaml class.yaml\n  weft render -f platform/ -f claim.yaml --explain\n  weft render xr.yaml composition.yaml functions.yaml --include-function-results',
    )
    .action((paths: string[], options: RenderOptions) => run(() => render(paths, options)))

async function render(paths: readonly string[], options: RenderOptions): Promise<number> {
  const files = [...paths, ...(options.filename ?? [])]
  if (files.length === 0) throw new CommandFailure('name the files to render: weft render claim.yaml class.yaml')
  const read = async (from: readonly string[]): Promise<readonly KubeObject[]> =>
    from.length === 0 ? [] : (await readManifests(from, { recursive: options.recursive })).map(({ object }) => object)
  const [given, observed] = await Promise.all([read(files), read(options.observed ?? [])])
  const isFormat = options.output === 'yaml' || options.output === 'json'
  if (isPipeline(given)) {
    const { renderPipelineFiles } = await import('./render/pipeline.ts')
    const observedResources = [...(options.observed ?? []), ...(options.observedResources ?? []), ...(isFormat ? [] : [options.output])]
    return renderPipelineFiles(given, options.output === 'json' ? 'json' : 'yaml', { ...options, observedResources })
  }
  if (!isFormat) throw new CommandFailure(`${options.output} is no format: yaml and json are`)
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
