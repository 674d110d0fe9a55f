import { createHash } from 'node:crypto'
import {
  annotationOf,
  gvkOf,
  isPaused,
  type JsonObject,
  type KubeObject,
  matchesLabels,
  RECONCILE_REQUESTED_AT,
  requirementsOf,
  specOf,
  statusOf,
} from '@weft/api'
import { isOfKind, secretKind } from '@weft/client'
import { controllerOf } from '@weft/composition'
import type { FunctionRunner, ResourceSelector, SchemaSelector, Struct } from '@weft/functions'
import { deleting, synced } from '../binding/conditions.ts'
import { type CompositeResourceDefinition, scopeOf, type XrScope } from '../xrd/xrd.ts'
import { composeXr } from './compose.ts'
import { paused, responsive, saying } from './conditions.ts'
import { configure, INCOMPATIBLE } from './configure.ts'
import { machineryOf, nameOf, publishedTo, withMachinery } from './machinery.ts'
import { schemaIn } from './openapi-schemas.ts'
import { stepsOf } from './pipeline.ts'
import type { XrWorld } from './world.ts'
import type { XrEvent } from './xr-event.ts'

/** What a render is given: files, no server. */
export interface XrRenderInput {
  readonly xr: KubeObject
  readonly composition: KubeObject
  /** Says where the machinery is; without it, under `spec.crossplane`. */
  readonly xrd?: CompositeResourceDefinition
  readonly observed?: readonly KubeObject[]
  readonly required?: readonly KubeObject[]
  /** Secrets, for the credentials of steps. */
  readonly credentials?: readonly KubeObject[]
  /** OpenAPI documents, for steps that ask for the schema of a kind. */
  readonly schemas?: readonly JsonObject[]
  readonly runner: FunctionRunner
  readonly nowMs: number
  readonly signal?: AbortSignal
}

/** One pass over the composite, as the controller would make it. */
export interface XrRendering {
  readonly xr: KubeObject
  readonly composed: readonly KubeObject[]
  readonly deleted: readonly KubeObject[]
  readonly events: readonly XrEvent[]
  readonly requiredResources: readonly ResourceSelector[]
  /** Set where a function gave a fatal result: the rest is what came before it. */
  readonly fatal?: string
  /** What the pipeline ended with, empty where no function said anything. Absent where none was asked. */
  readonly context?: unknown
}

/** Why there is nothing to show. */
export class XrRenderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'XrRenderError'
  }
}

/**
 * Renders a composite resource: composes it in a world that holds what it was given and nothing else, with the code of the controller. Rejects with an
 * XrRenderError where the controller would have ended without composing. Asks functions; does nothing else outside.
 */
