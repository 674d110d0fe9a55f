import { hasReason, type KubeObject } from '@weft/api'
import {
  type Client,
  type CustomResourceDefinition,
  customResourceDefinitionKind,
  type Kind,
  namespaceKind,
  NoMatchError,
} from '@weft/client'
import { eventually } from './eventually.ts'
import { KEPT } from './kinds.ts'

/** Which custom kinds stay, without their objects: those marked as kept, or of them only these. */
type Staying = 'kept' | readonly KubeObject[]

/** Namespaces that Kubernetes makes by itself. */
const KEPT_NAMESPACES = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease'])

const RBAC = 'rbac.authorization.k8s.io'
const REGISTRATION = 'admissionregistration.k8s.io'
const NAMESPACED: readonly Kind[] = [
  { group: '', kind: 'Secret' },
  { group: '', kind: 'ConfigMap' },
  { group: '', kind: 'Event' },
  { group: '', kind: 'ServiceAccount' },
  { group: '', kind: 'Service' },
  { group: 'apps', kind: 'Deployment' },
  { group: 'policy', kind: 'PodDisruptionBudget' },
  { group: 'networking.k8s.io', kind: 'NetworkPolicy' },
  { group: 'coordination.k8s.io', kind: 'Lease' },
  { group: RBAC, kind: 'RoleBinding' },
  { group: RBAC, kind: 'Role' },
]
const CLUSTER_WIDE: readonly Kind[] = [
  { group: REGISTRATION, kind: 'ValidatingWebhookConfiguration' },
  { group: REGISTRATION, kind: 'MutatingWebhookConfiguration' },
  { group: REGISTRATION, kind: 'ValidatingAdmissionPolicyBinding' },
  { group: REGISTRATION, kind: 'ValidatingAdmissionPolicy' },
  { group: RBAC, kind: 'ClusterRoleBinding' },
  { group: RBAC, kind: 'ClusterRole' },
]

/**
 * Removes from a real server what tests left on it, so that the next one finds it new. Nobody is there any more to take
 * finalizers off, and waiting for the controllers of Kubernetes would take longer than the tests: so it does their work.
 */
export async function cleanServer(client: Client, staying: Staying = []): Promise<void> {
  // Admission first: what tests registered would judge every other removal.
  for (const kind of CLUSTER_WIDE) await removeAll(client, kind)
  await removeCustomKinds(client, staying)
  const { items: namespaces } = await client.list(namespaceKind)
  await Promise.all(
    namespaces.map(async (namespace) => {
      const name = namespace.metadata.name ?? ''
      if (KEPT_NAMESPACES.has(name) && name !== 'default') return
      for (const kind of NAMESPACED) await removeAll(client, kind, name)
      if (name !== 'default') await removeNamespace(client, name)
    }),
  )
}

async function removeCustomKinds(client: Client, staying: Staying): Promise<void> {
  const { items: definitions } = await client.list(customResourceDefinitionKind)
  const stays = (definition: KubeObject): boolean => isStaying(definition, staying)
  await Promise.all(
    definitions.map(async (definition) => {
      await removeAll(client, kindOf(definition)).catch(ignoreMissing)
      if (stays(definition)) return
      const name = definition.metadata.name ?? ''
      await release(client, customResourceDefinitionKind, definition, ['customresourcecleanup.apiextensions.k8s.io'])
      await client.delete(customResourceDefinitionKind, { name }).catch(ignoreMissing)
    }),
  )
  await eventually(async () => {
    const items = (await client.list(customResourceDefinitionKind)).items.filter((definition) => !stays(definition))
    for (const definition of items) await removeAll(client, kindOf(definition)).catch(ignoreMissing)
    if (items.length > 0) throw new Error(`${items.length} kinds are still there: ${items.map(({ metadata }) => metadata.name).join(', ')}`)
  })
}

function isStaying({ metadata }: KubeObject, staying: Staying): boolean {
  const mark = metadata.labels?.[KEPT]
  if (mark === undefined || metadata.deletionTimestamp !== undefined) return false
  return staying === 'kept' || staying.some((kind) => kind.metadata.name === metadata.name && kind.metadata.labels?.[KEPT] === mark)
}

function kindOf({ spec }: CustomResourceDefinition): Kind {
  const version = spec.versions.find(({ served }) => served)?.name
  return { group: spec.group, version, kind: spec.names.kind, plural: spec.names.plural, namespaced: spec.scope === 'Namespaced' }
}

async function removeAll(client: Client, kind: Kind, namespace?: string): Promise<void> {
  const { items } = await client.list(kind, { namespace })
  const removable = items.filter((object) => !isKubernetes(object))
  await Promise.all(
    removable.map(async (object) => {
      const { name = '', namespace: at } = object.metadata
      await release(client, kind, object)
      await client.delete(kind, { name, namespace: at }, { gracePeriodSeconds: 0 }).catch(ignoreMissing)
    }),
  )
}

/** What Kubernetes itself keeps in every namespace, or installed on its first start. */
function isKubernetes({ kind, metadata }: KubeObject): boolean {
  if (metadata.labels?.['kubernetes.io/bootstrapping'] !== undefined) return true
  const own = { ServiceAccount: 'default', ConfigMap: 'kube-root-ca.crt', Service: 'kubernetes' }[kind]
  return own !== undefined && metadata.name === own
}

async function release(client: Client, kind: Kind, { metadata }: KubeObject, keep: readonly string[] = []): Promise<void> {
  const { name = '', namespace, finalizers = [] } = metadata
  const kept = finalizers.filter((finalizer) => keep.includes(finalizer))
  if (kept.length === finalizers.length) return
  await client.patch(kind, { name, namespace }, { type: 'merge', body: { metadata: { finalizers: kept } } }).catch(ignoreMissing)
}

async function removeNamespace(client: Client, name: string): Promise<void> {
  await client.delete(namespaceKind, { name }).catch(ignoreMissing)
  await eventually(async () => {
    const namespace = await client.find(namespaceKind, { name })
    if (namespace === undefined) return
    await client.update({ ...namespace, spec: { finalizers: [] } }, { subresource: 'finalize' }).catch(ignoreMissing)
    if ((await client.find(namespaceKind, { name })) !== undefined) throw new Error(`namespace ${name} is still there`)
  })
}

function ignoreMissing(error: unknown): void {
  if (error instanceof NoMatchError) return
  if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict') && !hasReason(error, 'MethodNotAllowed')) throw error
}
