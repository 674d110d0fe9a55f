import { formatGroupKind } from '@weft/api'
import type { ConnectContext, Connector, ExternalClient, ManagedResource } from '@weft/provider-sdk'
import { specOf } from '@weft/provider-sdk'
import type { Cluster } from '../cluster/cluster.ts'
import type { Clusters } from '../cluster/clusters.ts'
import type { Watches } from '../watch/watches.ts'
import { AppliedStates } from './applied-states.ts'
import { controlPlaneOf } from './control-plane.ts'
import { releaseTargets } from './holds.ts'
import type { Wanted } from './manifest.ts'
import { objectClient } from './object-client.ts'

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
  const follow = (
    resource: ManagedResource,
    { kind, name, namespace }: Wanted,
    cluster: Cluster,
    key: string,
    context: ConnectContext,
  ): boolean => {
    const { watches } = shared()
    const owner = ownerOf({ namespace: resource.metadata.namespace, name: resource.metadata.name ?? '' })
    if (specOf(resource)['watch'] !== true) {
      watches.stop(owner)
      return false
    }
    const watched = {
      key: JSON.stringify([key, formatGroupKind(kind), kind.version, namespace ?? '']),
      cluster: key,
      follow: (signal: AbortSignal, opened: () => void) => cluster.follow(kind, namespace, signal, opened),
    }
    return watches.follow(owner, watched, name, context.requeue)
  }
  return {
    async connect(resource, context): Promise<ExternalClient> {
      const { clusters } = shared()
      const { cluster, key } = await clusters.connect(context)
      return objectClient({
        cluster,
        clusterKey: key,
        states,
        client: context.client,
        controlPlane: controlPlaneOf(resource, context.client, clusters.own(resource.metadata.namespace, context), context.signal),
        watched: (wanted) => follow(resource, wanted, cluster, key, context),
      })
    },
    async release(resource, { client, signal }) {
      const own = shared().clusters.own(resource.metadata.namespace, { client })
      await releaseTargets(resource, controlPlaneOf(resource, client, own, signal).patch)
    },
    forget: (resource) => shared().watches.stop(ownerOf(resource)),
    close,
  }
}
