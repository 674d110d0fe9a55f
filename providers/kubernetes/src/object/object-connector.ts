import { formatGroupKind } from '@weft/api'
import type { ConnectContext, Connector, ExternalClient, ManagedResource, ReleaseContext } from '@weft/provider-sdk'
import { specOf } from '@weft/provider-sdk'
import type { Clusters, Connected } from '../cluster/clusters.ts'
import type { Watched, Watches } from '../watch/watches.ts'
import { AppliedStates } from './applied-states.ts'
import { controlPlaneOf } from './control-plane.ts'
import { releaseTargets } from './holds.ts'
import { wantedOf } from './manifest.ts'
import { objectClient } from './object-client.ts'
import { marksIn, OWNER } from './owner-mark.ts'
import { isObject, type Target } from './references.ts'

/** For how long leaving an object behind waits for its cluster. */
const UNMARK_MS = 3_000

/** What all kinds of the provider share. */
export interface Shared {
  readonly clusters: Clusters
  readonly watches: Watches
}

/** Objects of one API group. */
export function objectConnector(group: string, shared: () => Shared, close: () => Promise<void>): Connector {
  const states = new AppliedStates()
  const ownerOf = ({ namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string }): string =>
    `${group}/${namespace}/${name}`
  const follow = (resource: ManagedResource, objects: readonly Watched[], context: ConnectContext): boolean => {
    const { watches } = shared()
    const owner = ownerOf({ namespace: resource.metadata.namespace, name: resource.metadata.name ?? '' })
    if (specOf(resource)['watch'] === true) return watches.follow(owner, objects, context.requeue)
    watches.stop(owner)
    return false
  }
  /** What is left behind is anybody's. Where the cluster cannot be asked, the mark stays: then it names an Object that is gone. */
  const unmark = async (resource: ManagedResource, context: ReleaseContext): Promise<void> => {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(UNMARK_MS)])
    try {
      const { kind, name, namespace } = wantedOf(resource)
      const { cluster } = await shared().clusters.connect(context)
      const current = await cluster.get(kind, { name, namespace }, { signal })
      if (current === undefined || (await marksIn(context.client).holderOf(current, resource)) !== 'self') return
      const { uid, resourceVersion } = current.metadata
      await cluster.merge(kind, { name, namespace }, { metadata: { uid, resourceVersion, annotations: { [OWNER]: null } } }, { signal })
    } catch {
      context.signal.throwIfAborted()
    }
  }
  return {
    async connect(resource, context): Promise<ExternalClient> {
      const { clusters } = shared()
      const { cluster, key } = await clusters.connect(context)
      const own = clusters.own(resource.metadata.namespace, context)
      // As they are read: other Objects as the provider itself, everything else as the service account.
      const seenFrom = ({ kind }: Target): Connected => (isObject(resource, kind) ? clusters.itself(context) : own)
      return objectClient({
        cluster,
        clusterKey: key,
        states,
        client: context.client,
        marks: marksIn(context.client),
        controlPlane: controlPlaneOf(resource, context.client, own.cluster, context.signal),
        watched: (wanted, references) =>
          follow(resource, [watchedAt({ cluster, key }, wanted), ...references.map((each) => watchedAt(seenFrom(each), each))], context),
      })
    },
    async release(resource, context) {
      const { client, signal } = context
      if (context.staying) await unmark(resource, context)
      const { cluster } = shared().clusters.own(resource.metadata.namespace, { client })
      await releaseTargets(resource, controlPlaneOf(resource, client, cluster, signal).patch)
    },
    forget: (resource) => shared().watches.stop(ownerOf(resource)),
    close,
  }
}

/** An object as the watch of its kind, there, follows it. */
const watchedAt = ({ cluster, key }: Connected, { kind, name, namespace }: Target): Watched => ({
  name,
  kind: {
    key: JSON.stringify([key, formatGroupKind(kind), kind.version, namespace ?? '']),
    cluster: key,
    follow: (signal, opened) => cluster.follow(kind, namespace, signal, opened),
  },
})
