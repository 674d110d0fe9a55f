import { type Condition, deepEqual, formatTime, hasReason, isJsonObject, type KubeObject, messageOf, statusOf } from '@weft/api'
import { conditionsOf, controllerOf, RESOURCE_NAME } from '@weft/composition'
import type { FunctionRunner, State } from '@weft/functions'
import { available, creating, notSynced, synced } from '../binding/conditions.ts'
import type { XrScope } from '../xrd/xrd.ts'
import { ComposeError } from './compose-error.ts'
import { about, isSystemType, saying, withConditions } from './conditions.ts'
import { machineryOf, machineryOnly } from './machinery.ts'
import { composedManager } from './names.ts'
import { asResource, type PipelineResult, type PipelineStep, runPipeline } from './pipeline.ts'
import { type CompositionPlan, type Observed, planComposition } from './plan.ts'
import { whyInvalid } from './why-invalid.ts'
import type { XrWorld } from './world.ts'
import type { XrEvent } from './xr-event.ts'

export interface ComposeInput {
  readonly xr: KubeObject
  readonly scope: XrScope
  readonly steps: readonly PipelineStep[]
  readonly runner: FunctionRunner
  readonly world: XrWorld
  readonly nowMs: () => number
  readonly signal?: AbortSignal
  /** What of the status stays though no function returns it; else what the control plane writes there itself. */
  readonly keptStatus?: readonly string[]
}

/** How composing ended. `xr` has its conditions set; they are not written yet. */
export interface Composition {
  readonly xr: KubeObject
  readonly events: readonly XrEvent[]
  /** Set when it failed: the condition says the same. `fatal`: a function said so. */
  readonly error?: Error
  readonly fatal: boolean
  readonly wanted: CompositionPlan['wanted']
  /** What the composite itself is to publish; base64. */
  readonly connectionDetails: Readonly<Record<string, string>>
  readonly pipeline?: PipelineResult
}

/**
 * Composes one composite resource in a world: observes, asks the functions, collects what is no longer wanted, writes the references down, applies
 * what is wanted, and says how it went (K56–K78). It is the whole of what a controller and a render have in common. Never rejects but for a Conflict
 * or an abort: what goes wrong is in the answer. May be repeated at any time: names follow from the composite, and are written before what they name.
 */
export async function composeXr(input: ComposeInput): Promise<Composition> {
  const progress: { pipeline?: PipelineResult } = {}
  try {
    return await attempt(input, progress)
  } catch (error) {
    if (hasReason(error, 'Conflict') || input.signal?.aborted === true) throw error
    return failed(input, error, progress.pipeline)
  }
}

async function attempt(input: ComposeInput, progress: { pipeline?: PipelineResult }): Promise<Composition> {
  const { xr, scope, steps, runner, world, signal } = input
  const { observed, state } = await observe(input)
  const pipeline = await runPipeline({ steps, observed: state, runner, world, ...(signal && { signal }) })
  progress.pipeline = pipeline
  if (pipeline.fatal !== undefined) throw new FatalError(pipeline.fatal)
  const { desired } = pipeline
  const plan = planComposition({ xr, scope, observed, desired, isNamespaced: await scopes(input, desired) })
  await world.expect(plan.wanted)
  for (const { observed: object, unlabelled } of plan.collected) await world.collect(object, unlabelled)
  const referring = await explained('cannot update composed resource references', writeRefs(input, plan))
  const manager = composedManager(xr)
  const unsynced = new Map<string, string>()
  const events = [...plan.events]
  const results = await Promise.allSettled(
    plan.wanted.map(({ resourceName, object }) => world.applyComposed(object, manager, referring, observed.get(resourceName))),
  )
  const failures = results.flatMap((result, i) =>
    result.status === 'rejected' ? [{ name: plan.wanted[i]?.resourceName ?? '', error: result.reason as unknown }] : [],
  )
  // K69: what the server calls invalid stays as it is, and is told of; anything else ends this pass.
  for (const { name, error } of failures) {
    const message = `cannot apply composed resource "${name}": ${messageOf(error)}`
    if (hasReason(error, 'Conflict')) throw error
    if (!hasReason(error, 'Invalid')) throw new ComposeError(message, { cause: error })
    unsynced.set(name, whyInvalid(error, xr))
    events.push({ type: 'Warning', reason: 'ComposeResources', message })
  }
  const composite = await explained('cannot apply composite resource status', writeStatus(input, referring, plan, desired))
  return conclude(input, composite, { pipeline, plan, unsynced, events })
}

/** Says what was being done. A Conflict stays what it is: the pass is made again. */
async function explained<T>(doing: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (hasReason(error, 'Conflict')) throw error
    throw new ComposeError(`${doing}: ${messageOf(error)}`, { cause: error })
  }
}