export async function renderXr(input: XrRenderInput): Promise<XrRendering> {
  const scope = scopeFor(input)
  const { composition, nowMs } = input
  let xr = withUid(input.xr)
  checkObserved(xr, input.observed ?? [])
  const events: XrEvent[] = []
  const done = (): XrRendering => ({
    xr,
    composed: [],
    deleted: [],
    events,
    requiredResources: [],
  })
  // What functions are shown was read from somewhere.
  xr = { ...xr, metadata: { ...xr.metadata, resourceVersion: '999' } }
  xr = withObserved(xr, scope, input.observed ?? [])
  const stored = xr
  xr = saying(xr, nowMs, responsive())
  if (isPaused(xr)) {
    xr = saying(xr, nowMs, paused())
    events.push({ type: 'Normal', reason: 'ReconciliationPaused', message: 'Reconciliation is paused via the pause annotation' })
    return done()
  }
  const request = annotationOf(xr, RECONCILE_REQUESTED_AT)
  if (request !== undefined && request !== '' && statusOf(xr)['lastHandledReconcileAt'] !== request) {
    xr = { ...xr, status: { ...statusOf(xr), lastHandledReconcileAt: request } }
    events.push({ type: 'Normal', reason: 'ReconcileRequestHandled', message: 'Handling reconcile request' })
  }
  if (xr.metadata.deletionTimestamp !== undefined) {
    xr = saying(xr, nowMs, deleting(), synced())
    return done()
  }
  const name = composition.metadata.name ?? ''
  if (nameOf(machineryOf(xr, scope).compositionRef) !== name) {
    xr = withMachinery(xr, scope, { compositionRef: { name } })
    events.push({ type: 'Normal', reason: 'SelectComposition', message: `Successfully selected composition: ${name}` })
  }
  const configured = configure(xr, scope, composition)
  if (configured === undefined) throw new XrRenderError(`reconcile failed: cannot configure composite resource: ${INCOMPATIBLE}`)
  // Which Composition was chosen is only ever written together with what is configured.
  const isWritten = configured !== xr
  xr = configured
  const world = new FilesWorld(input, xr)
  const { runner, signal } = input
  const steps = stepsOf(composition)
  // Nothing merges a status here: what no function returns is gone.
  const keptStatus: readonly string[] = []
  const result = await composeXr({ xr, scope, steps, runner, world, nowMs: () => nowMs, keptStatus, ...(signal && { signal }) })
  if (result.error !== undefined && !result.fatal)
    throw new XrRenderError(`reconcile failed: ${result.error.message}`, { cause: result.error })
  const { pipeline } = result
  xr = result.xr
  events.push(...result.events)
  const context = pipeline === undefined ? {} : { context: pipeline.context ?? {} }
  const requiredResources = pipeline?.required ?? []
  if (result.fatal) {
    if (!isWritten) xr = { ...xr, spec: stored['spec'] } as KubeObject
    return { ...done(), requiredResources, ...context, fatal: result.error?.message ?? '' }
  }
  return { xr, composed: world.applied, deleted: world.collected, events, requiredResources, ...context }
}

function scopeFor({ xr, xrd }: XrRenderInput): XrScope {
  if (xrd === undefined) return xr.metadata.namespace === undefined ? 'Cluster' : 'Namespaced'
  const { name = '' } = xrd.metadata
  if (!/^apiextensions\.crossplane\.io\/v[12]$/.test(xrd.apiVersion))
    throw new XrRenderError(
      `cannot select composite resource schema: CompositeResourceDefinition "${name}" has unrecognized apiVersion "${xrd.apiVersion}" (expected one of [apiextensions.crossplane.io/v1 apiextensions.crossplane.io/v2])`,
    )
  const { group = '', names } = (xrd as { readonly spec?: Partial<CompositeResourceDefinition['spec']> }).spec ?? {}
  const { group: ownGroup, kind: ownKind } = gvkOf(xr)
  if (group !== ownGroup || (names?.kind ?? '') !== ownKind)
    throw new XrRenderError(
      `cannot select composite resource schema: CompositeResourceDefinition "${name}" (composite Group=${group} Kind=${names?.kind ?? ''}) does not match the input XR's Group=${ownGroup} Kind=${ownKind}`,
    )
  return scopeOf(xrd)
}

/** K123: only what the controller would see as its own. Says all that is wrong, each once. */
function checkObserved(xr: KubeObject, observed: readonly KubeObject[]): void {
  const { namespace, uid } = xr.metadata
  const wrong = observed.flatMap((object) => {
    const { name = '', namespace: place = '' } = object.metadata
    const controller = controllerOf(object)
    return [
      ...(controller !== undefined && controller.uid !== uid
        ? [`observed resource ${name} has a controller ref but is not controlled by the XR`]
        : []),
      ...(namespace && place !== namespace ? [`observed resource ${name} is not in the same namespace as the XR`] : []),
    ]
  })
  const said = [...new Set(wrong)]
  if (said.length > 0) throw new XrRenderError(`invalid observed resources: ${said.length === 1 ? said[0] : `[${said.join(', ')}]`}`)
}

/** K121: names of composed resources follow from the uid, so that it must be the same each time. */
function withUid(xr: KubeObject): KubeObject {
  if (xr.metadata.uid !== undefined) return xr
  const { namespace = '', name = '' } = xr.metadata
  const [group, version] = xr.apiVersion.includes('/') ? xr.apiVersion.split('/') : ['', xr.apiVersion]
  const bytes = createHash('sha1')
    .update(Buffer.alloc(16))
    .update(`${group ?? ''}/${version ?? ''}, Kind=${xr.kind}\0${namespace}\0${name}`)
    .digest()
    .subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const uid = bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { ...xr, metadata: { ...xr.metadata, uid } }
}

