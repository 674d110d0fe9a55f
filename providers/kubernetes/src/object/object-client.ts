import { createHash } from 'node:crypto'
import type { KubeObject } from '@weft/api'
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
import { differenceOf, missingFrom } from './difference.ts'
import { isSecret, propagationOf, type Wanted, wantedOf } from './manifest.ts'
import { observedManifest } from './observed-manifest.ts'
import { readinessOf } from './readiness.ts'

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
}

/** An Object's object on one cluster, kept by server-side apply. */
export function objectClient({ cluster, clusterKey, states }: ObjectClientOptions): ExternalClient {
  const wanted = async (resource: ManagedResource, { signal }: CallContext): Promise<Wanted> => {
    const found = wantedOf(resource)
    await mustFitScope(cluster, found, signal)
    return found
  }
  return {
    async observe(resource, context): Promise<Observation> {
      const { kind, name, namespace, manifest } = await wanted(resource, context)
      const { signal } = context
      const current = await cluster.get(kind, { name, namespace }, { signal })
      if (current === undefined) return { exists: false }
      const going = isBeingDeleted(resource)
      const difference = going ? undefined : await differs(resource, manifest, current, signal)
      const connection = going ? undefined : await connectionDetailsOf(resource, cluster, { signal })
      return {
        exists: true,
        upToDate: difference === undefined,
        ...(difference !== undefined && { difference }),
        ...readinessOf(resource, current),
        atProvider: { manifest: observedManifest(current) },
        ...(connection !== undefined && { connection }),
      }
    },
    async create(resource, context) {
      const { kind, manifest } = await wanted(resource, context)
      const call = { fieldManager: fieldManagerOf(resource), signal: context.signal, sensitive: isSecret(kind) }
      // Not by force: what somebody else made in this very moment is theirs.
      const { created, object } = await cluster.apply(manifest, { ...call, force: false })
      if (!created) throw new ExternalError('AlreadyExists', `the ${kind.kind} exists on the cluster of ${cluster.name}`)
      states.remember(resource.metadata.uid ?? '', clusterKey, manifest, object)
      return {}
    },
    async update(resource, context) {
      const { kind, manifest } = await wanted(resource, context)
      const call = { fieldManager: fieldManagerOf(resource), signal: context.signal, sensitive: isSecret(kind) }
      const { object } = await cluster.apply(manifest, { ...call, force: true })
      states.remember(resource.metadata.uid ?? '', clusterKey, manifest, object)
      return { atProvider: { manifest: observedManifest(object) } }
    },
    async delete(resource, context) {
      const { kind, name, namespace } = await wanted(resource, context)
      const { signal } = context
      const current = await cluster.get(kind, { name, namespace }, { signal })
      if (current === undefined) return
      await cluster.delete(kind, { name, namespace }, { uid: current.metadata.uid, propagation: propagationOf(resource), signal })
      states.forget(resource.metadata.uid ?? '')
    },
  }

  /** Asks the cluster what applying would change, and only when either side has changed since it was last known to change nothing. */
  async function differs(
    resource: ManagedResource,
    manifest: KubeObject,
    current: KubeObject,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const decision = managementOf(resource)
    const uid = resource.metadata.uid ?? ''
    // Whoever may not write need not be able to.
    if (decision.kind !== 'manage' || !decision.policy.update || current.metadata.deletionTimestamp !== undefined) return undefined
    if (states.isKnown(uid, clusterKey, manifest, current)) return undefined
    const difference = await dryRun(resource, manifest, current, signal)
    if (difference === undefined) states.remember(uid, clusterKey, manifest, current)
    return difference
  }

  async function dryRun(
    resource: ManagedResource,
    manifest: KubeObject,
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
        sensitive: isSecret(wantedOf(resource).kind),
      })
      return differenceOf(current, object, fieldManager)
    } catch (error) {
      // A webhook there that cannot be asked in advance.
      if (hasExternalCode(error, 'Invalid') && /dry.?run/i.test((error as Error).message)) return missingFrom(current, manifest)
      throw error
    }
  }
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