/** K56. The last of two under one resource name counts. */
async function observe({ xr, scope, world }: ComposeInput): Promise<{ readonly observed: Observed; readonly state: State }> {
  const observed = new Map<string, KubeObject>()
  const resources: [string, ReturnType<typeof asResource>][] = []
  for (const ref of machineryOf(xr, scope).resourceRefs ?? []) {
    if (!ref.name) continue
    const object = await world.composed(ref, xr.metadata.namespace ?? ref.namespace)
    if (object === undefined) continue
    const controller = controllerOf(object)
    if (controller !== undefined && controller.uid !== xr.metadata.uid) continue
    const name = object.metadata.annotations?.[RESOURCE_NAME]
    if (name === undefined || name === '')
      throw new ComposeError(
        `cannot get existing composed resources: encountered composed resource without required "${RESOURCE_NAME}" annotation`,
      )
    observed.set(name, object)
    resources.push([name, asResource(object, await world.connectionOf(object))])
  }
  const composite = asResource(xr, scope === 'LegacyCluster' ? await world.connectionOf(xr) : {})
  return { observed, state: { composite, ...(resources.length > 0 && { resources: Object.fromEntries(resources) }) } }
}

/** Asked before anything is planned: planning is pure. Only in a namespace does it matter. */
async function scopes({ xr, world }: ComposeInput, desired: State): Promise<Parameters<typeof planComposition>[0]['isNamespaced']> {
  if (xr.metadata.namespace === undefined) return () => undefined
  const known = new Map<string, boolean | undefined>()
  for (const { resource } of Object.values(desired.resources ?? {})) {
    const { apiVersion = '', kind = '' } = (resource ?? {}) as { apiVersion?: string; kind?: string }
    if (!known.has(`${apiVersion} ${kind}`)) known.set(`${apiVersion} ${kind}`, await world.isNamespaced({ apiVersion, kind }))
  }
  return ({ apiVersion, kind }) => known.get(`${apiVersion} ${kind}`)
}

/** K67: before anything that they name is made. */
async function writeRefs({ xr, scope, world }: ComposeInput, { refs }: CompositionPlan): Promise<KubeObject> {
  if (deepEqual(machineryOf(xr, scope).resourceRefs, refs)) return xr
  const body = { ...identity(xr), spec: machineryOnly(scope, { resourceRefs: refs }) }
  return { ...(await world.applyRefs(xr, body)), status: xr['status'] }
}

/** K70: the status that the functions want, all of it, and the conditions that there are. */
async function writeStatus(input: ComposeInput, xr: KubeObject, plan: CompositionPlan, desired: State): Promise<KubeObject> {
  const { scope, world, nowMs, keptStatus = scope === 'LegacyCluster' ? [...KEPT, ...LEGACY_KEPT] : KEPT } = input
  const wanted = desired.composite?.resource?.['status']
  const { conditions: theirs, ...given } = (isJsonObject(wanted) ? wanted : {}) as Record<string, unknown>
  const { conditions: _ours, ...present } = statusOf(xr)
  const kept = keptStatus.filter((key) => present[key] !== undefined).map((key) => [key, present[key]])
  const conditions = withTheirs(conditionsOf(xr), theirs, nowMs())
  const body = {
    ...identity(xr),
    spec: machineryOnly(scope, { resourceRefs: plan.refs }),
    status: { ...given, ...Object.fromEntries(kept), conditions },
  }
  const written = await world.applyStatus(xr, body)
  return conditions.length === conditionsOf(xr).length ? written : { ...written, status: { ...statusOf(written), conditions } }
}

/**
 * Those that functions want in the status are there, too, and first; of what is there already, whichever type it has, it stays what it is. The
 * control plane's own are said anew afterwards.
 */
function withTheirs(ours: readonly Condition[], wanted: unknown, nowMs: number): readonly Condition[] {
  const present = new Map(ours.map((condition) => [condition.type, condition]))
  const theirs = new Map<string, Condition>()
  for (const each of (Array.isArray(wanted) ? wanted : []) as readonly unknown[]) {
    if (!isJsonObject(each)) continue
    const { type, status, reason, message, lastTransitionTime, observedGeneration } = each
    if (typeof type !== 'string' || typeof status !== 'string' || theirs.has(type)) continue
    theirs.set(
      type,
      present.get(type) ?? {
        type,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a function says is written as it says it; the kind's schema judges
        status: status as Condition['status'],
        reason: typeof reason === 'string' ? reason : '',
        ...(typeof message === 'string' && { message }),
        lastTransitionTime: typeof lastTransitionTime === 'string' ? lastTransitionTime : formatTime(nowMs),
        ...(typeof observedGeneration === 'number' && { observedGeneration }),
      },
    )
  }
  return theirs.size === 0 ? ours : [...theirs.values(), ...ours.filter(({ type }) => !theirs.has(type))]
}

/** Of the status, what the control plane itself writes (K28). */
const KEPT = ['lastHandledReconcileAt']
const LEGACY_KEPT = ['claimConditionTypes', 'connectionDetails']

const identity = ({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): KubeObject => ({
  apiVersion,
  kind,
  metadata: { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) },
})

interface Outcome {
  readonly pipeline: PipelineResult
  readonly plan: CompositionPlan
  /** Why, by resource name. */
  readonly unsynced: ReadonlyMap<string, string>
  readonly events: readonly XrEvent[]
}

