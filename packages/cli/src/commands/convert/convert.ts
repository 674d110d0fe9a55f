import { formatFieldErrors, type KubeObject } from '@weft/api'
import { convertObjects, type ConversionSide, type Loss, parseTemplateSource, sideOf } from '@weft/composition'
import { type Manifest, readManifests } from '../../manifests/index.ts'
import { formatYaml } from '../../output/format-yaml.ts'
import { CommandFailure } from '../../report.ts'
import { writeOutput } from '../../typescript/write-output.ts'

export interface ConvertOptions {
  readonly filename?: readonly string[]
  readonly recursive?: boolean
  readonly to?: ConversionSide
  readonly lossy?: boolean
  readonly output: string
}

export async function convert(paths: readonly string[], options: ConvertOptions): Promise<number> {
  const files = [...paths, ...(options.filename ?? [])]
  if (files.length === 0) throw new CommandFailure('name the files to convert: weft convert -f platform/')
  const manifests = await readManifests(files, options)
  const objects = manifests.map(({ object }) => object)
  const to = options.to ?? directionOf(objects)
  for (const manifest of manifests) mustBeReadable(manifest)
  const { objects: result, converted, losses } = convertObjects(objects, to)
  if (losses.length > 0) process.stderr.write(formatLosses(losses, manifests))
  if (losses.length > 0 && options.lossy !== true)
    throw new CommandFailure('nothing was written. Change these fields, or convert without them: --lossy')
  // One that cannot be read back would be refused when it is applied, with words about a file that nobody wrote.
  for (const object of result) if (sideOf(object) === to) mustBeReadable({ object })
  const output = options.output === 'yaml' ? undefined : options.output
  await writeOutput(result.map((object) => formatYaml(object)).join('---\n'), output)
  process.stderr.write(notes(result, { to, converted }))
  return 0
}

/** Away from what the files are written in. */
function directionOf(objects: readonly KubeObject[]): ConversionSide {
  const sides = new Set(objects.map(sideOf))
  if (sides.has('weft') && sides.has('crossplane'))
    throw new CommandFailure('the files contain definitions or Compositions of both kinds: choose with --to crossplane or --to weft')
  if (sides.has('weft')) return 'crossplane'
  if (sides.has('crossplane')) return 'weft'
  throw new CommandFailure(
    'there is nothing to convert: no InfrastructureDefinition, ApplicationDefinition, CompositeResourceDefinition or Composition is among the objects',
  )
}

function mustBeReadable({ object, source }: { readonly object: KubeObject; readonly source?: Manifest['source'] }): void {
  const problem = problemOf(object)
  if (problem === undefined) return
  const where = source === undefined ? '' : `${source.file === '-' ? 'standard input' : source.file}: `
  throw new CommandFailure(`${where}${object.kind} ${object.metadata.name ?? ''} cannot be converted: ${problem}`)
}

function problemOf(object: KubeObject): string | undefined {
  if (sideOf(object) === undefined) return undefined
  if (object.kind === 'Composition' && sideOf(object) === 'weft') {
    const source = parseTemplateSource(object)
    return source.ok ? undefined : formatFieldErrors(source.error)
  }
  const spec = (object['spec'] ?? {}) as Record<string, unknown>
  const kindOf = (value: unknown): unknown => (value as { readonly names?: { readonly kind?: unknown } } | undefined)?.names?.kind
  switch (object.kind) {
    case 'InfrastructureDefinition':
    case 'ApplicationDefinition':
      return typeof kindOf(spec['crdSpecTemplate']) === 'string' ? undefined : 'spec.crdSpecTemplate.names.kind is required'
    case 'CompositeResourceDefinition':
      if (typeof kindOf(spec) !== 'string') return 'spec.names.kind is required'
      return Array.isArray(spec['versions']) ? undefined : 'spec.versions is required'
    case 'Composition': {
      const ref = spec['compositeTypeRef'] as { readonly apiVersion?: unknown; readonly kind?: unknown } | undefined
      return typeof ref?.apiVersion === 'string' && typeof ref.kind === 'string'
        ? undefined
        : 'spec.compositeTypeRef is required, with apiVersion and kind'
    }
    default:
      return undefined
  }
}

function formatLosses(losses: readonly Loss[], manifests: readonly Manifest[]): string {
  const lines: string[] = []
  for (const { object, source } of manifests) {
    const own = losses.filter((loss) => loss.object === object)
    if (own.length === 0) continue
    lines.push(`${source.file === '-' ? 'standard input' : source.file}: ${object.kind} ${object.metadata.name ?? ''} would lose`)
    lines.push(...own.map(({ path, message }) => `  ${path}: ${message}`))
  }
  return `${lines.join('\n')}\n`
}

function notes(objects: readonly KubeObject[], { to, converted }: { readonly to: ConversionSide; readonly converted: number }): string {
  const others = objects.length - converted
  const name = to === 'crossplane' ? 'Crossplane' : 'Weft'
  const lines = [
    `converted ${converted} ${converted === 1 ? 'object' : 'objects'} to ${name}${others > 0 ? '; the others are unchanged' : ''}`,
  ]
  const calls = to === 'crossplane' && objects.some((object) => object.kind === 'Composition')
  const has = objects.some(({ kind, metadata }) => kind === 'Function' && metadata.name === 'function-patch-and-transform')
  if (calls && !has) lines.push('The Compositions call the Function function-patch-and-transform: install it if it is not yet installed')
  return `${lines.join('\n')}\n`
}
