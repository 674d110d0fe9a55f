import { servedKind } from '../definition/served-kind.ts'
import {
  deepEqual,
  formatGroupKind,
  type GroupKind,
  gvkOf,
  hasReason,
  type KubeObject,
  messageOf,
  parseGroupVersion,
  StatusError,
  withMeta,
} from '@weft/api'
import type { Client } from '@weft/client'
import { done, type EventRecorder, need, type Need, type ReconcileContext, type Request, requeueAfter, type Result } from '@weft/runtime'
import { available, waiting } from '../binding/conditions.ts'
import { withFinalizer, withoutFinalizer } from '../binding/finalizers.ts'
import type { DefinedKind } from '../definition/definition.ts'
import { isReservedGroup } from '../definition/nature.ts'
import { untilServed } from '../definition/until-served.ts'
import { report, saying } from '../xr/conditions.ts'
import { mustBeTheirs, resolveSelectors } from './resolve.ts'
import { attemptOn, detailsOf, IN_USE, namespaceOfUsed, type Usage, type UsageEnd } from './usage.ts'
import { UsageError } from './usage-error.ts'
import { type UsageIndex, waitsForUser } from './usage-index.ts'
import { CORE_MANAGER } from '../definition/core-manager.ts'

export const USAGE_FINALIZER = 'usage.apiextensions.crossplane.io'
const DETAILS = 'crossplane.io/usage-details'
/** How often is looked at what nobody watches: kinds of Kubernetes itself, of which there may be very many. */
const POLL_MS = 60_000
const POLL_WHILE_WAITING_MS = 30_000

export interface UsageReconcilerOptions {
  readonly events: EventRecorder
  readonly usages: UsageIndex
  readonly now: () => number
}

/** An end of a usage as it is now. */
interface Found {
  readonly kind: DefinedKind | undefined
  readonly object: KubeObject | undefined
}

/**
 * Reconciles one usage of any of the three kinds (K137–K145). Outcomes:
 *
 * - protected: what it is of has the label that makes its deletion a question to admission. Ready=True.
 * - one of its ends is not there, or may not be read: Ready=False with the reason; again when it comes, or after a growing delay.
 * - deleted: once what uses it is gone (if they were composed together), the label goes, and the deletion that somebody tried is made up for
 *   if the usage asks for that; then its finalizer goes. All of it may be repeated.
 */
export class UsageReconciler {
  readonly #options: UsageReconcilerOptions

  constructor(options: UsageReconcilerOptions) {
    this.#options = options
  }

  async reconcile(request: Request, context: ReconcileContext<Usage>): Promise<Result> {
    const given = context.primary.get(request)
    if (given === undefined) return done
    try {
      return given.metadata.deletionTimestamp === undefined ? await this.#protect(given, context) : await this.#release(given, context)
    } catch (error) {
      if (context.signal.aborted || hasReason(error, 'Conflict')) throw error
      const message = messageOf(error)
      this.#options.events.warning(given, error instanceof UsageError ? error.reason : 'GetUsedResource', message)
      const now = await context.client.find<Usage>(gvkOf(given), request)
      if (now !== undefined) await report(context.client, now, saying(now, this.#options.now(), waiting(message)))
      throw error
    }
  }

  async #protect(given: Usage, context: ReconcileContext<Usage>): Promise<Result> {
    const { client } = context
    const resolved = await resolveSelectors(client, given)
    const { of, by } = resolved.spec
    const ofKind = await servedKind(client, of)
    if (ofKind !== undefined) mustBeTheirs(ofKind, of.resourceRef?.namespace, given, 'used')
    const used = await this.#find(ofKind, { name: of.resourceRef?.name ?? '', namespace: namespaceOfUsed(resolved) }, context)
    const using = by && (await this.#using(resolved, by, context))
    const followed = this.#follow([used, ...(using ? [using] : [])], [of, ...(by ? [by] : [])], context)
    const marked = withDetails(withFinalizer(using?.object === undefined ? resolved : withOwner(resolved, using.object), USAGE_FINALIZER))
    const written =
      deepEqual(marked.metadata, given.metadata) && deepEqual(marked.spec, given.spec)
        ? given
        : await client.update(marked, { fieldManager: CORE_MANAGER })
    const object = mustExist(used, of, 'used')
    if (object.metadata.labels?.[IN_USE] !== 'true') await label(client, used, 'true')
    if (by && using) mustExist(using, by, 'using')
    const told = saying(written, this.#options.now(), available())
    if (written !== given || told !== written) this.#options.events.normal(written, 'UsageConfigured', 'Usage configured successfully.')
    await report(client, written, told)
    return followed ? done : requeueAfter(POLL_MS)
  }

  async #release(given: Usage, context: ReconcileContext<Usage>): Promise<Result> {
    const { client } = context
    const { of, by, replayDeletion } = given.spec
    if (by && waitsForUser(given)) {
      const using = await this.#using(given, by, context)
      if (using.object !== undefined) {
        const who = `(which is a "${by.kind ?? ''}" named "${by.resourceRef?.name ?? ''}")`
        this.#options.events.normal(given, 'WaitingUsingDeleted', `Waiting for the using resource ${who} to be deleted.`)
        this.#follow([using], [by], context)
        return requeueAfter(POLL_WHILE_WAITING_MS)
      }
    }
    const { name = '' } = of.resourceRef ?? {}
    const used: Found =
      name === ''
        ? { kind: undefined, object: undefined }
        : await this.#find(await servedKind(client, of), { name, namespace: namespaceOfUsed(given) }, context, { live: true })
    const others =
      used.object === undefined
        ? []
        : this.#options.usages.protecting(used.object).filter(({ metadata }) => metadata.uid !== given.metadata.uid)
    if (used.object !== undefined && others.length === 0) {
      if (used.object.metadata.labels?.[IN_USE] !== undefined) await label(client, used, null)
      // Before this one goes, so that a crash in between loses nothing; without the label nobody is asked.
      if (replayDeletion === true) await this.#replay(given, used, client)
    }
    const released = withoutFinalizer(given, USAGE_FINALIZER)
    if (released !== given) await client.update(released, { fieldManager: CORE_MANAGER })
    context.follow([])
    return done
  }

  /** K145. What refuses it for good is told; what may pass is tried again. */
  async #replay(usage: Usage, { kind, object }: Found, client: Client): Promise<void> {
    const policy = object && attemptOn(object)
    if (kind === undefined || object === undefined || policy === undefined || object.metadata.deletionTimestamp !== undefined) return
    const { name = '', namespace, uid } = object.metadata
    try {
      await client.delete(kind, { name, namespace }, { propagationPolicy: policy, ...(uid !== undefined && { preconditions: { uid } }) })
      this.#options.events.normal(usage, 'ReplayDeletion', `Deleted ${object.kind} "${name}", which is no longer in use.`)
    } catch (error) {
      const isFinal = error instanceof StatusError && error.code >= 400 && error.code < 500 && error.code !== 429
      if (!isFinal) throw error
      this.#options.events.warning(
        usage,
        'ReplayDeletion',
        `cannot delete ${object.kind} "${name}", which is no longer in use: ${error.message}`,
      )
    }
  }

