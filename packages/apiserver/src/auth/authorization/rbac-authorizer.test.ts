import { describe, expect, test } from 'vitest'
import type { UserInfo } from '../user.ts'
import { type Attributes, firstToAllow, nonResourceAttributes, resourceAttributes } from './attributes.ts'
import { describeDenial, forbiddenError } from './forbidden.ts'
import { createRbacAuthorizer } from './rbac-authorizer.ts'
import { accountSubject, binding, clusterBinding, clusterRole, groupSubject, role, roleSource, userSubject } from './role-source.fixture.ts'

const user = (username: string, ...groups: string[]): UserInfo => ({ username, groups })
const jane = user('jane', 'dev', 'system:authenticated')
const robot = user('system:serviceaccount:ci:robot', 'system:serviceaccounts', 'system:serviceaccounts:ci')

const objects = {
  clusterRoles: [
    clusterRole('reader', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }]),
    clusterRole('named', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['one', 'two'] }]),
    clusterRole('metrics', [{ nonResourceURLs: ['/metrics', '/debug/*'], verbs: ['get'] }]),
    clusterRole('everything', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]),
  ],
  clusterRoleBindings: [
    clusterBinding('read', 'reader', groupSubject('dev'), userSubject('joe')),
    clusterBinding('named', 'named', userSubject('jane')),
    clusterBinding('metrics', 'metrics', userSubject('jane')),
    clusterBinding('no-home', 'everything', accountSubject('robot')),
    clusterBinding('dangling', 'gone', userSubject('lost')),
  ],
  roles: [role('ci', 'builder', [{ apiGroups: ['batch'], resources: ['jobs', '*/status'], verbs: ['*'] }])],
  roleBindings: [
    binding('ci', 'builders', 'Role/builder', accountSubject('robot'), userSubject('jane')),
    binding('ci', 'readers', 'ClusterRole/reader', accountSubject('other', 'elsewhere')),
    binding('prod', 'builders', 'Role/builder', userSubject('jane')),
  ],
}