/** K71–K76: what is told of a composition that went through. */
function conclude(input: ComposeInput, given: KubeObject, { pipeline, plan, unsynced, events }: Outcome): Composition {
  const now = input.nowMs()
  let xr = withCustomConditions(input, given, pipeline)
  const unready = plan.wanted.filter(({ ready }) => !ready).map(({ resourceName }) => resourceName)
  const told = plan.wanted.flatMap(({ resourceName, ready }): XrEvent[] => [
    ...(unsynced.has(resourceName) ? [notYet(resourceName, 'valid')] : []),
    ...(ready ? [] : [notYet(resourceName, 'ready')]),
  ])
  // In the order of what is wanted: the reason told is that of the first one named.
  const [why] = unsynced.values()
  const sync = why === undefined ? synced() : notSynced(`Unsynced resources: ${naming([...unsynced.keys()])}: ${why}`)
  const said = pipeline.desired.composite?.ready
  const isReady = said === undefined ? unready.length === 0 : said === 'READY_TRUE'
  const ready = isReady ? available() : creating(said === undefined ? `Unready resources: ${naming(unready)}` : undefined)
  xr = saying(xr, now, sync, ready)
  const { connectionDetails = {} } = pipeline.desired.composite ?? {}
  return { xr, events: [...pipeline.events, ...events, ...told], fatal: false, wanted: plan.wanted, connectionDetails, pipeline }
}

const notYet = (resourceName: string, what: 'valid' | 'ready'): XrEvent => ({
  type: 'Normal',
  reason: 'ComposeResources',
  message: `Composed resource "${resourceName}" is not yet ${what}`,
})

/** K77, K78: what is told of one that did not. Ready stays as it was. */
function failed(input: ComposeInput, error: unknown, pipeline: PipelineResult | undefined): Composition {
  const isForbidden = hasReason(error instanceof ComposeError ? error.cause : error, 'Forbidden')
  const message = `cannot compose resources: ${messageOf(error)}${isForbidden ? LET_IT : ''}`
  const isInvalid = hasReason(error instanceof ComposeError ? error.cause : error, 'Invalid')
  const stable = isInvalid ? 'cannot compose resources: some resources were invalid, check events' : message
  let xr = withConditions(input.xr, about(input.xr, notSynced(stable)), input.nowMs())
  if (pipeline !== undefined) xr = withCustomConditions(input, xr, pipeline)
  const seen = new Set((pipeline?.conditions ?? []).map(({ type }) => type))
  const unknown = conditionsOf(xr)
    .filter(({ type }) => !isSystemType(type) && !seen.has(type))
    .map((condition): Condition => ({ ...condition, status: 'Unknown', reason: 'FatalError', message: UNDETERMINED }))
  xr = withConditions(xr, unknown, input.nowMs())
  const fatal = error instanceof FatalError
  return {
    xr,
    events: [{ type: 'Warning', reason: 'ComposeResources', message }, ...(pipeline?.events ?? [])],
    error: new ComposeError(stable, { cause: error }),
    fatal,
    wanted: [],
    connectionDetails: {},
    ...(pipeline && { pipeline }),
  }
}

/** Where the control plane may not make something, an administrator lets it. */
const LET_IT = ' (a ClusterRole with the label rbac.crossplane.io/aggregate-to-crossplane: "true" gives it to the control plane)'

const UNDETERMINED = 'A fatal error occurred before the status of this condition could be determined.'

class FatalError extends ComposeError {}

/** K74. Those that claims are told of too are noted. */
function withCustomConditions({ scope, nowMs }: ComposeInput, given: KubeObject, { conditions }: PipelineResult): KubeObject {
  const custom = conditions.filter(({ type = '' }) => type !== '' && !isSystemType(type))
  const status = {
    STATUS_CONDITION_TRUE: 'True',
    STATUS_CONDITION_FALSE: 'False',
    STATUS_CONDITION_UNKNOWN: 'Unknown',
  } as const
  const xr = withConditions(
    given,
    custom.map(({ type = '', status: said = 'STATUS_CONDITION_UNKNOWN', reason = '', message }) => ({
      type,
      status: status[said],
      reason,
      ...(message !== undefined && { message }),
    })),
    nowMs(),
  )
  if (scope !== 'LegacyCluster') return xr
  const before = statusOf(xr)['claimConditionTypes']
  const known = Array.isArray(before) ? before.filter((type) => typeof type === 'string') : []
  const more = custom.flatMap(({ type = '', target }) => (target === 'TARGET_COMPOSITE_AND_CLAIM' && !known.includes(type) ? [type] : []))
  return more.length === 0 ? xr : { ...xr, status: { ...statusOf(xr), claimConditionTypes: [...known, ...new Set(more)] } }
}

/** K72: "a", "a, b", "a, b, and c", "a, b, c, and 2 more". */
function naming(names: readonly string[]): string {
  const sorted = [...names].sort()
  if (sorted.length <= 2) return sorted.join(', ')
  const [a, b, c] = sorted
  return sorted.length === 3 ? `${a}, ${b}, and ${c}` : `${a}, ${b}, ${c}, and ${sorted.length - 3} more`
}
