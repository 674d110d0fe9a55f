import { describe, expect, test } from 'vitest'
import { aggregateRules } from './authorization/aggregation.ts'
import { nonResourceAttributes, resourceAttributes } from './authorization/attributes.ts'
import { createRbacAuthorizer } from './authorization/rbac-authorizer.ts'
import type { ClusterRole } from './authorization/rbac-objects.ts'
import { binding, clusterBinding, roleSource, userSubject } from './authorization/role-source.fixture.ts'
import { AUTOUPDATE_ANNOTATION, BOOTSTRAP_CLUSTER_ROLE_BINDINGS, BOOTSTRAP_CLUSTER_ROLES } from './bootstrap-policy.ts'
import { reconcileBinding, reconcileRole } from './bootstrap-reconcile.ts'
import { ANONYMOUS, type UserInfo } from './user.ts'

/** Runs the aggregation until nothing changes, as the controller would. */
function settled(roles: readonly ClusterRole[]): readonly ClusterRole[] {
  const next = roles.map((role) => ({ ...role, rules: aggregateRules(role, roles) ?? role.rules ?? [] }))
  return next.every((role, i) => role.rules === roles[i]?.rules) ? next : settled(next)
}

const authorizer = createRbacAuthorizer(
  roleSource({
    clusterRoles: settled(BOOTSTRAP_CLUSTER_ROLES),
    clusterRoleBindings: [...BOOTSTRAP_CLUSTER_ROLE_BINDINGS, clusterBinding('root', 'cluster-admin', userSubject('root'))],
    roleBindings: ['admin', 'edit', 'view'].map((name) => binding('ns', name, `ClusterRole/${name}`, userSubject(name))),
  }),
)
const user = (username: string): UserInfo => ({ username, groups: ['system:authenticated'] })
const can = (who: string, verb: string, resource: string, apiGroup = '', namespace = 'ns'): boolean => {
  const [name = '', subresource = ''] = resource.split('/')
  return authorizer.authorize(resourceAttributes(user(who), { verb, resource: name, subresource, apiGroup, namespace })).allowed
}

describe('bootstrap policy', () => {
  test.each([
    { who: 'view', verb: 'list', resource: 'configmaps', allowed: true },
    { who: 'view', verb: 'get', resource: 'secrets', allowed: false },
    { who: 'view', verb: 'create', resource: 'configmaps', allowed: false },
    { who: 'edit', verb: 'get', resource: 'configmaps', allowed: true },
    { who: 'edit', verb: 'get', resource: 'secrets', allowed: true },
    { who: 'edit', verb: 'deletecollection', resource: 'configmaps', allowed: true },
    { who: 'edit', verb: 'create', resource: 'serviceaccounts/token', allowed: true },
    { who: 'edit', verb: 'create', resource: 'deployments', group: 'apps', allowed: true },
    { who: 'edit', verb: 'create', resource: 'roles', group: 'rbac.authorization.k8s.io', allowed: false },
    { who: 'admin', verb: 'create', resource: 'roles', group: 'rbac.authorization.k8s.io', allowed: true },
    { who: 'admin', verb: 'list', resource: 'configmaps', allowed: true },
    { who: 'admin', verb: 'create', resource: 'clusterroles', group: 'rbac.authorization.k8s.io', allowed: false },
    { who: 'admin', verb: 'update', resource: 'resourcequotas', allowed: false },
    { who: 'anyone', verb: 'create', resource: 'selfsubjectaccessreviews', group: 'authorization.k8s.io', allowed: true },
    { who: 'anyone', verb: 'list', resource: 'pods', allowed: false },
    { who: 'root', verb: 'anything', resource: 'whatever/sub', group: 'example.org', allowed: true },
  ])('$who $verb $resource: $allowed', ({ who, verb, resource, group, allowed }) => {
    expect(can(who, verb, resource, group)).toBe(allowed)
  })

  test.each([
    { reason: 'anonymous: health', who: ANONYMOUS, path: '/healthz', allowed: true },
    { reason: 'anonymous: no discovery', who: ANONYMOUS, path: '/apis', allowed: false },
    { reason: 'users: discovery', who: user('u'), path: '/apis/apps/v1', allowed: true },
    { reason: 'users: no metrics', who: user('u'), path: '/metrics', allowed: false },
    { reason: 'monitoring: metrics', who: { username: 'm', groups: ['system:monitoring'] }, path: '/metrics', allowed: true },
    {
      reason: 'service accounts: issuer discovery',
      who: { username: 's', groups: ['system:serviceaccounts'] },
      path: '/openid/v1/jwks',
      allowed: true,
    },
  ])('$reason', ({ who, path, allowed }) => {
    expect(authorizer.authorize(nonResourceAttributes(who, 'get', path)).allowed).toBe(allowed)
  })

  test('every object carries the label and the annotation of bootstrap policy', () => {
    for (const { metadata } of [...BOOTSTRAP_CLUSTER_ROLES, ...BOOTSTRAP_CLUSTER_ROLE_BINDINGS]) {
      expect(metadata.labels).toMatchObject({ 'kubernetes.io/bootstrapping': 'rbac-defaults' })
      expect(metadata.annotations).toMatchObject({ [AUTOUPDATE_ANNOTATION]: 'true' })
    }
  })
})

describe('reconciling bootstrap policy', () => {
  const [wanted] = BOOTSTRAP_CLUSTER_ROLES as [ClusterRole]
  const view = BOOTSTRAP_CLUSTER_ROLES.find((role) => role.metadata.name === 'view') as ClusterRole
  const rule = { apiGroups: ['x'], resources: ['y'], verbs: ['z'] }
  test('creates what is missing, keeps what is right', () => {
    expect(reconcileRole(undefined, wanted)).toBe(wanted)
    for (const role of BOOTSTRAP_CLUSTER_ROLES) {
      const stored = { ...role, metadata: { ...role.metadata, uid: 'u' } }
      expect(reconcileRole(stored, role)).toBe(stored)
    }
  })
  test('adds missing rules and keeps an operator’s', () => {
    const stored = { ...wanted, rules: [rule] }
    expect(reconcileRole(stored, wanted).rules?.slice(0, 1)).toEqual([rule])
    expect(reconcileRole(stored, wanted).rules?.length).toBe(3)
  })
  test('leaves a protected role alone', () => {
    const stored = { ...wanted, rules: [], metadata: { name: 'x', annotations: { [AUTOUPDATE_ANNOTATION]: 'false' } } }
    expect(reconcileRole(stored, wanted)).toBe(stored)
  })
  test('leaves the rules of an aggregated role to the aggregation', () => {
    const stored = { ...view, rules: [rule] }
    expect(reconcileRole(stored, view)).toBe(stored)
  })
  test('bindings: adds subjects, recreates on another role', () => {
    const [first] = BOOTSTRAP_CLUSTER_ROLE_BINDINGS
    if (first === undefined) throw new Error('no bindings')
    const extra = { ...first, subjects: [userSubject('me')] }
    expect(reconcileBinding(extra, first).object.subjects).toEqual([userSubject('me'), ...(first.subjects ?? [])])
    expect(reconcileBinding(first, first)).toEqual({ object: first, recreate: false })
    expect(reconcileBinding({ ...first, roleRef: { ...first.roleRef, name: 'view' } }, first).recreate).toBe(true)
    expect(reconcileBinding(undefined, first).object).toBe(first)
  })
})
