import { StatusError } from '@weft/api'
import { describe, expect, test } from 'vitest'
import type { UserInfo } from '../user.ts'
import { aggregateRules } from './aggregation.ts'
import { checkBindingWrite, checkRoleWrite, type RoleWrite } from './escalation.ts'
import { createRbacAuthorizer } from './rbac-authorizer.ts'
import { type ClusterRole, type PolicyRule, RBAC_GROUP } from './rbac-objects.ts'
import { binding, clusterBinding, clusterRole, role, roleSource, userSubject } from './role-source.fixture.ts'

const pods: PolicyRule = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }
const secrets: PolicyRule = { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] }
const authorizer = createRbacAuthorizer(
  roleSource({
    clusterRoles: [
      clusterRole('pods', [pods]),
      clusterRole('secrets', [secrets]),
      clusterRole('all', [
        { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
        { nonResourceURLs: ['*'], verbs: ['*'] },
      ]),
      clusterRole('escalator', [{ apiGroups: [RBAC_GROUP], resources: ['clusterroles', 'roles'], verbs: ['escalate'] }]),
      clusterRole('named-escalator', [{ apiGroups: [RBAC_GROUP], resources: ['clusterroles'], verbs: ['escalate'], resourceNames: ['r'] }]),
      clusterRole('role-binder', [{ apiGroups: [RBAC_GROUP], resources: ['roles'], verbs: ['bind'], resourceNames: ['secrets'] }]),
      clusterRole('binder', [{ apiGroups: [RBAC_GROUP], resources: ['clusterroles'], verbs: ['bind'], resourceNames: ['secrets'] }]),
    ],
    clusterRoleBindings: [
      clusterBinding('1', 'pods', userSubject('holder')),
      clusterBinding('2', 'escalator', userSubject('escalator')),
      clusterBinding('3', 'named-escalator', userSubject('named-escalator')),
      clusterBinding('4', 'binder', userSubject('binder')),
      clusterBinding('5', 'all', userSubject('admin')),
      clusterBinding('6', 'role-binder', userSubject('role-binder')),
      clusterBinding('7', 'gone', userSubject('half')),
    ],
    roles: [role('ns', 'local', [secrets]), role('elsewhere', 'secrets', [secrets])],
    roleBindings: [binding('ns', 'local', 'Role/local', userSubject('holder'))],
  }),
)
const user = (username: string, ...groups: string[]): UserInfo => ({ username, groups })
const outcome = (action: () => void): { code: number; message?: string | undefined } => {
  try {
    action()
    return { code: 200 }
  } catch (error) {
    const { code, message } = (error as StatusError).status
    return { code: code ?? 0, message }
  }
}
const aggregated: ClusterRole = { ...clusterRole('r', []), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }

describe('writing a role', () => {
  const write = (who: UserInfo, rules: readonly PolicyRule[], more: Partial<RoleWrite> = {}): number =>
    outcome(() =>
      checkRoleWrite(
        { user: who, resource: 'clusterroles', namespace: '', requestName: '', role: clusterRole('r', rules), ...more },
        authorizer,
      ),
    ).code
  const old = clusterRole('r', [secrets])
  test.each([
    { reason: 'rules one holds', code: write(user('holder'), [pods]), expected: 200 },
    { reason: 'rules one does not hold', code: write(user('holder'), [secrets]), expected: 403 },
    { reason: 'no rules', code: write(user('nobody'), []), expected: 200 },
    {
      reason: 'a role in a namespace where one holds them',
      code: write(user('holder'), [secrets], { resource: 'roles', namespace: 'ns' }),
      expected: 200,
    },
    { reason: 'but not in another', code: write(user('holder'), [secrets], { resource: 'roles', namespace: 'other' }), expected: 403 },
    { reason: 'the verb escalate', code: write(user('escalator'), [secrets]), expected: 200 },
    { reason: 'escalate on a name: update', code: write(user('named-escalator'), [secrets], { requestName: 'r', old }), expected: 200 },
    { reason: 'escalate on a name: create has none', code: write(user('named-escalator'), [secrets]), expected: 403 },
    { reason: 'system:masters', code: write(user('x', 'system:masters'), [secrets]), expected: 200 },
    {
      reason: 'an update that changes nothing but finalizers',
      code: write(user('holder'), [secrets], { requestName: 'r', old: { ...old, metadata: { ...old.metadata, finalizers: ['x'] } } }),
      expected: 200,
    },
    {
      reason: 'an update that adds labels is a write',
      code: write(user('holder'), [secrets], { requestName: 'r', old: { ...old, metadata: { ...old.metadata, labels: { x: 'y' } } } }),
      expected: 403,
    },
    { reason: 'an aggregation rule', code: write(user('holder'), [], { role: aggregated }), expected: 403 },
    { reason: 'dropping an aggregation rule', code: write(user('holder'), [], { requestName: 'r', old: aggregated }), expected: 403 },
    {
      reason: 'an aggregation rule that selects nothing',
      code: write(user('holder'), [], { role: { ...aggregated, aggregationRule: { clusterRoleSelectors: [] } } }),
      expected: 200,
    },
    { reason: 'an aggregation rule with all rights', code: write(user('admin'), [], { role: aggregated }), expected: 200 },
  ])('$reason → $expected', ({ code, expected }) => {
    expect(code).toBe(expected)
  })

  test('the message lists what is missing', () => {
    const check = (): void =>
      checkRoleWrite(
        {
          user: user('holder', 'a', 'b'),
          resource: 'clusterroles',
          namespace: '',
          requestName: '',
          role: clusterRole('r', [{ ...secrets, resources: ['secrets', 'pods', 'nodes'] }]),
        },
        authorizer,
      )
    expect(outcome(check).message).toBe(
      'clusterroles.rbac.authorization.k8s.io "r" is forbidden: user "holder" (groups=["a" "b"]) is attempting to grant RBAC permissions not currently held:\n' +
        '{APIGroups:[""], Resources:["nodes"], Verbs:["get" "list"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
    )
  })
})

describe('writing a binding', () => {
  const bind = (who: UserInfo, roleName: string): number =>
    outcome(() =>
      checkBindingWrite(
        { user: who, resource: 'clusterrolebindings', namespace: '', binding: clusterBinding('b', roleName, userSubject('u')) },
        authorizer,
      ),
    ).code
  test.each([
    { reason: 'a role whose rules one holds', code: bind(user('holder'), 'pods'), expected: 200 },
    { reason: 'a role whose rules one does not hold', code: bind(user('holder'), 'secrets'), expected: 403 },
    { reason: 'the verb bind', code: bind(user('binder'), 'secrets'), expected: 200 },
    { reason: 'the verb bind on another role', code: bind(user('binder'), 'all'), expected: 403 },
    { reason: 'a role that does not exist', code: bind(user('holder'), 'gone'), expected: 404 },
    { reason: 'a role that does not exist yet, with bind', code: bind(user('x', 'system:masters'), 'gone'), expected: 200 },
  ])('$reason → $expected', ({ code, expected }) => {
    expect(code).toBe(expected)
  })
  test('in a namespace, rights held there count', () => {
    const write = (namespace: string): number =>
      outcome(() =>
        checkBindingWrite(
          {
            user: user('holder'),
            resource: 'rolebindings',
            namespace,
            binding: binding(namespace, 'b', 'ClusterRole/secrets', userSubject('u')),
          },
          authorizer,
        ),
      ).code
    expect([write('ns'), write('other')]).toEqual([200, 403])
  })
  test('the right to bind a ClusterRole is none to bind a Role of that name, nor the other way round', () => {
    const write = (who: string, ref: 'Role/secrets' | 'ClusterRole/secrets'): number =>
      outcome(() =>
        checkBindingWrite(
          {
            user: user(who),
            resource: 'rolebindings',
            namespace: 'elsewhere',
            binding: binding('elsewhere', 'b', ref, userSubject('u')),
          },
          authorizer,
        ),
      ).code
    expect([write('binder', 'ClusterRole/secrets'), write('binder', 'Role/secrets')]).toEqual([200, 403])
    expect([write('role-binder', 'ClusterRole/secrets'), write('role-binder', 'Role/secrets')]).toEqual([403, 200])
  })
  test('a change of what is bound takes the right, whatever was bound before', () => {
    const old = clusterBinding('b', 'all', userSubject('u'))
    const next = clusterBinding('b', 'all', userSubject('u'), userSubject('another'))
    const write = { user: user('gc'), resource: 'clusterrolebindings', namespace: '', binding: next, old } as const
    const { code, message } = outcome(() => checkBindingWrite(write, authorizer))
    expect(code).toBe(403)
    expect(message).toContain('clusterrolebindings.rbac.authorization.k8s.io "b" is forbidden')
  })
  test('roles of the user that are gone are named: they may be why a right is missing', () => {
    const write = { user: user('half'), resource: 'clusterrolebindings', namespace: '' } as const
    const { message } = outcome(() => checkBindingWrite({ ...write, binding: clusterBinding('b', 'pods', userSubject('u')) }, authorizer))
    expect(message).toContain('; resolution errors: [clusterrole.rbac.authorization.k8s.io "gone" not found]')
  })
  test('changing only owner references needs no right', () => {
    const old = clusterBinding('b', 'all', userSubject('u'))
    const next = { ...old, metadata: { ...old.metadata, ownerReferences: [] } }
    expect(
      outcome(() => checkBindingWrite({ user: user('gc'), resource: 'clusterrolebindings', namespace: '', binding: next, old }, authorizer))
        .code,
    ).toBe(200)
  })
})

describe('aggregation', () => {
  const label = { a: 'b' }
  test('gathers by name, once each, not from itself', () => {
    const all = [
      clusterRole('z', [pods, secrets], label),
      clusterRole('y', [secrets], label),
      clusterRole('x', [pods]),
      { ...aggregated, metadata: { name: 'r', labels: label } },
    ]
    expect(aggregateRules({ ...aggregated, metadata: { name: 'r', labels: label } }, all)).toEqual([secrets, pods])
  })
  test('gathers in the order of names, whatever the order they are stored in', () => {
    const rules = ['a', 'b', 'c', 'd'].map((name): PolicyRule => ({ apiGroups: [''], resources: [name], verbs: ['get'] }))
    const roles = [2, 0, 3, 1].map((i) => clusterRole(`role-${i}`, rules.slice(i, i + 1), label))
    expect(aggregateRules(aggregated, roles)).toEqual(rules)
    expect(aggregateRules(aggregated, roles.toReversed())).toEqual(rules)
  })
  test('a role that is right answers its own rules', () => {
    const right = { ...aggregated, rules: [pods] }
    expect(aggregateRules(right, [clusterRole('z', [pods], label)])).toBe(right.rules)
  })
  test('a role without aggregation is left alone', () => {
    expect(aggregateRules(clusterRole('r', [pods]), [])).toBeUndefined()
  })
  test('a rule that stands in several roles is gathered once', () => {
    const roles = [clusterRole('z', [pods], label), clusterRole('y', [{ ...pods }], label)]
    expect(aggregateRules(aggregated, roles)).toEqual([pods])
  })
  test('an aggregation that was taken away is none', () => {
    expect(aggregateRules({ ...aggregated, aggregationRule: null } as never, [clusterRole('z', [pods], label)])).toBeUndefined()
  })
  test('a role whose parts are gone is emptied', () => {
    expect(aggregateRules({ ...aggregated, rules: [pods] }, [])).toEqual([])
  })
})
