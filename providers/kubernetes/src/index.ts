import { type Connector, defineProvider, loadPackage, managedKind, type ProviderDefinition } from '@weft/provider-sdk'
import { Clusters } from './cluster/clusters.ts'
import { AppliedStates } from './object/applied-states.ts'
import { objectIdentity } from './object/manifest.ts'
import { objectClient } from './object/object-client.ts'

const GROUP = 'kubernetes.crossplane.io'

/** Objects of any kind on any Kubernetes cluster. */
export function createKubernetesProvider(): ProviderDefinition {
  let clusters = new Clusters()
  const states = new AppliedStates()
  const objects: Connector = {
    async connect(_resource, context) {
      const { cluster, key } = await clusters.connect(context)
      return objectClient({ cluster, clusterKey: key, states })
    },
    async close() {
      const closing = clusters
      clusters = new Clusters()
      await closing.close()
    },
  }
  return defineProvider({
    name: 'provider-kubernetes',
    package: loadPackage(import.meta.url, 'kubernetes'),
    kinds: [
      managedKind({
        group: GROUP,
        kind: 'Object',
        connector: objects,
        configKinds: [{ group: GROUP, kind: 'ProviderConfig' }],
        identity: objectIdentity,
        // A Kubernetes API shows what it has answered.
        creationGraceMs: 0,
        // Most of the time is spent waiting for clusters, and one that is slow must leave workers to the others.
        concurrency: 32,
      }),
    ],
  })
}

export const kubernetesProvider: ProviderDefinition = createKubernetesProvider()
