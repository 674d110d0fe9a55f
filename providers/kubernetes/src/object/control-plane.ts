import { hasReason, type KubeObject } from '@weft/api'
import { type Client, NoMatchError } from '@weft/client'
import { hasExternalCode, type ManagedResource } from '@weft/provider-sdk'
import type { Cluster } from '../cluster/cluster.ts'
import type { PatchTarget } from './holds.ts'
import { isObject, type ReadTarget, type Target } from './references.ts'

/** What an Object refers to in this control plane. */
export interface ControlPlane {
  readonly read: ReadTarget
  readonly patch: PatchTarget
}

const ATTEMPTS = 5

/**
 * Other Objects are read and held as the provider itself. Everything else as the service account that InjectedIdentity means: whoever may write
 * Objects must not come by what only Weft may read, nor keep from going what is not theirs.
 */
export function controlPlaneOf(resource: ManagedResource, client: Client, account: Cluster, signal: AbortSignal): ControlPlane {
  const read = (target: Target): Promise<KubeObject | undefined> => {
    const { kind, name, namespace } = target
    return isObject(resource, kind)
      ? client.find(kind, { name, namespace }, { signal })
      : account.get(kind, { name, namespace }, { signal, sensitive: true })
  }
  const write = (target: Target, body: object): Promise<unknown> => {
    const { kind, name, namespace } = target
    return isObject(resource, kind)
      ? client.patch(kind, { name, namespace }, { type: 'merge', body }, { signal })
      : account.merge(kind, { name, namespace }, body, { signal })
  }
  return {
    read,
    async patch(target, change) {
      for (let attempt = 1; ; attempt++) {
        const object = await read(target).catch((error: unknown) => {
          if (error instanceof NoMatchError) return undefined
          throw error
        })
        if (object === undefined) return
        const before = object.metadata.finalizers ?? []
        const finalizers = change(before)
        // To what is going nothing can be added.
        if (finalizers.length === before.length || (finalizers.length > before.length && object.metadata.deletionTimestamp !== undefined))
          return
        const { uid, resourceVersion } = object.metadata
        try {
          await write(target, { metadata: { uid, resourceVersion, finalizers } })
          return
        } catch (error) {
          if (hasReason(error, 'NotFound')) return
          // Somebody else wrote it in between.
          if (attempt === ATTEMPTS || !(hasReason(error, 'Conflict') || hasExternalCode(error, 'Unavailable'))) throw error
        }
      }
    },
  }
}
