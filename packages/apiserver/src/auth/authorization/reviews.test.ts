import type { KubeObject, StatusError } from '@weft/api'
import { describe, expect, test } from 'vitest'
import type { Attributes } from './attributes.ts'
import { createRbacAuthorizer } from './rbac-authorizer.ts'
import {
  evaluateLocalSubjectAccessReview,
  evaluateSelfSubjectAccessReview,
  evaluateSelfSubjectRulesReview,
  evaluateSubjectAccessReview,
} from './reviews.ts'
import { clusterBinding, clusterRole, groupSubject, roleSource, userSubject } from './role-source.fixture.ts'

const authorizer = createRbacAuthorizer(
  roleSource({
    clusterRoles: [
      clusterRole('pods', [
        { apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['a'] },
        { nonResourceURLs: ['/m'], verbs: ['get'] },
      ]),
    ],
    clusterRoleBindings: [clusterBinding('b', 'pods', groupSubject('g')), clusterBinding('c', 'gone', userSubject('lost'))],
  }),
)
const review = (kind: string, spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind,
  metadata,
  spec,
})
const pod = { verb: 'get', resource: 'pods', namespace: 'ns', name: 'a' }
const member = { username: 'u', groups: ['g'] }

const refusalOf = (action: () => unknown): StatusError['status'] | undefined => {
  try {
    action()
    return undefined
  } catch (error) {
    return (error as StatusError).status
  }
}

