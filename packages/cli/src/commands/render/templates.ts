import { gvkOf, type KubeObject } from '@weft/api'
import { NO_PACKAGES, openBundledPackages, type RenderedObject, Renderer, RenderError, type Rendering } from '@weft/plan'
import { formatYaml } from '../../output/format-yaml.ts'
import { formatJson } from '../../output/index.ts'
import { CommandFailure, style } from '../../report.ts'
import { formatExplained } from './explain.ts'

export interface TemplateOptions {
  readonly only?: readonly string[]
  readonly includeIntent?: boolean
  readonly explain?: boolean
  readonly packages: boolean
  readonly output: string
  readonly quiet?: boolean
}

/** Claims, requirements, composites and applications, whose classes, definitions and compositions are templates. */
export async function renderTemplates(
  given: readonly KubeObject[],
  observed: readonly KubeObject[],
  options: TemplateOptions,
): Promise<number> {
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

function formatRenderings(renderings: readonly Rendering[], { output, explain = false, includeIntent = false }: TemplateOptions): string {
  const objects = renderings.flatMap((rendering): readonly RenderedObject[] => [
    ...(includeIntent ? [{ object: rendering.intent, origins: [] }] : []),
    ...rendering.objects,
  ])
  if (output === 'json')
    return formatJson({ apiVersion: 'v1', kind: 'List', items: explain ? objects : objects.map(({ object }) => object) })
  return objects.map((each) => (explain ? formatExplained(each) : formatYaml(each.object))).join('---\n')
}
