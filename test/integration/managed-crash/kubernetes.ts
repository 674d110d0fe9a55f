import type { KubeObject } from '@weft/api'
import { NAMESPACE, configMap, kubeconfigSecret, object, providerConfig } from '../../../providers/kubernetes/src/objects.fixture.ts'
import { startRemoteCluster } from '../../../providers/kubernetes/src/remote-cluster.fixture.ts'
import type { Site } from './site.ts'

const CONFIG_MAP = { group: '', kind: 'ConfigMap' }

/** An Object and another that needs it. */
const pair = (i: number): readonly KubeObject[] => [
  object(`base-${i}`, configMap({ value: String(i) })),
  object(`user-${i}`, configMap({ own: 'x' }), { references: [{ dependsOn: { name: `base-${i}` } }] }),
]

/** Another API server, which nobody kills. */
export async function openCluster(pairs: number): Promise<Site> {
  const cluster = await startRemoteCluster()
  await cluster.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  return {
    name: 'Kubernetes',
    objects: [kubeconfigSecret(cluster.kubeconfig()), providerConfig()],
    groups: Array.from({ length: pairs }, (_, i) => pair(i)),
    async inventory() {
      const { items } = await cluster.client.list(CONFIG_MAP, { namespace: NAMESPACE })
      return items
        .map(({ metadata }) => `Object/${metadata.name ?? ''}`)
        .filter((name) => /-\d+$/.test(name))
        .toSorted()
    },
    nameOf: ({ kind, metadata }) => `${kind}/${metadata.name ?? ''}`,
    async problemOf({ metadata }) {
      const made = await cluster.client.find(CONFIG_MAP, { namespace: NAMESPACE, name: metadata.name ?? '' })
      return made?.['data'] === undefined ? 'is not as it was asked for' : undefined
    },
    close: () => cluster.close(),
  }
}