  async #using(usage: Usage, by: UsageEnd, context: ReconcileContext<Usage>): Promise<Found> {
    const kind = await servedKind(context.client, by)
    return this.#find(kind, { name: by.resourceRef?.name ?? '', namespace: usage.metadata.namespace ?? '' }, context)
  }

  async #find(
    kind: DefinedKind | undefined,
    { name, namespace }: { readonly name: string; readonly namespace: string },
    { client, known }: ReconcileContext<Usage>,
    { live = false }: { readonly live?: boolean } = {},
  ): Promise<Found> {
    if (kind === undefined || name === '') return { kind, object: undefined }
    const ref = { name, namespace: kind.namespaced ? namespace : undefined }
    const remembered = live ? undefined : known(kind)?.get(ref)
    return { kind, object: remembered ?? (await client.find(kind, ref)) }
  }

  /** Listens to both ends, unless they are kinds of Kubernetes itself. Answers whether that is all. */
  #follow(found: readonly Found[], ends: readonly UsageEnd[], context: ReconcileContext<Usage>): boolean {
    const served = found.flatMap(({ kind }) => (kind === undefined ? [] : [kind]))
    const custom = served.filter(({ group }) => !isReservedGroup(group))
    const missing = ends.filter((_, i) => found[i]?.kind === undefined).map(groupKindOf)
    const needs = new Map<string, Need>(custom.map((kind) => [`${formatGroupKind(kind)}/${kind.version}`, need({ kind })]))
    context.follow([...needs.values(), ...(missing.length > 0 ? [untilServed(missing)] : [])])
    return custom.length === found.length
  }
}

const groupKindOf = ({ apiVersion = '', kind = '' }: UsageEnd): GroupKind => ({ group: parseGroupVersion(apiVersion).group, kind })

const withDetails = (usage: Usage): Usage =>
  usage.metadata.annotations?.[DETAILS] === detailsOf(usage)
    ? usage
    : withMeta(usage, { annotations: { ...usage.metadata.annotations, [DETAILS]: detailsOf(usage) } })

/** When what uses it goes, the usage goes. */
function withOwner(usage: Usage, { apiVersion, kind, metadata: { name = '', uid = '' } }: KubeObject): Usage {
  const owners = usage.metadata.ownerReferences ?? []
  return owners.some((owner) => owner.uid === uid)
    ? usage
    : withMeta(usage, { ownerReferences: [...owners, { apiVersion, kind, name, uid }] })
}

function mustExist({ kind, object }: Found, end: UsageEnd, which: 'used' | 'using'): KubeObject {
  if (object !== undefined) return object
  const what = `${end.kind ?? ''} "${end.resourceRef?.name ?? ''}"`
  throw new UsageError(
    which === 'used' ? 'GetUsedResource' : 'GetUsingResource',
    kind === undefined
      ? `cannot get ${which}: nothing serves ${end.kind ?? ''} of ${end.apiVersion ?? ''}`
      : `cannot get ${which}: ${what} not found`,
  )
}

/** Of this very object, not of a namesake. */
async function label(client: Client, { kind, object }: Found, value: 'true' | null): Promise<void> {
  if (kind === undefined || object === undefined) return
  const { name = '', namespace, uid } = object.metadata
  const body = { metadata: { ...(uid !== undefined && { uid }), labels: { [IN_USE]: value } } }
  await client.patch(kind, { name, namespace }, { type: 'merge', body }, { fieldManager: CORE_MANAGER })
}
