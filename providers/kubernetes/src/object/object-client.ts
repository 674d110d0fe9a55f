import { createHash } from 'node:crypto'
import { messageOf } from '@weft/api'
import type { JsonObject, KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import {
  type CallContext,
  ExternalError,
  type ExternalClient,
  hasExternalCode,
  isBeingDeleted,
  managementOf,
  type ManagedResource,
  type Observation,
} from '@weft/provider-sdk'
import type { Cluster } from '../cluster/cluster.ts'
import type { AppliedStates } from './applied-states.ts'
import { connectionDetailsOf } from './connection-details.ts'
import type { ControlPlane } from './control-plane.ts'
import { differenceOf, missingFrom } from './difference.ts'
import { areHeld, holdTargets, isNeeded } from './holds.ts'
import { isSecret, propagationOf, type Wanted, wantedOf } from './manifest.ts'
import { observedManifest } from './observed-manifest.ts'
import { type Holder, marked, type Marks, OWNER } from './owner-mark.ts'
import { readinessOf } from './readiness.ts'
import { referencesOf, type Resolved, resolveManifest, type Target, without } from './references.ts'

const MANAGER = 'provider-kubernetes'
const MAX_MANAGER = 128

/** Each Object owns fields under a name of its own. The same one when it is made again: what it owned is its own still. */
export function fieldManagerOf({ metadata: { namespace, name = '' } }: ManagedResource): string {
  const manager = [MANAGER, ...(namespace === undefined ? [] : [namespace]), name].join('/')
  return manager.length <= MAX_MANAGER ? manager : `${MANAGER}/${createHash('sha256').update(manager).digest('hex')}`
}

export interface ObjectClientOptions {
  readonly cluster: Cluster
  /** Tells one connection from another. */
  readonly clusterKey: string
  readonly states: AppliedStates
  readonly controlPlane: ControlPlane
  readonly marks: Marks
  /** Of this control plane, as the provider itself: for notes on the Object. */
  readonly client: Client
  /** Has the object watched, and what it refers to; answers whether all of that is. */
  watched(wanted: Wanted, references: readonly Target[]): boolean
}

/** The manifest is marked with its owner. */
interface Prepared extends Wanted, Omit<Resolved, 'manifest'> {
  readonly sensitive: boolean
}

/** An Object's object on one cluster, kept by server-side apply. */
export function objectClient(options: ObjectClientOptions): ExternalClient {
  const { cluster, clusterKey, states, controlPlane, client, marks } = options
  /** Of the last observation: what an update takes over it must not have seen as another's. */
  let seen: KubeObject | undefined
  const fitting = async (resource: ManagedResource, { signal }: CallContext): Promise<Wanted> => {
    const found = wantedOf(resource)
    await mustFitScope(cluster, found, signal)
    return found
  }
  const prepare = async (resource: ManagedResource, found: Wanted): Promise<Prepared> => {
    // For what goes away nothing is looked up: what it referred to may be gone.
    const resolved = isBeingDeleted(resource)
      ? { manifest: found.manifest, found: [], hidden: [] }
      : await resolveManifest(resource, found.manifest, controlPlane.read)
    const manifest = marked(resolved.manifest, await marks.of(resource))
    return { ...found, ...resolved, manifest, sensitive: isSecret(found.kind) || resolved.hidden.length > 0 }
  }
  const wanted = async (resource: ManagedResource, context: CallContext): Promise<Prepared> =>
    prepare(resource, await fitting(resource, context))
  const shown = (object: KubeObject, { hidden }: Prepared): JsonObject => without(observedManifest(object), hidden)
  return {
    async observe(resource, context): Promise<Observation> {
      const target = await fitting(resource, context)
      // Before anything is read: what changes afterwards is told, and so is what is referred to and not there yet.
      const watched = options.watched(target, isBeingDeleted(resource) ? [] : referencesOf(resource))
      const prepared = await prepare(resource, target)
      const { kind, name, namespace, found } = prepared
      const { signal } = context
      const current = await cluster.get(kind, { name, namespace }, { signal })
      if (current === undefined) return { exists: false }
      seen = current
      const holder = await marks.holderOf(current, resource)
      const heldBy = holder === 'another' || holder === 'elsewhere' ? { heldBy: holder } : {}
      if (isBeingDeleted(resource)) return { ...going(resource, current, watched), ...heldBy }
      const difference =
        holder === 'another' ? undefined : areHeld(resource, found) ? await differs(resource, prepared, current, signal) : 'references'
      const connection = await connectionDetailsOf(resource, cluster, { signal })
      return {
        exists: true,
        upToDate: difference === undefined,
        ...heldBy,
        ...(difference !== undefined && { difference }),
        ...readinessOf(resource, current),
        atProvider: { manifest: shown(current, prepared) },
        ...(connection !== undefined && { connection }),
        watched,
      }
    },
    async create(resource, context) {
      const { kind, manifest, sensitive } = await wanted(resource, context)
      const call = { fieldManager: fieldManagerOf(resource), signal: context.signal, sensitive }
      await holdTargets(resource, client, controlPlane.patch)
      // Not by force: what somebody else made in this very moment is theirs.
      const { created, object } = await cluster.apply(manifest, { ...call, force: false })
      if (!created) throw new ExternalError('AlreadyExists', `the ${kind.kind} exists on the cluster of ${cluster.name}`)
      states.remember(resource.metadata.uid ?? '', clusterKey, manifest, object)
      return {}
    },
    claim: async (resource, context) => claim(await wanted(resource, context), context),
    async update(resource, context) {
      const prepared = await wanted(resource, context)
      const { manifest, sensitive } = prepared
      await claim(prepared, context)
      const call = { fieldManager: fieldManagerOf(resource), signal: context.signal, sensitive }
      await holdTargets(resource, client, controlPlane.patch)
      const { object } = await cluster.apply(manifest, { ...call, force: true })
      states.remember(resource.metadata.uid ?? '', clusterKey, manifest, object)
      return { atProvider: { manifest: shown(object, prepared) } }
    },
    async delete(resource, context) {
      const { kind, name, namespace } = await wanted(resource, context)
      const { signal } = context
      const current = await cluster.get(kind, { name, namespace }, { signal })
      if (current === undefined || HELD_BY_OTHERS.has(await marks.holderOf(current, resource))) return
      await cluster.delete(kind, { name, namespace }, { uid: current.metadata.uid, propagation: propagationOf(resource), signal })
      states.forget(resource.metadata.uid ?? '')
    },
  }

  /** Marks what is not its own yet, unless anybody wrote it since it was looked at: updates are by force. */
  async function claim({ kind, name, namespace, manifest, sensitive }: Prepared, { signal }: CallContext): Promise<void> {
    const mark = manifest.metadata.annotations?.[OWNER]
    if (seen === undefined || seen.metadata.annotations?.[OWNER] === mark) return
    const { uid, resourceVersion } = seen.metadata
    const body = { metadata: { uid, resourceVersion, annotations: { [OWNER]: mark } } }
    seen = await cluster.merge(kind, { name, namespace }, body, { signal, sensitive })
  }

  /** Asks the cluster what applying would change, and only when either side has changed since it was last known to change nothing. */
  async function differs(
    resource: ManagedResource,
    prepared: Prepared,
    current: KubeObject,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { manifest } = prepared
    const decision = managementOf(resource)
    const uid = resource.metadata.uid ?? ''
    // Whoever may not write need not be able to.
    if (decision.kind !== 'manage' || !decision.policy.update || current.metadata.deletionTimestamp !== undefined) return undefined
    if (states.isKnown(uid, clusterKey, manifest, current)) return undefined
    const difference = await dryRun(resource, prepared, current, signal)
    if (difference === undefined) states.remember(uid, clusterKey, manifest, current)
    return difference
  }

  async function dryRun(
    resource: ManagedResource,
    { manifest, sensitive }: Prepared,
    current: KubeObject,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const fieldManager = fieldManagerOf(resource)
    try {
      const { object } = await cluster.apply(manifest, {
        fieldManager,
        force: true,
        dryRun: true,
        signal,
        sensitive,
      })
      return differenceOf(current, object, fieldManager)
    } catch (error) {
      // A webhook there that cannot be asked in advance.
      if (hasExternalCode(error, 'Invalid') && /dry.?run/i.test(messageOf(error))) return missingFrom(current, manifest)
      throw error
    }
  }
}

const HELD_BY_OTHERS: ReadonlySet<Holder> = new Set(['another', 'elsewhere'])

/** What other Objects need stays until they are gone. */
function going(resource: ManagedResource, current: KubeObject, watched: boolean): Observation & { exists: true } {
  return isNeeded(resource)
    ? { exists: true, upToDate: true, readiness: 'deleting', message: 'other Objects refer to this one: it goes when they are gone' }
    : { exists: true, upToDate: true, readiness: current.metadata.deletionTimestamp === undefined ? 'unavailable' : 'deleting', watched }
}

/** Asked in the wrong scope, a server would answer for another object, or for one of a namespace that nobody named. */
async function mustFitScope(cluster: Cluster, { kind, namespace }: Wanted, signal: AbortSignal): Promise<void> {
  const { namespaced } = await cluster.mapping(kind, { signal })
  if (namespaced && namespace === undefined)
    throw new ExternalError('Invalid', `spec.forProvider.manifest.metadata.namespace is not set: a ${kind.kind} is in a namespace`)
  if (!namespaced && namespace !== undefined)
    throw new ExternalError(
      'Invalid',
      `spec.forProvider.manifest.metadata.namespace is set: a ${kind.kind} is in no namespace, leave it out`,
    )
}