describe('RBAC', () => {
  const authorizer = createRbacAuthorizer(roleSource(objects))
  const configmaps = { verb: 'list', resource: 'configmaps' }
  const jobs = { verb: 'create', resource: 'jobs', apiGroup: 'batch' }
  const cases: { reason: string; asked: Attributes; allowed: boolean }[] = [
    { reason: 'a group binding reaches its members', asked: resourceAttributes(jane, { ...configmaps, namespace: 'x' }), allowed: true },
    { reason: 'a cluster binding holds at the cluster scope', asked: resourceAttributes(jane, configmaps), allowed: true },
    { reason: 'a user binding reaches the user', asked: resourceAttributes(user('joe'), configmaps), allowed: true },
    { reason: 'a user named like a group is not in it', asked: resourceAttributes(user('dev'), configmaps), allowed: false },
    { reason: 'another verb is denied', asked: resourceAttributes(jane, { ...configmaps, verb: 'delete' }), allowed: false },
    { reason: 'another group is denied', asked: resourceAttributes(jane, { ...configmaps, apiGroup: 'apps' }), allowed: false },
    { reason: 'a subresource is denied', asked: resourceAttributes(jane, { ...configmaps, subresource: 'status' }), allowed: false },
    { reason: 'a role holds in its namespace', asked: resourceAttributes(jane, { ...jobs, namespace: 'ci' }), allowed: true },
    { reason: 'but not in another', asked: resourceAttributes(jane, { ...jobs, namespace: 'other' }), allowed: false },
    { reason: 'nor across all', asked: resourceAttributes(jane, jobs), allowed: false },
    {
      reason: 'a Role is looked up in the binding’s namespace',
      asked: resourceAttributes(jane, { ...jobs, namespace: 'prod' }),
      allowed: false,
    },
    {
      reason: '*/status matches',
      asked: resourceAttributes(jane, { ...jobs, namespace: 'ci', resource: 'cronjobs', subresource: 'status' }),
      allowed: true,
    },
    {
      reason: 'an account without namespace is of the binding’s',
      asked: resourceAttributes(robot, { ...jobs, namespace: 'ci' }),
      allowed: true,
    },
    {
      reason: 'an account without namespace in a cluster binding is nobody',
      asked: resourceAttributes(robot, { verb: 'get', resource: 'x' }),
      allowed: false,
    },
    {
      reason: 'nor is it a user who calls herself so',
      asked: resourceAttributes(user('system:serviceaccount::robot'), { verb: 'get', resource: 'x' }),
      allowed: false,
    },
    {
      reason: 'an account of another namespace',
      asked: resourceAttributes(user('system:serviceaccount:elsewhere:other'), { ...configmaps, namespace: 'ci' }),
      allowed: true,
    },
    {
      reason: 'a listed name',
      asked: resourceAttributes(jane, { verb: 'get', resource: 'secrets', namespace: 'a', name: 'two' }),
      allowed: true,
    },
    {
      reason: 'an unlisted name',
      asked: resourceAttributes(jane, { verb: 'get', resource: 'secrets', namespace: 'a', name: 'three' }),
      allowed: false,
    },
    { reason: 'no name', asked: resourceAttributes(jane, { verb: 'get', resource: 'secrets', namespace: 'a' }), allowed: false },
    { reason: 'a URL', asked: nonResourceAttributes(jane, 'get', '/metrics'), allowed: true },
    { reason: 'a URL below a star', asked: nonResourceAttributes(jane, 'get', '/debug/pprof/heap'), allowed: true },
    { reason: 'a URL with another verb', asked: nonResourceAttributes(jane, 'post', '/metrics'), allowed: false },
    {
      reason: 'system:masters may do anything',
      asked: resourceAttributes(user('x', 'system:masters'), { verb: 'any', resource: 'thing' }),
      allowed: true,
    },
    { reason: 'system:masters may reach any URL', asked: nonResourceAttributes(user('x', 'system:masters'), 'put', '/x'), allowed: true },
  ]
  test.each(cases)('$reason', ({ asked, allowed }) => {
    expect(authorizer.authorize(asked).allowed).toBe(allowed)
    expect(authorizer.authorize({ ...asked, user: { ...asked.user } }).allowed).toBe(allowed)
  })

  test('the reason names binding, role and subject', () => {
    expect(authorizer.authorize(resourceAttributes(jane, configmaps)).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "read" of ClusterRole "reader" to Group "dev"',
    )
    expect(authorizer.authorize(resourceAttributes(robot, { ...jobs, namespace: 'ci' })).reason).toBe(
      'RBAC: allowed by RoleBinding "builders/ci" of Role "builder" to ServiceAccount "robot/ci"',
    )
  })

  test('the first rule that allows is the reason: one for the name before one for all', () => {
    const authorizer = createRbacAuthorizer(
      roleSource({
        clusterRoles: [...objects.clusterRoles],
        clusterRoleBindings: [clusterBinding('a', 'named', userSubject('jane')), clusterBinding('b', 'everything', userSubject('jane'))],
      }),
    )
    const reason = (name: string): string =>
      authorizer.authorize(resourceAttributes(jane, { verb: 'get', resource: 'secrets', name })).reason
    expect(reason('one')).toContain('ClusterRoleBinding "a"')
    expect(reason('two')).toContain('ClusterRoleBinding "a"')
    expect(reason('three')).toContain('ClusterRoleBinding "b"')
  })

  test('bindings count in their order, whether they name the user or a group', () => {
    const inOrder = createRbacAuthorizer(
      roleSource({
        ...objects,
        clusterRoleBindings: [
          ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'].map((name) => clusterBinding(name, 'metrics', userSubject('jane'))),
          clusterBinding('group', 'reader', groupSubject('dev')),
          clusterBinding('user', 'reader', userSubject('jane')),
        ],
      }),
    )
    expect(inOrder.authorize(resourceAttributes(jane, configmaps)).reason).toContain('ClusterRoleBinding "group"')
    const names = inOrder.rulesFor(jane, '').rules.map(({ reason }) => /ClusterRoleBinding "(.*?)"/.exec(reason())?.[1])
    expect(names).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'group', 'user'])
  })

  test('bindings are gone through once, not for everybody who asks', () => {
    let looked = 0
    const watched = (of: ReturnType<typeof binding>) =>
      Object.defineProperty({ ...of }, 'subjects', { get: () => (looked++, [userSubject('somebody')]), enumerable: true })
    const source = roleSource({
      clusterRoleBindings: [watched(clusterBinding('a', 'reader'))],
      roleBindings: [watched(binding('ci', 'b', 'Role/builder'))],
    })
    const authorizer = createRbacAuthorizer(source)
    for (const name of ['one', 'two', 'three']) authorizer.authorize(resourceAttributes(user(name), { ...jobs, namespace: 'ci' }))
    expect(looked).toBe(2)
  })

  test('several roles that are gone are told together, each once', () => {
    const gone = (name: string, role: string) => clusterBinding(name, role, userSubject('lost'))
    const authorizer = createRbacAuthorizer(roleSource({ clusterRoleBindings: [gone('a', 'x'), gone('b', 'y'), gone('c', 'x')] }))
    expect(authorizer.authorize(resourceAttributes(user('lost'), configmaps)).reason).toBe(
      'RBAC: [clusterrole.rbac.authorization.k8s.io "x" not found, clusterrole.rbac.authorization.k8s.io "y" not found]',
    )
  })

  test('a binding that names somebody twice, as a user and by a group, counts once and by the first', () => {
    const authorizer = createRbacAuthorizer(
      roleSource({
        ...objects,
        clusterRoleBindings: [clusterBinding('twice', 'reader', groupSubject('dev'), userSubject('jane'), userSubject('jane'))],
      }),
    )
    expect(authorizer.rulesFor(jane, '').rules).toHaveLength(1)
    expect(authorizer.authorize(resourceAttributes(jane, configmaps)).reason).toContain('to Group "dev"')
  })

  test('a binding to a role that does not exist denies and says so', () => {
    expect(authorizer.authorize(resourceAttributes(user('lost'), configmaps))).toEqual({
      allowed: false,
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    })
  })

  test('a change of the generation takes effect on the next request', () => {
    const source = roleSource(objects)
    const decide = createRbacAuthorizer(source)
    const asked = resourceAttributes(user('new'), configmaps)
    expect(decide.authorize(asked).allowed).toBe(false)
    source.set({ clusterRoleBindings: [...objects.clusterRoleBindings, clusterBinding('new', 'reader', userSubject('new'))] })
    expect(decide.authorize(asked).allowed).toBe(true)
    source.set({ clusterRoles: [clusterRole('reader', []), ...objects.clusterRoles.slice(1)] })
    expect(decide.authorize(asked).allowed).toBe(false)
  })

  test('a question made to look like another does not poison its answer', () => {
    const source = roleSource({
      clusterRoles: [clusterRole('urls', [{ nonResourceURLs: ['*'], verbs: ['*'] }])],
      clusterRoleBindings: [clusterBinding('urls', 'urls', userSubject('eve'))],
    })
    const decide = createRbacAuthorizer(source)
    const eve = user('eve')
    for (const path of ['\n\nsecrets\n\nns', '3 0 7 0 getsecretsns', ' 0 7 0 getsecretsns'])
      for (const verb of ['get', 'r3', '']) decide.authorize(nonResourceAttributes(eve, verb, path))
    expect(decide.authorize(resourceAttributes(eve, { verb: 'get', resource: 'secrets', namespace: 'ns' })).allowed).toBe(false)
  })

  test('many different questions do not grow memory without bound, and stay right', () => {
    for (let i = 0; i < 10_050; i++) expect(authorizer.authorize(nonResourceAttributes(jane, 'get', `/nope/${i}`)).allowed).toBe(false)
    expect(authorizer.authorize(nonResourceAttributes(jane, 'get', '/metrics')).allowed).toBe(true)
  })

  test('broken objects deny instead of throwing', () => {
    const broken = createRbacAuthorizer(
      roleSource({
        clusterRoles: [{ ...clusterRole('r', []), rules: null }, clusterRole('s', [{} as never])],
        clusterRoleBindings: [
          { ...clusterBinding('a', 'r'), subjects: null },
          clusterBinding('b', 's', userSubject('jane')),
          clusterBinding('c', 'r', { kind: 'Robot', name: 'jane' }),
          { ...clusterBinding('d', 'r', userSubject('jane')), roleRef: { apiGroup: '', kind: 'Nonsense', name: 'x' } },
        ],
      }),
    )
    expect(broken.authorize(resourceAttributes(jane, configmaps))).toEqual({
      allowed: false,
      reason: 'RBAC: unsupported role reference kind: "Nonsense"',
    })
  })
})

