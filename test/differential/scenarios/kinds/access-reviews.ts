import { call, type Scenario } from '../../scenario.ts'
import { namespace } from '../parts.ts'
import { all } from './objects.ts'

export const accessReviewsScenario: Scenario = {
  name: 'kinds: access reviews',
  steps: (n) => {
    const path = '/apis/authorization.k8s.io/v1'
    const review = (kind: string, spec: object, meta: object = {}): object => ({
      apiVersion: 'authorization.k8s.io/v1',
      kind,
      metadata: meta,
      spec,
    })
    const attributes = { verb: 'get', resource: 'configmaps', namespace: n.ns }
    return [
      namespace(n),
      ...all(`${path}/subjectaccessreviews`, [
        review('SubjectAccessReview', { user: 'nobody', resourceAttributes: attributes }),
        review('SubjectAccessReview', { groups: ['system:masters'], resourceAttributes: attributes }),
        review('SubjectAccessReview', { user: 'x', nonResourceAttributes: { path: '/healthz', verb: 'get' } }),
        review('SubjectAccessReview', { user: 'x' }),
        review('SubjectAccessReview', { resourceAttributes: attributes }),
        review('SubjectAccessReview', { user: 'x', resourceAttributes: attributes, nonResourceAttributes: { path: '/' } }),
        review('SubjectAccessReview', { user: 'x', resourceAttributes: attributes }, { name: 'n' }),
        review('SubjectAccessReview', { user: 'x', resourceAttributes: { ...attributes, labelSelector: { rawSelector: 'a=b' } } }),
        review('SubjectAccessReview', {
          user: 'x',
          resourceAttributes: {
            ...attributes,
            fieldSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
          },
        }),
      ]),
      ...all(`${path}/selfsubjectaccessreviews`, [
        review('SelfSubjectAccessReview', { resourceAttributes: attributes }),
        review('SelfSubjectAccessReview', {}),
        review('Nope', {}),
      ]),
      ...all(`${path}/namespaces/${n.ns}/localsubjectaccessreviews`, [
        review('LocalSubjectAccessReview', { user: 'x', resourceAttributes: attributes }),
        review('LocalSubjectAccessReview', { user: 'x', resourceAttributes: { ...attributes, namespace: 'other' } }, { namespace: n.ns }),
        review('LocalSubjectAccessReview', { user: 'x', resourceAttributes: attributes }, { namespace: n.ns }),
        review('LocalSubjectAccessReview', { user: 'x', nonResourceAttributes: { path: '/', verb: 'get' } }, { namespace: n.ns }),
      ]),
      call('POST', `${path}/selfsubjectrulesreviews`, review('SelfSubjectRulesReview', { namespace: n.ns }), { user: 'nobody' }),
      call('POST', `${path}/selfsubjectrulesreviews`, review('SelfSubjectRulesReview', {})),
      call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}),
      call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { user: 'jane', groups: ['a', 'b'] }),
      call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', { spec: {} }),
      call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews?dryRun=All', {}),
    ]
  },
}
