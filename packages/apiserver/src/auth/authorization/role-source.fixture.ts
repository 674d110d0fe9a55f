import {
  type ClusterRole,
  type ClusterRoleBinding,
  type PolicyRule,
  RBAC_GROUP,
  type Role,
  type RoleBinding,
  type RoleSource,
  type Subject,
} from './rbac-objects.ts'

/** RBAC objects in plain arrays, for tests and benchmarks: replace a list and bump the generation, as the registry does. */
export interface FixtureRoleSource extends RoleSource {
  set(objects: Partial<FixtureObjects>): void
}

export interface FixtureObjects {
  readonly clusterRoles: readonly ClusterRole[]
  readonly clusterRoleBindings: readonly ClusterRoleBinding[]
  readonly roles: readonly Role[]
  readonly roleBindings: readonly RoleBinding[]
}

export function roleSource(initial: Partial<FixtureObjects> = {}): FixtureRoleSource {
  let objects: FixtureObjects = { clusterRoles: [], clusterRoleBindings: [], roles: [], roleBindings: [], ...initial }
  let byNamespace = new Map<string, readonly RoleBinding[]>()
  let byName = new Map(objects.clusterRoles.map((item) => [item.metadata.name, item]))
  let generation = 1
  return {
    get generation() {
      return generation
    },
    set(next) {
      objects = { ...objects, ...next }
      byNamespace = new Map()
      byName = new Map(objects.clusterRoles.map((item) => [item.metadata.name, item]))
      generation++
    },
    clusterRoles: () => objects.clusterRoles,
    clusterRoleBindings: () => objects.clusterRoleBindings,
    roles: (namespace) => objects.roles.filter((role) => role.metadata.namespace === namespace),
    roleBindings(namespace) {
      const list = byNamespace.get(namespace) ?? objects.roleBindings.filter((binding) => binding.metadata.namespace === namespace)
      byNamespace.set(namespace, list)
      return list
    },
    clusterRole: (name) => byName.get(name),
    role: (namespace, name) => objects.roles.find((role) => role.metadata.namespace === namespace && role.metadata.name === name),
  }
}

const apiVersion = `${RBAC_GROUP}/v1`

export const clusterRole = (name: string, rules: readonly PolicyRule[], labels: Record<string, string> = {}): ClusterRole => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: { name, labels },
  rules,
})

export const role = (namespace: string, name: string, rules: readonly PolicyRule[]): Role => ({
  apiVersion,
  kind: 'Role',
  metadata: { namespace, name },
  rules,
})

export const clusterBinding = (name: string, roleName: string, ...subjects: readonly Subject[]): ClusterRoleBinding => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: roleName },
  subjects,
})

export const binding = (
  namespace: string,
  name: string,
  ref: `${'Role' | 'ClusterRole'}/${string}`,
  ...subjects: readonly Subject[]
): RoleBinding => {
  const [kind = '', roleName = ''] = ref.split('/')
  return {
    apiVersion,
    kind: 'RoleBinding',
    metadata: { namespace, name },
    roleRef: { apiGroup: RBAC_GROUP, kind, name: roleName },
    subjects,
  }
}

export const userSubject = (name: string): Subject => ({ kind: 'User', apiGroup: RBAC_GROUP, name })
export const groupSubject = (name: string): Subject => ({ kind: 'Group', apiGroup: RBAC_GROUP, name })
export const accountSubject = (name: string, namespace?: string): Subject => ({
  kind: 'ServiceAccount',
  name,
  ...(namespace !== undefined && { namespace }),
})
