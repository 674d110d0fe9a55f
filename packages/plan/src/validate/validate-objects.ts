import { gvkOf, type KubeObject } from '@weft/api'
import type { KnownObjectsOptions } from '../known/known-objects.ts'
import { KnownKinds } from '../known/known-kinds.ts'
import { NO_PACKAGES } from '../known/packaged-objects.ts'
import { Renderer } from '../render/render-intent.ts'
import { RenderError } from '../render/rendering.ts'
import { checkDefinition } from './check-definition.ts'
import { checkObject } from './check-object.ts'
import { checkTemplates } from './check-templates.ts'
import { asError, asWarning, type Finding, type ValidationProblem } from './problem.ts'

/**
 * Everything that is wrong with the objects, as far as they, and the packages, tell: no server is asked. Each is held against its kind; definitions,
 * classes and Compositions against what will be made of them; intents are rendered, and what they would get is held against its kind, too.
 */
export async function validateObjects(
  objects: readonly KubeObject[],
  options: Pick<KnownObjectsOptions, 'packages'> = {},
): Promise<readonly ValidationProblem[]> {
  const kinds = new KnownKinds(objects, options.packages ?? NO_PACKAGES)
  const renderer = new Renderer(objects, options)
  const problems: ValidationProblem[] = []
  for (const [index, object] of objects.entries()) {
    const own = [...checkObject(object, kinds), ...checkDefinition(object, kinds), ...checkTemplates(object, kinds)]
    const isSound = own.every(({ severity }) => severity !== 'error')
    const made = isSound ? await checkMade(object, renderer, kinds) : []
    for (const finding of distinct([...own, ...made])) problems.push({ index, ...finding })
  }
  return [...problems, ...duplicates(objects)]
}

/** What would be made for an intent. That its class is not among the files is no mistake: it may be on the server. */
async function checkMade(intent: KubeObject, renderer: Renderer, kinds: KnownKinds): Promise<readonly Finding[]> {
  if (renderer.intentType(intent) === undefined) return []
  try {
    const { objects } = await renderer.render(intent)
    return objects.flatMap(({ object }) =>
      checkObject(object, kinds)
        .filter(({ path }) => path !== 'kind')
        .map(({ severity, path, message }) => ({
          severity,
          path: '',
          message: `would make a ${object.kind} that is refused: ${path}: ${message}`,
        })),
    )
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    return [asWarning('', `cannot be rendered from these files: ${error.message}`)]
  }
}

/** One object twice: the later would overwrite the earlier. */
function duplicates(objects: readonly KubeObject[]): readonly ValidationProblem[] {
  const seen = new Map<string, number>()
  return objects.flatMap((object, index) => {
    const { group, kind } = gvkOf(object)
    const key = `${kind}.${group}/${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`
    if (object.metadata.name === undefined || !seen.has(key)) {
      seen.set(key, index)
      return []
    }
    return [{ index, ...asError('metadata.name', `${kind} ${object.metadata.name} is given twice: the later would overwrite the earlier`) }]
  })
}

const distinct = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(findings.map((finding) => [`${finding.severity} ${finding.path} ${finding.message}`, finding])).values(),
]