describe('reviews', () => {
  test('SubjectAccessReview asks about anybody', () => {
    const answer = evaluateSubjectAccessReview(
      review('SubjectAccessReview', { user: 'x', groups: ['g'], resourceAttributes: pod }),
      authorizer,
    )
    expect(answer['status']).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "pods" to Group "g"',
    })
    expect(answer['spec']).toEqual({ user: 'x', groups: ['g'], resourceAttributes: pod })
  })
  test('a denial has no reason, unless something went wrong', () => {
    expect(
      evaluateSubjectAccessReview(review('SubjectAccessReview', { user: 'x', resourceAttributes: pod }), authorizer)['status'],
    ).toEqual({ allowed: false })
    const lost = evaluateSubjectAccessReview(review('SubjectAccessReview', { user: 'lost', resourceAttributes: pod }), authorizer)
    expect(lost['status']).toMatchObject({ allowed: false, reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found' })
  })
  test('SelfSubjectAccessReview asks about the caller', () => {
    const ask = (spec: object): unknown =>
      evaluateSelfSubjectAccessReview(review('SelfSubjectAccessReview', spec, { creationTimestamp: null }), member, authorizer)['status']
    expect(ask({ resourceAttributes: pod })).toMatchObject({ allowed: true })
    expect(ask({ resourceAttributes: { ...pod, name: 'b' } })).toEqual({ allowed: false })
    expect(ask({ nonResourceAttributes: { path: '/m', verb: 'get' } })).toMatchObject({ allowed: true })
  })
  test('LocalSubjectAccessReview asks within its namespace', () => {
    const local = review('LocalSubjectAccessReview', { groups: ['g'], resourceAttributes: pod }, { namespace: 'ns' })
    expect(evaluateLocalSubjectAccessReview(local, 'ns', authorizer)['status']).toMatchObject({ allowed: true })
  })
  test('SelfSubjectRulesReview lists the rules', () => {
    const answer = evaluateSelfSubjectRulesReview(review('SelfSubjectRulesReview', { namespace: 'ns' }), member, authorizer)
    expect(answer['status']).toEqual({
      resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/m'] }],
      incomplete: false,
    })
    const lost = evaluateSelfSubjectRulesReview(
      review('SelfSubjectRulesReview', { namespace: 'ns' }),
      { username: 'lost', groups: [] },
      authorizer,
    )
    expect(lost['status']).toMatchObject({ evaluationError: 'clusterrole.rbac.authorization.k8s.io "gone" not found' })
  })

  const selector = (more: object): object => ({ resourceAttributes: { ...pod, ...more } })
  test.each([
    {
      reason: 'a raw selector',
      spec: selector({ fieldSelector: { rawSelector: 'a=b' }, labelSelector: { rawSelector: 'a in (b)' } }),
      error: undefined,
    },
    {
      reason: 'requirements, even with an operator we do not know',
      spec: selector({ labelSelector: { requirements: [{ key: 'a', operator: 'Near', values: ['b'] }] } }),
      error: undefined,
    },
    {
      reason: 'a raw selector that cannot be parsed',
      spec: selector({ labelSelector: { rawSelector: 'a in' } }),
      error: 'spec.resourceAttributes.labelSelector ignored due to parse error',
    },
  ])('tolerates $reason', ({ spec, error }) => {
    const { status } = evaluateSelfSubjectAccessReview(review('SelfSubjectAccessReview', spec), member, authorizer) as KubeObject & {
      status: Record<string, unknown>
    }
    expect(status).toMatchObject({ allowed: true })
    expect(status['evaluationError']).toBe(error)
  })

  const local = (object: KubeObject, namespace = 'ns') => evaluateLocalSubjectAccessReview(object, namespace, authorizer)
  const subject = (spec: object, metadata: object = {}) =>
    evaluateSubjectAccessReview(review('SubjectAccessReview', spec, metadata), authorizer)
  test.each([
    { reason: 'no subject', ask: () => subject({ resourceAttributes: pod }), code: 422, field: 'spec.user' },
    { reason: 'no question', ask: () => subject({ user: 'u' }), code: 422, field: 'spec.resourceAttributes' },
    {
      reason: 'two questions',
      ask: () => subject({ user: 'u', resourceAttributes: pod, nonResourceAttributes: { path: '/', verb: 'get' } }),
      code: 422,
      field: 'spec.nonResourceAttributes',
    },
    { reason: 'a name', ask: () => subject({ user: 'u', resourceAttributes: pod }, { name: 'x' }), code: 422, field: 'metadata' },
    {
      reason: 'an empty selector',
      ask: () => subject({ user: 'u', ...selector({ fieldSelector: {} }) }),
      code: 422,
      field: 'spec.resourceAttributes.fieldSelector.requirements',
    },
    {
      reason: 'both forms of a selector',
      ask: () =>
        subject({ user: 'u', ...selector({ labelSelector: { rawSelector: 'a', requirements: [{ key: 'a', operator: 'Exists' }] } }) }),
      code: 422,
      field: 'spec.resourceAttributes.labelSelector.rawSelector',
    },
    {
      reason: 'In without values',
      ask: () => subject({ user: 'u', ...selector({ labelSelector: { requirements: [{ key: 'a', operator: 'In' }] } }) }),
      code: 422,
      field: 'spec.resourceAttributes.labelSelector.requirements[0].values',
    },
    {
      reason: 'NotIn without values',
      ask: () => subject({ user: 'u', ...selector({ labelSelector: { requirements: [{ key: 'a', operator: 'NotIn', values: [] }] } }) }),
      code: 422,
      field: 'spec.resourceAttributes.labelSelector.requirements[0].values',
    },
    {
      reason: 'Exists with values',
      ask: () =>
        subject({ user: 'u', ...selector({ fieldSelector: { requirements: [{ key: 'a', operator: 'Exists', values: ['b'] }] } }) }),
      code: 422,
      field: 'spec.resourceAttributes.fieldSelector.requirements[0].values',
    },
    {
      reason: 'DoesNotExist with values',
      ask: () =>
        subject({ user: 'u', ...selector({ labelSelector: { requirements: [{ key: 'a', operator: 'DoesNotExist', values: ['b'] }] } }) }),
      code: 422,
      field: 'spec.resourceAttributes.labelSelector.requirements[0].values',
    },
    {
      reason: 'a field without a key',
      ask: () => subject({ user: 'u', ...selector({ fieldSelector: { requirements: [{ operator: 'Exists' }] } }) }),
      code: 422,
      field: 'spec.resourceAttributes.fieldSelector.requirements[0].key',
    },
    {
      reason: 'a label that cannot be one, second in the list',
      ask: () =>
        subject({
          user: 'u',
          ...selector({
            labelSelector: {
              requirements: [
                { key: 'a', operator: 'Exists' },
                { key: 'not a key', operator: 'Exists' },
              ],
            },
          }),
        }),
      code: 422,
      field: 'spec.resourceAttributes.labelSelector.requirements[1].key',
    },
    {
      reason: 'a value that no label can have',
      ask: () =>
        subject({ user: 'u', ...selector({ labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b', 'no value'] }] } }) }),
      code: 422,
      field: 'spec.resourceAttributes.labelSelector.requirements[0].values[1]',
    },
    {
      reason: 'a generation on a review',
      ask: () => subject({ user: 'u', resourceAttributes: pod }, { generation: 1 }),
      code: 422,
      field: 'metadata',
    },
    {
      reason: 'labels on a review',
      ask: () => subject({ user: 'u', resourceAttributes: pod }, { labels: { a: 'b' } }),
      code: 422,
      field: 'metadata',
    },
    {
      reason: 'a namespace where none belongs',
      ask: () => subject({ user: 'u', resourceAttributes: pod }, { namespace: 'ns' }),
      code: 422,
      field: 'metadata',
    },
    {
      reason: 'no namespace at all',
      ask: () => local(review('LocalSubjectAccessReview', { user: 'u', resourceAttributes: { ...pod, namespace: '' } }), ''),
      code: 400,
    },
    {
      reason: 'another namespace in the question',
      ask: () => local(review('LocalSubjectAccessReview', { user: 'u', resourceAttributes: pod }, { namespace: 'other' }), 'other'),
      code: 422,
      field: 'spec.resourceAttributes.namespace',
    },
    {
      reason: 'a URL in a namespace',
      ask: () =>
        local(review('LocalSubjectAccessReview', { user: 'u', nonResourceAttributes: { path: '/', verb: 'get' } }, { namespace: 'ns' })),
      code: 422,
      field: 'spec.nonResourceAttributes',
    },
    {
      reason: 'another namespace in the URL',
      ask: () => local(review('LocalSubjectAccessReview', { user: 'u', resourceAttributes: pod }, { namespace: 'ns' }), 'x'),
      code: 400,
    },
    {
      reason: 'rules of no namespace',
      ask: () => evaluateSelfSubjectRulesReview(review('SelfSubjectRulesReview', {}), member, authorizer),
      code: 400,
    },
  ])('$reason is $code', ({ ask, code, field }) => {
    const status = refusalOf(ask)
    expect(status?.code).toBe(code)
    if (code === 422) expect(status?.details).toMatchObject({ group: 'authorization.k8s.io' })
    const fields = status?.details?.causes?.map((cause) => cause.field) ?? []
    expect(field === undefined ? fields.length === 0 : fields.includes(field)).toBe(true)
  })

  test('metadata that says nothing is no metadata', () => {
    const empty = { name: '', creationTimestamp: null, generation: 0, labels: {}, ownerReferences: [], managedFields: [{ manager: 'm' }] }
    expect(refusalOf(() => subject({ groups: ['g'], resourceAttributes: pod }, empty))).toBeUndefined()
  })

  test('a field selector needs no key that a label could have', () => {
    const spec = selector({ fieldSelector: { requirements: [{ key: 'spec.node name', operator: 'In', values: ['any value'] }] } })
    expect(refusalOf(() => subject({ user: 'u', ...spec }))).toBeUndefined()
  })

  test('asks the authorizer exactly what the review says, about whom it says', () => {
    const asked: Attributes[] = []
    const recorder = { authorize: (attributes: Attributes) => (asked.push(attributes), { allowed: false, reason: '' }) }
    const question = { verb: 'v', namespace: 'ns', group: 'g', version: 'v1', resource: 'r', subresource: 's', name: 'n' }
    const whole = { user: 'u', groups: ['a'], uid: '1', extra: { k: ['x'] }, resourceAttributes: question }
    evaluateSubjectAccessReview(review('SubjectAccessReview', whole), recorder)
    evaluateSubjectAccessReview(review('SubjectAccessReview', { groups: ['a'], resourceAttributes: { verb: 'v' } }), recorder)
    evaluateSubjectAccessReview(review('SubjectAccessReview', { user: 'u', nonResourceAttributes: { path: '/p', verb: 'v' } }), recorder)
    const nothing = { verb: 'v', namespace: '', apiGroup: '', apiVersion: '*', resource: '', subresource: '', name: '', path: '' }
    expect(asked).toEqual([
      {
        user: { username: 'u', groups: ['a'], uid: '1', extra: { k: ['x'] } },
        verb: 'v',
        namespace: 'ns',
        apiGroup: 'g',
        apiVersion: 'v1',
        resource: 'r',
        subresource: 's',
        name: 'n',
        resourceRequest: true,
        path: '',
      },
      { ...nothing, user: { username: '', groups: ['a'] }, resourceRequest: true },
      { ...nothing, user: { username: 'u', groups: [] }, apiVersion: '', resourceRequest: false, path: '/p' },
    ])
  })

  test('rules are listed as what they are: of resources, of URLs, or both; several problems together', () => {
    const resolver = createRbacAuthorizer(
      roleSource({
        clusterRoles: [
          clusterRole('mixed', [
            { apiGroups: ['a'], resources: ['r'], verbs: ['get'], nonResourceURLs: [] },
            { resources: [], nonResourceURLs: ['/u'], verbs: ['get'] },
          ]),
        ],
        clusterRoleBindings: ['mixed', 'gone', 'lost'].map((name) => clusterBinding(name, name, userSubject('u'))),
      }),
    )
    const answer = evaluateSelfSubjectRulesReview(
      review('SelfSubjectRulesReview', { namespace: 'ns' }),
      { username: 'u', groups: [] },
      resolver,
    )
    expect(answer['status']).toEqual({
      resourceRules: [{ verbs: ['get'], apiGroups: ['a'], resources: ['r'] }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/u'] }],
      incomplete: false,
      evaluationError: '[clusterrole.rbac.authorization.k8s.io "gone" not found, clusterrole.rbac.authorization.k8s.io "lost" not found]',
    })
    expect([answer['spec'], answer.metadata]).toEqual([{}, {}])
  })
})
