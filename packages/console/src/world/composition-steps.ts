import { getOwn, isJsonObject, type JsonObject, type KubeObject } from '@weft/api'

/** One thing that a composition does, in its order: a function that runs, or the resources that it makes by itself. */
export interface CompositionStep {
  readonly name: string
  /** Absent where no function runs: the composition says itself what it makes. */
  readonly fn?: string
  readonly resources: readonly ComposedTemplate[]
  /** What the function is given, where it is not a list of resources. */
  readonly input?: JsonObject
  /** Names of the Secrets that the function is given. */
  readonly credentials: readonly string[]
}

export interface ComposedTemplate {
  readonly name: string
  readonly apiVersion: string
  readonly kind: string
  readonly patches: readonly DrawnPatch[]
}

/** A patch as it is read: where a value comes from, what is done to it, where it goes. */
export interface DrawnPatch {
  readonly from: string
  readonly to: string
  readonly transforms: readonly string[]
  /** `up`: from the composed resource to what it was composed for. */
  readonly direction: 'down' | 'up'
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (isJsonObject(node) ? getOwn(node, key) : undefined), value)
const text = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value))

/** Of a Composition or one of its revisions, whichever of the three shapes it has. */
export function compositionSteps({ spec }: KubeObject & { readonly spec?: unknown }): readonly CompositionStep[] {
  const pipeline = list(at(spec, 'pipeline'))
  if (pipeline.length > 0)
    return pipeline.map((step, i) => {
      const input = at(step, 'input')
      const resources = templates(at(input, 'resources'), at(input, 'patchSets'))
      return {
        name: text(at(step, 'step')) || String(i + 1),
        fn: text(at(step, 'functionRef', 'name')),
        resources,
        ...(isJsonObject(input) && resources.length === 0 && { input }),
        credentials: list(at(step, 'credentials')).flatMap((each) => text(at(each, 'secretRef', 'name')) || []),
      }
    })
  const resources = [...templates(at(spec, 'to'), undefined), ...templates(at(spec, 'resources'), at(spec, 'patchSets'))]
  return resources.length === 0 ? [] : [{ name: 'Resources', resources, credentials: [] }]
}

/**
 * The fields of spec that a composition's patches read. Undefined where that cannot be told: a function may read anything, and so may a patch of the whole spec
 * or of the environment.
 */
export function fieldsRead(composition: KubeObject): ReadonlySet<string> | undefined {
  const steps = compositionSteps(composition)
  if (steps.length === 0 || steps.some(({ fn }) => fn !== undefined) || at(composition['spec'], 'environment') !== undefined)
    return undefined
  const read = new Set<string>()
  const paths = steps.flatMap(({ resources }) =>
    resources.flatMap(({ patches }) => patches.filter(({ direction }) => direction === 'down')),
  )
  for (const path of paths.flatMap(({ from }) => from.split(', '))) {
    const name = /^spec\.([A-Za-z0-9_-]+)/.exec(path)?.[1]
    if (name !== undefined) read.add(name)
    else if (path.startsWith('spec')) return undefined
  }
  return read
}

function templates(resources: unknown, patchSets: unknown): readonly ComposedTemplate[] {
  const sets = new Map(list(patchSets).map((set) => [text(at(set, 'name')), list(at(set, 'patches'))]))
  return list(resources).map((template, i) => ({
    name: text(at(template, 'name')) || String(i + 1),
    apiVersion: text(at(template, 'base', 'apiVersion')),
    kind: text(at(template, 'base', 'kind')),
    patches: list(at(template, 'patches')).flatMap((patch) =>
      at(patch, 'type') === 'PatchSet' ? (sets.get(text(at(patch, 'patchSetName'))) ?? []).map(drawn) : [drawn(patch)],
    ),
  }))
}

function drawn(patch: unknown): DrawnPatch {
  const type = text(at(patch, 'type'))
  const combined = list(at(patch, 'combine', 'variables')).map((variable) => text(at(variable, 'fromFieldPath')))
  const from = text(at(patch, 'fromFieldPath')) || combined.join(', ')
  const format = text(at(patch, 'combine', 'string', 'fmt'))
  return {
    from: type.includes('Environment') && type.startsWith('From') ? `environment ${from}` : from,
    to: text(at(patch, 'toFieldPath')) || from,
    transforms: [...(format === '' ? [] : [`format ${format}`]), ...list(at(patch, 'transforms')).map(transformText)],
    direction: type.startsWith('To') || type.startsWith('CombineTo') ? 'up' : 'down',
  }
}

/** `multiply 1024`, `map us-east → East US, us-west → West US`, `convert to string`. */
function transformText(transform: unknown): string {
  const type = text(at(transform, 'type'))
  const given = at(transform, type)
  switch (type) {
    case 'math':
      return isJsonObject(given)
        ? Object.entries(given)
            .filter(([key]) => key !== 'type')
            .map(([key, value]) => `${key} ${text(value)}`)
            .join(', ')
        : type
    case 'map':
      return isJsonObject(given)
        ? `map ${Object.entries(given)
            .map(([key, value]) => `${key} → ${text(value)}`)
            .join(', ')}`
        : type
    case 'convert':
      return `convert to ${text(at(given, 'toType'))}`
    case 'string':
      return `text ${text(at(given, 'fmt')) || text(at(given, 'convert')) || text(at(given, 'type'))}`
    default:
      return type
  }
}
