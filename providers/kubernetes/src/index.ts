/**
 * Objects on Kubernetes clusters as managed resources. `cluster/` connects to one as a ProviderConfig says, `object/` carries out one object, `collection/` makes
 * an Object of each that a selector finds, `watch/` hears of changes before the next poll. A client of clusters: besides `provider-sdk` it imports what
 * clients do, and never a server. The control plane imports it by name.
 */
import { type Connector, defineProvider, loadPackage, managedKind, type ManagedKind, type ProviderDefinition } from '@weft/provider-sdk'
import { Clusters } from './cluster/clusters.ts'
import { collectionClient } from './collection/collection-client.ts'
import { objectIdentity } from './object/manifest.ts'
import { objectConnector, type Shared } from './object/object-connector.ts'
import { Watches } from './watch/watches.ts'

/** The kinds for the whole control plane, and their twins in namespaces. */
const TWINS = [
  { group: 'kubernetes.crossplane.io', version: 'v1alpha2', configs: ['ProviderConfig'], scope: 'Cluster' },
  { group: 'kubernetes.m.crossplane.io', version: 'v1alpha1', configs: ['ProviderConfig', 'ClusterProviderConfig'], scope: 'Namespaced' },
] as const

/** Objects of any kind on any Kubernetes cluster. */
export function createKubernetesProvider(): ProviderDefinition {
  let shared: Shared = { clusters: new Clusters(), watches: new Watches() }
  const close = async (): Promise<void> => {
    const { clusters, watches } = shared
    shared = { clusters: new Clusters(), watches: new Watches() }
    watches.close()
    await clusters.close()
  }
  const kindsOf = ({ group, version, configs, scope }: (typeof TWINS)[number]): readonly ManagedKind[] => {
    const more = {
      group,
      configKinds: configs.map((kind) => ({ group, kind })),
      configScope: scope,
      // A Kubernetes API shows what it has answered.
      creationGraceMs: 0,
    }
    const collections: Connector = {
      async connect(_resource, context) {
        const { cluster } = await shared.clusters.connect(context)
        return collectionClient(cluster, context.client, { group, version, kind: 'Object' })
      },
    }
    return [
      // Most of the time is spent waiting for clusters, and one that is slow must leave workers to the others.
      managedKind({
        ...more,
        kind: 'Object',
        connector: objectConnector(group, () => shared, close),
        identity: objectIdentity,
        concurrency: 32,
      }),
      // It is nothing on the cluster, and so nobody else's either.
      managedKind({ ...more, kind: 'ObservedObjectCollection', connector: collections, identity: () => undefined, adoption: 'free' }),
    ]
  }
  return defineProvider({
    name: 'provider-kubernetes',
    package: loadPackage(import.meta.url, 'kubernetes'),
    kinds: TWINS.flatMap(kindsOf),
  })
}

export const kubernetesProvider: ProviderDefinition = createKubernetesProvider()
