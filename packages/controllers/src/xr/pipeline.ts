import { deepEqual, getOwn, type KubeObject, messageOf, specOf } from '@weft/api'
import {
  CAPABILITIES,
  type FunctionCondition,
  type FunctionRunner,
  type Requirements,
  type Resource,
  type Resources,
  type ResourceSelector,
  type RunFunctionRequest,
  type RunFunctionResponse,
  type Schema,
  type SchemaSelector,
  type State,
  type Struct,
} from '@weft/functions'
import { ComposeError } from './compose-error.ts'
import { parseSeconds } from './seconds.ts'
import type { XrWorld } from './world.ts'
import type { XrEvent } from './xr-event.ts'

/** One step of a Composition, as its schema says (K36–K38). */
export interface PipelineStep {
  readonly step: string
  readonly functionRef: { readonly name: string }
  readonly input?: Struct
  readonly credentials?: readonly {
    readonly name: string
    readonly source: string
    readonly secretRef?: { readonly namespace: string; readonly name: string }
  }[]
  readonly requirements?: {
    readonly requiredResources?: readonly {
      readonly requirementName: string
      readonly apiVersion: string
      readonly kind: string
      readonly namespace?: string
      readonly name?: string
      readonly matchLabels?: Readonly<Record<string, string>>
    }[]
    readonly requiredSchemas?: readonly { readonly requirementName: string; readonly apiVersion: string; readonly kind: string }[]
  }
}

/** What the functions said. A fatal result ends the pipeline: then `desired` counts for nothing, and `fatal` says why. */
export interface PipelineResult {
  readonly desired: State
  readonly events: readonly XrEvent[]
  readonly conditions: readonly FunctionCondition[]
  readonly fatal?: string
  /** The shortest time that an answer holds. */
  readonly ttlSeconds?: number
  /** Whatever functions asked to see, in order and as often as they did. */
  readonly required: readonly ResourceSelector[]
  readonly context?: Struct
}

/** What a step said beside what it wants. */
export interface StepNews {
  readonly step: string
  readonly events: readonly XrEvent[]
  /** Of operations only. */
  readonly output?: Struct
}

/** The steps of a Composition or of a revision of one. */
export function stepsOf(composition: KubeObject): readonly PipelineStep[] {
  const spec = specOf(composition)
  const steps = getOwn(spec, 'pipeline')
  return (Array.isArray(steps) ? steps : []) as readonly PipelineStep[]
}

/** Calls of one function until its requirements no longer change (K81). */
const MOST_CALLS = 6

export interface PipelineOptions {
  readonly steps: readonly PipelineStep[]
  /** Absent where nothing is composed: operations. */
  readonly observed?: State
  readonly runner: FunctionRunner
  readonly world: PipelineWorld
  readonly signal?: AbortSignal
  /** What is said of a step that cannot be run. */
  readonly cannotRun?: (step: string) => string
  /** Told of each step as soon as it answered: what a later one spoils was said all the same. */
  readonly onStep?: (news: StepNews) => void
}

/** What functions may be shown. */
export type PipelineWorld = Pick<XrWorld, 'secret' | 'required' | 'schema'>

const cannotRunStep = (step: string): string => `cannot run Composition pipeline step "${step}"`

/** Asks the functions in turn. desired and context of each answer replace those before: whatever a function drops is gone (K57, K58). */
export async function runPipeline({
  steps,
  observed,
  runner,
  world,
  signal,
  cannotRun = cannotRunStep,
  onStep,
}: PipelineOptions): Promise<PipelineResult> {
  let desired: State = {}
  let context: Struct | undefined
  let ttlSeconds: number | undefined
  const events: XrEvent[] = []
  const conditions: FunctionCondition[] = []
  const required: ResourceSelector[] = []
  const ended = (fatal?: string): PipelineResult => ({
    desired,
    events,
    conditions,
    required,
    ...(fatal !== undefined && { fatal }),
    ...(ttlSeconds !== undefined && { ttlSeconds }),
    ...(context !== undefined && { context }),
  })
  for (const step of steps) {
    const request: RunFunctionRequest = {
      meta: { capabilities: CAPABILITIES },
      ...(observed !== undefined && { observed }),
      desired,
      ...(context !== undefined && { context }),
      ...(step.input !== undefined && { input: step.input }),
      ...(await credentialsOf(step, world)),
      ...(await bootstrap(step, world, required)),
    }
    const call = (next: RunFunctionRequest): Promise<RunFunctionResponse> =>
      runner.run(step.functionRef.name, next, signal === undefined ? {} : { signal }).catch((error: unknown) => {
        throw new ComposeError(`${cannotRun(step.step)}: ${messageOf(error)}`, { cause: error })
      })
    const response = await settle(call, request, { world, required, cannotRun: () => cannotRun(step.step) })
    desired = response.desired ?? {}
    context = response.context
    const ttl = parseSeconds(response.meta?.ttl)
    if (ttl !== undefined && ttl > 0) ttlSeconds = Math.min(ttlSeconds ?? ttl, ttl)
    conditions.push(...(response.conditions ?? []))
    const { said, fatal } = resultsOf(step.step, response)
    events.push(...said)
    const { output } = response
    onStep?.({ step: step.step, events: said, ...(output !== undefined && fatal === undefined && { output }) })
    if (fatal !== undefined) return ended(fatal)
  }
  return ended()
}

