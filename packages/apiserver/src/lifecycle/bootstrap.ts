import { hasReason, type KubeObject } from '@weft/api'
import {
  BOOTSTRAP_CLUSTER_ROLE_BINDINGS,
  BOOTSTRAP_CLUSTER_ROLES,
  type ClusterRole,
  type ClusterRoleBinding,
  RBAC_GROUP,
  reconcileBinding,
  reconcileRole,
} from '../auth/index.ts'
import { FIRST_ADDRESS, type RegistryServices, type ResourceType, storageKey } from '../registry/index.ts'
import { SystemWriter } from './system.ts'

const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease']

/** Objects that every client expects to find. Safe to run on every start: it only adds what is missing. */
export async function bootstrap(services: RegistryServices): Promise<void> {
  const writer = new SystemWriter(services, 'kube-apiserver')
  const type = (group: string, plural: string): ResourceType => services.catalog.builtIn(group, plural)
  const existing = <T extends KubeObject>(of: ResourceType, namespace: string, name: string): T | undefined =>
    services.catalog.store(of).get(storageKey(of, namespace, name))?.object as T | undefined

  const ensure = async (of: ResourceType, object: KubeObject): Promise<void> => {
    if (existing(of, object.metadata.namespace ?? '', object.metadata.name ?? '') !== undefined) return
    await writer.create(of, object).catch((error: unknown) => {
      if (!hasReason(error, 'AlreadyExists')) throw error
    })
  }
  const namespaces = NAMESPACES.map((name) => ensure(type('', 'namespaces'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  const roles = BOOTSTRAP_CLUSTER_ROLES.map(async (wanted) => {
    const of = type(RBAC_GROUP, 'clusterroles')
    const old = existing<ClusterRole>(of, '', wanted.metadata.name ?? '')
    const next = reconcileRole(old, wanted)
    if (old === undefined) await ensure(of, next)
    else if (next !== old) await writer.update(of, old, '', () => next)
  })
  const bindings = BOOTSTRAP_CLUSTER_ROLE_BINDINGS.map(async (wanted) => {
    const of = type(RBAC_GROUP, 'clusterrolebindings')
    const old = existing<ClusterRoleBinding>(of, '', wanted.metadata.name ?? '')
    const { object, recreate } = reconcileBinding(old, wanted)
    if (old !== undefined && recreate) await writer.delete(of, old)
    if (old === undefined || recreate) await ensure(of, object)
    else if (object !== old) await writer.update(of, old, '', () => object)
  })
  // All at once: concurrent writes share one fsync.
  await Promise.all([...namespaces, ...roles, ...bindings])
  await ensure(type('', 'services'), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'default', name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP: FIRST_ADDRESS,
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
      sessionAffinity: 'None',
    },
  })
}
