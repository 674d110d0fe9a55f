import { messageOf, notFound, type StatusError } from '@weft/api'
import type { UserInfo } from '../user.ts'
import { type PolicyRule, RBAC_GROUP, type RoleBinding, type RoleRef, type RoleSource } from './rbac-objects.ts'
import { describeGrant, indexSubjects, type SubjectIndex } from './subject-index.ts'

/** A rule that a user holds, with where it comes from. */
export interface HeldRule {
  readonly rule: PolicyRule
  /** `RBAC: allowed by …`; made on demand because most rules never decide anything. */
  reason(): string
}

export interface HeldRules {
  readonly rules: readonly HeldRule[]
  /** Roles that bindings name but that do not exist; the other rules still count. */
  readonly errors: readonly string[]
}

/** Which rules apply to whom. Indexes are kept as long as the source's lists stay the same. */
export interface RuleResolver {
  /** Rules from ClusterRoleBindings and, when `namespace` is not empty, from that namespace's RoleBindings. */
  rulesFor(user: UserInfo, namespace: string): HeldRules
  /** Only those from bindings in `namespace`; empty: only those from ClusterRoleBindings. */
  rulesWithin(user: UserInfo, namespace: string): HeldRules
  /** Rules of the role that a binding in `namespace` refers to. Throws NotFound. */
  referencedRules(roleRef: RoleRef, namespace: string): readonly PolicyRule[]
}

export function createRuleResolver(source: RoleSource): RuleResolver {
  const indexes = new Map<string, { bindings: readonly RoleBinding[]; index: SubjectIndex }>()

  function indexOf(namespace: string): SubjectIndex {
    const bindings = namespace === '' ? source.clusterRoleBindings() : source.roleBindings(namespace)
    const known = indexes.get(namespace)
    if (known !== undefined && known.bindings === bindings) return known.index
    const index = indexSubjects(bindings, namespace)
    // Namespaces come and go, and requests may name ones that never existed: those must not pile up.
    if (bindings.length > 0 || namespace === '') indexes.set(namespace, { bindings, index })
    else indexes.delete(namespace)
    return index
  }

  function referencedRules({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] {
    if (kind === 'Role') return usable(required(source.role(namespace, name), 'role', name).rules)
    if (kind === 'ClusterRole') return usable(required(source.clusterRole(name), 'clusterrole', name).rules)
    throw new Error(`unsupported role reference kind: "${kind}"`)
  }

  function rulesWithin(user: UserInfo, namespace: string): HeldRules {
    const grants = indexOf(namespace).grantsFor(user)
    if (grants.length === 0) return NOTHING
    const rules: HeldRule[] = []
    const errors: string[] = []
    for (const grant of grants) {
      const reason = (): string => `RBAC: allowed by ${describeGrant(grant, namespace)}`
      try {
        for (const rule of referencedRules(grant.binding.roleRef, namespace)) rules.push({ rule, reason })
      } catch (error) {
        errors.push(messageOf(error))
      }
    }
    return { rules, errors }
  }

  return {
    referencedRules,
    rulesWithin,
    rulesFor(user, namespace) {
      const cluster = rulesWithin(user, '')
      if (namespace === '') return cluster
      const local = rulesWithin(user, namespace)
      return { rules: [...cluster.rules, ...local.rules], errors: [...cluster.errors, ...local.errors] }
    },
  }
}

const NOTHING: HeldRules = { rules: [], errors: [] }

const usable = (rules: readonly PolicyRule[] | null | undefined): readonly PolicyRule[] =>
  (rules ?? []).filter((rule) => Array.isArray(rule.verbs))

function required<T>(role: T | undefined, resource: string, name: string): T {
  if (role === undefined) throw missingRole(resource, name)
  return role
}

const missingRole = (resource: string, name: string): StatusError => notFound({ group: RBAC_GROUP, resource, name })
