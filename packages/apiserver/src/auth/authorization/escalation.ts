import { deepEqual, forbidden, goQuote, goQuoteList, type KubeObject, withMeta } from '@weft/api'
import { isMaster, type UserInfo } from '../user.ts'
import { resourceAttributes } from './attributes.ts'
import type { RbacAuthorizer } from './rbac-authorizer.ts'
import { type ClusterRole, type PolicyRule, RBAC_GROUP, type Role, type RoleBinding } from './rbac-objects.ts'
import { compactRules, describeRule, uncovered } from './rules.ts'

/**
 * Nobody may grant a right that they do not hold. Called by the strategies of RBAC kinds on create and update, after
 * defaulting and before storing; each function throws the 403 (or 404 for a role that does not exist).
 */
export interface RoleWrite {
  readonly user: UserInfo
  readonly resource: 'roles' | 'clusterroles'
  /** Empty for ClusterRoles. */
  readonly namespace: string
  /** The name in the URL: empty on create, so that `escalate` limited by resourceNames never allows creating. */
  readonly requestName: string
  readonly role: ClusterRole
  /** The stored role; absent on create. */
  readonly old?: ClusterRole | undefined
}

const FULL_AUTHORITY: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
]

export function checkRoleWrite(write: RoleWrite, authorizer: RbacAuthorizer): void {
  const { user, resource, namespace, requestName, role, old } = write
  if (isMaster(user)) return
  const escalate = resourceAttributes(user, { verb: 'escalate', apiGroup: RBAC_GROUP, resource, namespace, name: requestName })
  if (authorizer.authorize(escalate).allowed) return
  if (old !== undefined && changesOnlyBookkeeping(role, old)) return
  const subject = { group: RBAC_GROUP, resource, name: role.metadata.name ?? '' }
  const problem = escalation(user, namespace, role.rules ?? [], authorizer)
  if (problem !== undefined) throw forbidden(subject, problem)
  // A selector can gather any rule, now or later, so choosing one takes all rights there are.
  const aggregates = isAggregated(role) || (old !== undefined && isAggregated(old))
  if (resource === 'clusterroles' && aggregates && escalation(user, namespace, FULL_AUTHORITY, authorizer) !== undefined)
    throw forbidden(subject, 'must have cluster-admin privileges to use the aggregationRule')
}

export interface BindingWrite {
  readonly user: UserInfo
  readonly resource: 'rolebindings' | 'clusterrolebindings'
  readonly namespace: string
  readonly binding: RoleBinding
  readonly old?: RoleBinding | undefined
}

export function checkBindingWrite({ user, resource, namespace, binding, old }: BindingWrite, authorizer: RbacAuthorizer): void {
  if (isMaster(user)) return
  if (old !== undefined && changesOnlyBookkeeping(binding, old)) return
  const { roleRef } = binding
  const target = roleRef.kind === 'ClusterRole' ? 'clusterroles' : roleRef.kind === 'Role' ? 'roles' : undefined
  if (target !== undefined) {
    const bind = resourceAttributes(user, { verb: 'bind', apiGroup: roleRef.apiGroup, resource: target, namespace, name: roleRef.name })
    if (authorizer.authorize(bind).allowed) return
  }
  const rules = authorizer.referencedRules(roleRef, namespace)
  const problem = escalation(user, namespace, rules, authorizer)
  if (problem !== undefined) throw forbidden({ group: RBAC_GROUP, resource, name: binding.metadata.name ?? '' }, problem)
}

/** What is missing, in Kubernetes' words; undefined when the user holds all of `rules`. */
function escalation(user: UserInfo, namespace: string, rules: readonly PolicyRule[], authorizer: RbacAuthorizer): string | undefined {
  const held = authorizer.rulesFor(user, namespace)
  const missing = uncovered(
    held.rules.map(({ rule }) => rule),
    rules,
  )
  if (missing.length === 0) return undefined
  const lines = [...new Set(compactRules(missing).map(describeRule))].sort()
  const errors = held.errors.length === 0 ? '' : `; resolution errors: [${held.errors.join(' ')}]`
  return `user ${goQuote(user.username)} (groups=${goQuoteList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${errors}`
}

const isAggregated = (role: ClusterRole): boolean => (role.aggregationRule?.clusterRoleSelectors ?? []).length > 0

/** The garbage collector must be able to finish a deletion of a role that it could not grant. */
function changesOnlyBookkeeping(next: KubeObject, old: Role | KubeObject): boolean {
  const { ownerReferences, finalizers, selfLink, managedFields } = old.metadata
  return deepEqual(withMeta(next, { ownerReferences, finalizers, selfLink, managedFields }), old)
}
