import { gvkOf, type KubeObject } from '@weft/api'
import { checkSpelling } from '@weft/controllers'
import type { KnownObjectsOptions } from '../known/known-objects.ts'
import { KnownKinds } from '../known/known-kinds.ts'
import { NO_PACKAGES } from '../known/packaged-objects.ts'
import { Renderer } from '../render/render-intent.ts'
import { RenderError } from '../render/rendering.ts'
import { asInstalled } from './as-installed.ts'
import { checkDefinition } from './check-definition.ts'
import { checkObject } from './check-object.ts'
import { checkTemplates } from './check-templates.ts'
import { asError, asWarning, type Finding, type ValidationProblem } from './problem.ts'

/**
 * Everything that is wrong with the objects, as far as they, and the packages, tell: no server is asked. Each is held against its kind; definitions,
 * classes and Compositions against what will be made of them; intents are rendered, and what they would get is held against its kind, too.
 */
export async function validateObjects(
  given: readonly KubeObject[],
  options: Pick<KnownObjectsOptions, 'packages'> = {},
): Promise<readonly ValidationProblem[]> {
  const { objects, problems: refused } = asInstalled(given)
  const kinds = new KnownKinds(objects, options.packages ?? NO_PACKAGES)
  const renderer = new Renderer(objects, options)
  const problems: ValidationProblem[] = [...refused]
  for (const [index, object] of objects.entries()) {
    const own = [
      ...checkObject(object, kinds),
      ...checkDefinition(object, kinds),
      ...checkTemplates(object, kinds),
      ...misspelt(object, kinds),
    ]
    const isSound = own.every(({ severity }) => severity !== 'error')
    for (const finding of own) problems.push({ index, ...finding })
    const made = isSound ? await checkMade(object, renderer, kinds) : []
    for (const { blamed, ...finding } of made) {
      const at =
        blamed === undefined ? -1 : objects.findIndex(({ kind, metadata }) => kind === 'Composition' && metadata.name === blamed.name)
      problems.push(
        at < 0 || blamed === undefined ? { index, ...finding } : { index: at, ...finding, path: blamed.path, message: blamed.message },
      )
    }
  }
  return [...distinct(problems), ...duplicates(given)]
}

/** What the server would warn of when it is applied. */
const misspelt = (object: KubeObject, kinds: KnownKinds): readonly Finding[] =>
  checkSpelling(object, { schema: (kind) => kinds.writtenSchema(kind), objects: (kind) => kinds.objects(kind) }).map((warning) =>
    asWarning('', warning),
  )

/** A finding, and the Composition whose own fault it is, with the place in it. */
interface Made extends Finding {
  readonly blamed?: { readonly name: string; readonly path: string; readonly message: string } | undefined
}

/** What would be made for an intent. That its class is not among the files is no mistake: it may be on the server. */
async function checkMade(intent: KubeObject, renderer: Renderer, kinds: KnownKinds): Promise<readonly Made[]> {
  if (renderer.intentType(intent) === undefined) return []
  try {
    const { objects } = await renderer.render(intent)
    return objects.flatMap(({ object, origins }) =>
      checkObject(object, kinds)
        .filter(({ path }) => path !== 'kind')
        .map(({ severity, path, message }) => ({
          severity,
          path: '',
          message: `would make a ${object.kind} that is refused: ${path}: ${message}`,
          blamed: blame(origins.find((origin) => origin.path === path)?.from, path, message),
        })),
    )
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    return [asWarning('', `cannot be rendered from these files: ${error.message}`)]
  }
}

/** `Composition/private spec.to[0].base`: what stood in a base is the fault of its author, not of whoever asked for a composite. */
function blame(from: string | undefined, path: string, message: string): Made['blamed'] {
  const [, name, place] = /^Composition\/(\S+) (\S+\.base)$/.exec(from ?? '') ?? []
  return name === undefined || place === undefined ? undefined : { name, path: `${place}.${path}`, message }
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

const distinct = (problems: readonly ValidationProblem[]): readonly ValidationProblem[] => [
  ...new Map(problems.map((problem) => [`${problem.index} ${problem.severity} ${problem.path} ${problem.message}`, problem])).values(),
]