function withObserved(xr: KubeObject, scope: XrScope, observed: readonly KubeObject[]): KubeObject {
  if (observed.length === 0) return xr
  const resourceRefs = observed.map(({ apiVersion, kind, metadata: { name = '', namespace } }) => ({
    apiVersion,
    kind,
    name,
    ...(xr.metadata.namespace === undefined && namespace !== undefined && { namespace }),
  }))
  return withMachinery(xr, scope, { resourceRefs })
}

/**
 * A world of files. Any kind may be anywhere in it: there is nobody to say otherwise. All files are one world, whichever they were given as: a function may
 * ask for what exists already, and of two that are the same object the later counts.
 */
class FilesWorld implements XrWorld {
  readonly applied: KubeObject[] = []
  readonly collected: KubeObject[] = []
  readonly #objects: ReadonlyMap<string, KubeObject>
  readonly #schemas: readonly JsonObject[]

  constructor({ observed = [], required = [], credentials = [], schemas = [] }: XrRenderInput, xr: KubeObject) {
    const secrets = credentials.map((given) => (given.kind ? given : { ...given, apiVersion: 'v1', kind: 'Secret' }))
    this.#objects = new Map([xr, ...observed, ...required, ...secrets].map((object) => [keyOf(object, object.metadata), object]))
    this.#schemas = schemas
  }

  async composed(
    { apiVersion = '', kind = '', name }: { readonly apiVersion?: string; readonly kind?: string; readonly name?: string },
    namespace: string | undefined,
  ): Promise<KubeObject | undefined> {
    return this.#objects.get(keyOf({ apiVersion, kind }, { name, namespace }))
  }

  async connectionOf(object: KubeObject): Promise<Readonly<Record<string, string>>> {
    const ref = publishedTo(specOf(object))
    if (ref === undefined) return {}
    return (await this.secret({ namespace: object.metadata.namespace ?? ref.namespace ?? '', name: ref.name })) ?? {}
  }

  async secret(ref: { readonly namespace: string; readonly name: string }): Promise<Readonly<Record<string, string>> | undefined> {
    const found = this.#objects.get(keyOf({ apiVersion: 'v1', kind: 'Secret' }, ref))
    return found !== undefined && isOfKind(secretKind, found) ? (found.data ?? {}) : undefined
  }

  async required({ apiVersion = '', kind = '', matchName, matchLabels, namespace }: ResourceSelector): Promise<readonly KubeObject[]> {
    if (matchName !== undefined) {
      const found = this.#objects.get(keyOf({ apiVersion, kind }, { name: matchName, namespace }))
      return found === undefined ? [] : [found]
    }
    const requirements = requirementsOf({ matchLabels: { ...matchLabels?.labels } })
    const key = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
    return [...this.#objects.values()]
      .filter((object) => object.apiVersion === apiVersion && object.kind === kind)
      .filter(({ metadata }) => !namespace || metadata.namespace === namespace)
      .filter(({ metadata }) => matchesLabels(requirements, metadata.labels))
      .sort((a, b) => (key(a) < key(b) ? -1 : 1))
  }

  async schema(selector: SchemaSelector): Promise<Struct | undefined> {
    return schemaIn(this.#schemas, selector)
  }

  async isNamespaced(): Promise<undefined> {
    return undefined
  }

  async expect(): Promise<void> {}

  async collect(_observed: KubeObject, unlabelled: KubeObject): Promise<void> {
    this.collected.push(unlabelled)
  }

  async applyRefs(xr: KubeObject): Promise<KubeObject> {
    return xr
  }

  async applyComposed(desired: KubeObject): Promise<void> {
    this.applied.push(desired)
  }

  async applyStatus(_xr: KubeObject, body: KubeObject): Promise<KubeObject> {
    return body
  }
}

const keyOf = (
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  { namespace = '', name = '' }: { readonly namespace?: string | undefined; readonly name?: string | undefined },
): string => JSON.stringify([apiVersion, kind, namespace, name])
