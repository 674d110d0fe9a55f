import type { KubeObject, LabelSelector } from '@weft/api'

/** `rbac.authorization.k8s.io/v1`, as far as deciding needs it. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io'

export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

export interface Role extends KubeObject {
  readonly rules?: readonly PolicyRule[] | null
}

export interface ClusterRole extends Role {
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] } | null
}

export interface RoleRef {
  readonly apiGroup: string
  readonly kind: string
  readonly name: string
}

export interface Subject {
  readonly kind: string
  readonly apiGroup?: string
  readonly name: string
  readonly namespace?: string
}

export interface RoleBinding extends KubeObject {
  readonly roleRef: RoleRef
  readonly subjects?: readonly Subject[] | null
}
export type ClusterRoleBinding = RoleBinding

/**
 * Where RBAC objects come from; the server backs it with the registry's caches. Reads are synchronous.
 * `generation` grows (or at least changes) whenever any RBAC object changes: it is what makes decisions stale.
 * A list is the very same array as long as nothing in it changed, so that an index over it can be kept.
 */
export interface RoleSource {
  readonly generation: number
  clusterRoles(): readonly ClusterRole[]
  clusterRoleBindings(): readonly ClusterRoleBinding[]
  roles(namespace: string): readonly Role[]
  roleBindings(namespace: string): readonly RoleBinding[]
  clusterRole(name: string): ClusterRole | undefined
  role(namespace: string, name: string): Role | undefined
}