describe('several authorizers', () => {
  const asked = resourceAttributes(jane, { verb: 'list', resource: 'configmaps' })
  const answers = (allowed: boolean, reason: string) => ({ authorize: () => ({ allowed, reason }) })
  test.each([
    { reason: 'one alone decides', of: [answers(false, 'a')] as const, decision: { allowed: false, reason: 'a' } },
    { reason: 'the first that allows', of: [answers(true, 'a'), answers(true, 'b')] as const, decision: { allowed: true, reason: 'a' } },
    {
      reason: 'a later one that allows',
      of: [answers(false, 'a'), answers(false, 'b'), answers(true, 'c')] as const,
      decision: { allowed: true, reason: 'c' },
    },
    {
      reason: 'all deny: the first says why',
      of: [answers(false, 'a'), answers(false, 'b')] as const,
      decision: { allowed: false, reason: 'a' },
    },
  ])('$reason', ({ of, decision }) => {
    expect(firstToAllow(of)(asked)).toEqual(decision)
  })
})

describe('the 403', () => {
  const asked = resourceAttributes(jane, { verb: 'list', resource: 'configmaps', namespace: 'ns' })
  test.each([
    { asked, text: 'User "jane" cannot list resource "configmaps" in API group "" in the namespace "ns"' },
    {
      asked: resourceAttributes(jane, { verb: 'update', resource: 'deployments', subresource: 'scale', apiGroup: 'apps' }),
      text: 'User "jane" cannot update resource "deployments/scale" in API group "apps" at the cluster scope',
    },
    { asked: nonResourceAttributes(jane, 'get', '/metrics'), text: 'User "jane" cannot get path "/metrics"' },
  ])('$text', ({ asked: attributes, text }) => {
    expect(describeDenial(attributes)).toBe(text)
  })
  test('is a Status that names the resource', () => {
    expect(forbiddenError({ ...asked, name: 'c' }, 'RBAC: why').status).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'configmaps "c" is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "ns": RBAC: why',
      details: { kind: 'configmaps', name: 'c' },
    })
  })
  test('carries no HTML', () => {
    expect(forbiddenError(nonResourceAttributes(jane, 'get', '/<b>&')).status.message).toBe(
      'forbidden: User "jane" cannot get path "/&lt;b&gt;&amp;"',
    )
  })
})
