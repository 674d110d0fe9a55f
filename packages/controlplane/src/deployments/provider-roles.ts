import { type KubeObject, type OwnerReference, SYSTEM_NAMESPACE } from '@weft/api'
import { activatesLate, isReservedGroup, type RevisionObject } from '@weft/controllers'
import type { Package } from '@weft/xpkg'

const RBAC = 'rbac.authorization.k8s.io'
/** How the names of everything that gives rights to providers begin; Crossplane's. */
export const PROVIDER_ROLES = 'crossplane:provider:'
const READ = ['get', 'list', 'watch']
const KEEP = [...READ, 'update', 'patch', 'create']
const ALL = [...KEEP, 'delete']

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/**
 * The rights that Crossplane gives to a provider in a cluster, by its names: its own kinds, which it may not delete, and every Secret, ConfigMap, Event and Lease, since lists
 * are all or nothing there. With them, the roles by which people may be given its kinds.
 */
export function providerRoles(revision: RevisionObject, contents: Package, account: string): readonly KubeObject[] {
  const kinds = kindsOf(contents.objects)
  const on = (verbs: readonly string[], more: readonly string[] = []): readonly Rule[] => rulesOn(kinds, verbs, more)
  const role = (suffix: string, rules: readonly Rule[], audiences: readonly string[] = []): KubeObject => ({
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: {
      name: nameOf(revision, suffix),
      ...(audiences.length > 0 && {
        labels: Object.fromEntries(audiences.map((audience) => [`rbac.crossplane.io/aggregate-to-${audience}`, 'true'])),
      }),
      ownerReferences: [ownerOf(revision)],
    },
    rules,
  })
  const system = [
    ...on(KEEP, ['finalizers']),
    // Of Weft's own kit: where references of its kinds may point.
    { apiGroups: ['weft.dev'], resources: ['resourcereferencedefinitions'], verbs: READ },
    { apiGroups: [''], resources: ['secrets', 'configmaps', 'events'], verbs: ALL },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ALL },
    ...(activatesLate(contents) ? [{ apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: READ }] : []),
  ]
  return [
    role('aggregate-to-edit', on(ALL), ['crossplane', 'admin', 'edit']),
    role('aggregate-to-view', on(READ), ['view']),
    role('system', system),
    bindingOf(revision, systemName(revision), [account]),
  ]
}

/** The rights on the kinds of a package that others of its family have, which follow references to its resources and use its ProviderConfigs. */
export const sharedRole = (revision: RevisionObject, { objects }: Package): KubeObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: { name: sharedName(revision), ownerReferences: [ownerOf(revision)] },
  rules: rulesOn(kindsOf(objects), KEEP, ['finalizers']),
})

/** Whom that role is given to. */
export const sharedBinding = (revision: RevisionObject, accounts: readonly string[]): KubeObject =>
  bindingOf(revision, sharedName(revision), accounts)

const bindingOf = (revision: RevisionObject, name: string, accounts: readonly string[]): KubeObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name, ownerReferences: [ownerOf(revision)] },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name },
  subjects: accounts.map((account) => ({ kind: 'ServiceAccount', name: account, namespace: SYSTEM_NAMESPACE })),
})

const rulesOn = (kinds: ReadonlyMap<string, readonly string[]>, verbs: readonly string[], more: readonly string[] = []): readonly Rule[] =>
  [...kinds].map(([group, plurals]) => ({
    apiGroups: [group],
    resources: plurals.flatMap((plural) => [plural, `${plural}/status`, ...more.map((sub) => `${plural}/${sub}`)]),
    verbs,
  }))

const nameOf = ({ metadata }: RevisionObject, suffix: string): string => `${PROVIDER_ROLES}${metadata.name ?? ''}:${suffix}`
/** Of the role and the binding that give a revision its rights. */
const systemName = (revision: RevisionObject): string => nameOf(revision, 'system')
/** Of those that share its kinds with its family. What may be bound ends in this word. */
const sharedName = (revision: RevisionObject): string => nameOf(revision, 'family:system')

const ownerOf = ({ apiVersion, kind, metadata }: RevisionObject): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
})

/** Plurals by group. A definition named after a kind of Kubernetes would otherwise give rights on that kind. */
function kindsOf(objects: readonly KubeObject[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const object of objects) {
    if (object.kind !== 'CustomResourceDefinition' && object.kind !== 'ManagedResourceDefinition') continue
    const { group, names } = object['spec'] as { group: string; names: { plural: string } }
    if (!isReservedGroup(group)) found.set(group, [...(found.get(group) ?? []), names.plural].toSorted())
  }
  return found
}