/** K76, K77: what a step tells, up to the result that ends the pipeline. */
function resultsOf(step: string, { results = [] }: RunFunctionResponse): { readonly said: readonly XrEvent[]; readonly fatal?: string } {
  const said: XrEvent[] = []
  for (const { severity, message = '', target, reason: given } of results) {
    const reason = given || 'ComposeResources'
    if (severity === 'SEVERITY_FATAL') return { said, fatal: `pipeline step "${step}" returned a fatal result: ${message}` }
    const claim = target === 'TARGET_COMPOSITE_AND_CLAIM' ? { claim: message } : {}
    if (severity === undefined)
      said.push({
        type: 'Warning',
        reason,
        message: `Pipeline step "${step}" returned a result of unknown severity (assuming warning): ${message}`,
      })
    else
      said.push({
        type: severity === 'SEVERITY_NORMAL' ? 'Normal' : 'Warning',
        reason,
        message: `Pipeline step "${step}": ${message}`,
        ...claim,
      })
  }
  return { said }
}

const isFatal = ({ results }: RunFunctionResponse): boolean => results?.some(({ severity }) => severity === 'SEVERITY_FATAL') === true

/** Calls again with what the function asked to see, until it asks for nothing else: with the same desired state, and its own context. */
async function settle(
  call: (request: RunFunctionRequest) => Promise<RunFunctionResponse>,
  first: RunFunctionRequest,
  { world, required, cannotRun }: { readonly world: PipelineWorld; readonly required: ResourceSelector[]; cannotRun(): string },
): Promise<RunFunctionResponse> {
  let request = first
  let before: Requirements | undefined
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const response = await call(request)
    if (isFatal(response) || deepEqual(response.requirements, before)) return response
    before = response.requirements
    // It has what it asked for. Crossplane would ask it again, without, until that fails (K81).
    if (before === undefined) return response
    required.push(...Object.values(before.extraResources ?? {}), ...Object.values(before.resources ?? {}))
    const extraResources = await gather(before.extraResources, world)
    const requiredResources = await gather(before.resources, world)
    const requiredSchemas = await gatherSchemas(before.schemas, world)
    const { context: _context, ...rest } = first
    request = {
      ...rest,
      ...(response.context !== undefined && { context: response.context }),
      extraResources: { ...first.extraResources, ...extraResources },
      requiredResources: { ...first.requiredResources, ...requiredResources },
      requiredSchemas: { ...first.requiredSchemas, ...requiredSchemas },
    }
  }
  throw new ComposeError(`${cannotRun()}: requirements didn't stabilize after the maximum number of iterations (${MOST_CALLS - 1})`)
}

async function gather(
  selectors: Readonly<Record<string, ResourceSelector>> | undefined,
  world: PipelineWorld,
): Promise<Readonly<Record<string, Resources>>> {
  const found: [string, Resources][] = []
  for (const [name, selector] of Object.entries(selectors ?? {})) found.push([name, resources(await world.required(selector))])
  return Object.fromEntries(found)
}

const resources = (objects: readonly KubeObject[]): Resources =>
  objects.length === 0 ? {} : { items: objects.map((object) => asResource(object)) }

async function gatherSchemas(selectors: Requirements['schemas'], world: PipelineWorld): Promise<Readonly<Record<string, Schema>>> {
  const found: [string, Schema][] = []
  for (const [name, selector] of Object.entries(selectors ?? {})) {
    const openapiV3 = await world.schema(selector)
    found.push([name, openapiV3 === undefined ? {} : { openapiV3 }])
  }
  return Object.fromEntries(found)
}

/** What a step is given from its first call on (K38). */
async function bootstrap(
  { requirements }: PipelineStep,
  world: PipelineWorld,
  required: ResourceSelector[],
): Promise<Partial<RunFunctionRequest>> {
  if (requirements === undefined) return {}
  const { requiredResources = [], requiredSchemas = [] } = requirements
  const selectors = requiredResources.map(
    ({ requirementName, apiVersion, kind, namespace, name, matchLabels }): [string, ResourceSelector] => [
      requirementName,
      {
        apiVersion,
        kind,
        ...(namespace !== undefined && { namespace }),
        ...(name !== undefined && { matchName: name }),
        ...(matchLabels !== undefined && { matchLabels: { labels: matchLabels } }),
      },
    ],
  )
  const schemas = requiredSchemas.map(({ requirementName, apiVersion, kind }): [string, SchemaSelector] => [
    requirementName,
    { apiVersion, kind },
  ])
  const wanted = Object.fromEntries(selectors)
  required.push(...Object.values(wanted))
  return {
    requiredResources: await gather(wanted, world),
    requiredSchemas: await gatherSchemas(Object.fromEntries(schemas), world),
  }
}

async function credentialsOf({ step, credentials = [] }: PipelineStep, world: PipelineWorld): Promise<Partial<RunFunctionRequest>> {
  const wanted = credentials.flatMap(({ name, source, secretRef }) => (source === 'Secret' && secretRef ? [{ name, secretRef }] : []))
  if (wanted.length === 0) return {}
  const found: [string, { credentialData: { data: Readonly<Record<string, string>> } }][] = []
  for (const { name, secretRef } of wanted) {
    const data = await world.secret(secretRef)
    if (data === undefined)
      throw new ComposeError(
        `cannot get Composition pipeline step "${step}" credential "${name}" from Secret: Secret "${secretRef.name}" not found`,
      )
    found.push([name, { credentialData: { data } }])
  }
  return { credentials: Object.fromEntries(found) }
}

/** JSON as functions are shown it. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever is written to the wire becomes one, or is refused there
export const asStruct = (json: object): Struct => json as Struct

/** An object as functions are shown it. */
export const asResource = (object: KubeObject, connectionDetails: Readonly<Record<string, string>> = {}): Resource => ({
  resource: asStruct(object),
  ...(Object.keys(connectionDetails).length > 0 && { connectionDetails }),
})
