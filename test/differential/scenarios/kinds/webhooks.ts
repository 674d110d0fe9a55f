import { call, type Scenario } from '../../scenario.ts'
import { STRATEGIC } from '../parts.ts'
import { all, object } from './objects.ts'

export const webhooksScenario: Scenario = {
  name: 'kinds: webhooks and policies as objects',
  steps: (n) => {
    const group = '/apis/admissionregistration.k8s.io/v1'
    const webhook = (more: object = {}): object => ({
      name: 'a.example.com',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig: { url: 'https://127.0.0.1:1/x' },
      rules: [{ apiGroups: [`none.${n.group}`], apiVersions: ['v1'], resources: ['things'], operations: ['CREATE'] }],
      ...more,
    })
    const configured = (name: string, webhooks: readonly object[], kind = 'ValidatingWebhookConfiguration'): object =>
      object('admissionregistration.k8s.io/v1', kind, `${name}-${n.id}`, { webhooks })
    const policy = (name: string, spec: object): object =>
      object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', `${name}-${n.id}`, { spec })
    const constraints = {
      resourceRules: [{ apiGroups: [`none.${n.group}`], apiVersions: ['v1'], resources: ['things'], operations: ['CREATE'] }],
    }
    return [
      ...all(`${group}/validatingwebhookconfigurations`, [
        configured('a', [webhook()]),
        configured('b', [webhook({ name: 'short' })]),
        configured('c', [webhook({ sideEffects: 'Some' })]),
        configured('d', [webhook({ sideEffects: undefined })]),
        configured('e', [webhook({ admissionReviewVersions: [] })]),
        configured('f', [webhook({ admissionReviewVersions: ['v9'] })]),
        configured('g', [webhook({ clientConfig: {} })]),
        configured('h', [webhook({ clientConfig: { url: 'http://x' } })]),
        configured('i', [webhook({ clientConfig: { service: { name: 's', namespace: 'n' } } })]),
        configured('j', [webhook({ timeoutSeconds: 31 })]),
        configured('k', [webhook({ failurePolicy: 'Nope', matchPolicy: 'Nope' })]),
        configured('l', [webhook(), webhook()]),
        configured('m', [
          webhook({ rules: [{ apiGroups: ['*', 'a'], apiVersions: [], resources: ['*/*', 'x'], operations: ['Nope'], scope: 'Nope' }] }),
        ]),
        configured('n', [webhook({ matchConditions: [{ name: 'c', expression: 'object.' }] })]),
        configured('o', [webhook({ matchConditions: [{ name: 'c', expression: '1' }] })]),
        configured('o', [
          webhook({
            matchConditions: [
              { name: 'c', expression: 'true' },
              { name: 'c', expression: 'true' },
            ],
          }),
        ]),
        configured('p', [webhook({ namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } })]),
      ]),
      ...all(`${group}/mutatingwebhookconfigurations`, [
        configured('a', [webhook()], 'MutatingWebhookConfiguration'),
        configured('b', [webhook({ reinvocationPolicy: 'Nope' })], 'MutatingWebhookConfiguration'),
      ]),
      call(
        'PATCH',
        `${group}/validatingwebhookconfigurations/a-${n.id}`,
        { webhooks: [{ name: 'a.example.com', timeoutSeconds: 5 }] },
        { contentType: STRATEGIC },
      ),
      ...all(`${group}/validatingadmissionpolicies`, [
        policy('a', { matchConstraints: constraints, validations: [{ expression: 'object.x == 1', message: 'm' }] }),
        policy('b', { matchConstraints: constraints }),
        policy('c', { validations: [{ expression: 'true' }] }),
        policy('d', { matchConstraints: constraints, validations: [{ expression: 'object.' }] }),
        policy('e', { matchConstraints: constraints, validations: [{ expression: '1 + 1' }] }),
        policy('f', {
          matchConstraints: constraints,
          validations: [{ expression: 'variables.v' }],
          variables: [
            { name: 'v', expression: 'true' },
            { name: '1bad', expression: 'true' },
          ],
        }),
        policy('g', { matchConstraints: constraints, auditAnnotations: [{ key: 'k', valueExpression: "'x'" }] }),
        policy('h', { matchConstraints: constraints, failurePolicy: 'Nope', validations: [{ expression: 'true', reason: 'Nope' }] }),
        policy('i', { matchConstraints: constraints, paramKind: { apiVersion: 'v1' }, validations: [{ expression: 'params.x == 1' }] }),
      ]),
      ...all(`${group}/validatingadmissionpolicybindings`, [
        object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', `a-${n.id}`, {
          spec: { policyName: `a-${n.id}`, validationActions: ['Deny'] },
        }),
        object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', `b-${n.id}`, {
          spec: { validationActions: ['Deny', 'Warn', 'Nope'] },
        }),
        object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', `c-${n.id}`, {
          spec: { policyName: 'x', validationActions: ['Deny', 'Deny'], paramRef: {} },
        }),
      ]),
      ...[
        'validatingwebhookconfigurations',
        'mutatingwebhookconfigurations',
        'validatingadmissionpolicies',
        'validatingadmissionpolicybindings',
      ].map((plural) => call('DELETE', `${group}/${plural}/a-${n.id}`)),
    ]
  },
}
