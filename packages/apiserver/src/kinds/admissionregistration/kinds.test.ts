import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { admissionregistrationKinds } from './kinds.ts'

const of = (kind: string) => {
  const row = admissionregistrationKinds.find((each) => each.kind === kind)
  if (row === undefined) throw new Error(kind)
  return row
}
const object = (kind: string, fields: object): KubeObject =>
  of(kind).strategy.default({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'a' }, ...fields })
const check = (kind: string, fields: object): string[] =>
  of(kind)
    .strategy.validate(object(kind, fields))
    .map(({ path, message }) => `${path}: ${message}`)

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }
const hook = {
  name: 'a.example.org',
  clientConfig: { service: { name: 's', namespace: 'n' } },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
}

describe('webhooks', () => {
  const kind = 'MutatingWebhookConfiguration'

  it('fills in policies, selectors, scope and port', () => {
    expect(object(kind, { webhooks: [hook] })['webhooks']).toEqual([
      {
        ...hook,
        clientConfig: { service: { name: 's', namespace: 'n', port: 443 } },
        rules: [{ ...rule, scope: '*' }],
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        reinvocationPolicy: 'Never',
      },
    ])
    expect(object('ValidatingWebhookConfiguration', { webhooks: [hook] })['webhooks']).not.toHaveProperty('0.reinvocationPolicy')
  })

  it.each<{ reason: string; change: object; errors: string[] }>([
    { reason: 'a good one', change: {}, errors: [] },
    {
      reason: 'a short name',
      change: { name: 'a.b' },
      errors: ['webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
    },
    {
      reason: 'nowhere to call',
      change: { clientConfig: {} },
      errors: ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
    },
    {
      reason: 'plain HTTP',
      change: { clientConfig: { url: 'http://h/p' } },
      errors: [
        'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      ],
    },
    {
      reason: 'a URL with too much in it',
      change: { clientConfig: { url: 'https://u:p@h/p?q=1#f' } },
      errors: [
        'webhooks[0].clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
        'webhooks[0].clientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
        'webhooks[0].clientConfig.url: Invalid value: "q=1": query parameters are not permitted in the URL',
      ],
    },
    {
      reason: 'a service path with an empty step',
      change: { clientConfig: { service: { name: 's', namespace: 'n', path: '/a//b' } } },
      errors: ['webhooks[0].clientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty'],
    },
    {
      reason: 'a port out of range',
      change: { clientConfig: { service: { name: 's', namespace: 'n', port: 70000 } } },
      errors: ['webhooks[0].clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive'],
    },
    {
      reason: 'side effects',
      change: { sideEffects: 'Some' },
      errors: ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    },
    {
      reason: 'no word on side effects',
      change: { sideEffects: undefined },
      errors: ['webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun'],
    },
    {
      reason: 'a long timeout',
      change: { timeoutSeconds: 31 },
      errors: ['webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    },
    {
      reason: 'no review version',
      change: { admissionReviewVersions: [] },
      errors: ['webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
    },
    {
      reason: 'review versions of the future',
      change: { admissionReviewVersions: ['v9', 'v9'] },
      errors: [
        'webhooks[0].admissionReviewVersions[1]: Invalid value: "v9": duplicate version',
        'webhooks[0].admissionReviewVersions: Invalid value: ["v9","v9"]: must include at least one of v1, v1beta1',
      ],
    },
    {
      reason: 'another policy',
      change: { failurePolicy: 'Maybe' },
      errors: ['webhooks[0].failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"'],
    },
    {
      reason: 'an unknown operation',
      change: { rules: [{ ...rule, operations: ['READ'] }] },
      errors: [
        'webhooks[0].rules[0].operations[0]: Unsupported value: "READ": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      ],
    },
    {
      reason: 'a wildcard beside others',
      change: { rules: [{ ...rule, apiGroups: ['*', 'a'] }] },
      errors: ['webhooks[0].rules[0].apiGroups: Invalid value: ["*","a"]: if \'*\' is present, must not specify other API groups'],
    },
    {
      reason: 'a subresource that is covered already',
      change: { rules: [{ ...rule, resources: ['pods/*', 'pods/log'] }] },
      errors: ['webhooks[0].rules[0].resources[1]: Invalid value: "pods/log": if \'pods/*\' is present, must not specify pods/log'],
    },
    {
      reason: 'a condition without a name',
      change: { matchConditions: [{ expression: 'true' }] },
      errors: ['webhooks[0].matchConditions[0].name: Required value'],
    },
  ])('$reason', ({ change, errors }) => {
    expect(check(kind, { webhooks: [{ ...hook, ...change }] })).toEqual(errors)
  })

  it('refuses two of one name', () => {
    expect(check(kind, { webhooks: [hook, hook] })).toEqual(['webhooks[1].name: Duplicate value: "a.example.org"'])
  })

  it('lets what is stored stay as it is', () => {
    const { strategy } = of(kind)
    const old = object(kind, {
      webhooks: [
        { ...hook, sideEffects: 'Some' },
        { ...hook, sideEffects: 'Some' },
      ],
    })
    expect(strategy.validateUpdate(old, old)).toEqual([])
    expect(strategy.validateUpdate(old, object(kind, { webhooks: [hook] }))).not.toEqual([])
  })
})

describe('policies', () => {
  const kind = 'ValidatingAdmissionPolicy'
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] }

  it('fills in policies and selectors', () => {
    expect(object(kind, { spec })['spec']).toEqual({
      ...spec,
      failurePolicy: 'Fail',
      matchConstraints: { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, resourceRules: [{ ...rule, scope: '*' }] },
    })
  })

  it.each<{ reason: string; change: object; paths: string[] }>([
    { reason: 'a good one', change: {}, paths: [] },
    { reason: 'no rules to match', change: { matchConstraints: {} }, paths: ['spec.matchConstraints.resourceRules'] },
    { reason: 'nothing to match', change: { matchConstraints: undefined }, paths: ['spec.matchConstraints'] },
    { reason: 'nothing to check', change: { validations: [] }, paths: ['spec.validations', 'spec.auditAnnotations'] },
    { reason: 'a rule without an expression', change: { validations: [{ expression: ' ' }] }, paths: ['spec.validations[0].expression'] },
    {
      reason: 'a message of two lines',
      change: { validations: [{ expression: 'true', message: 'a\nb' }] },
      paths: ['spec.validations[0].message'],
    },
    { reason: 'another reason', change: { validations: [{ expression: 'true', reason: 'Mood' }] }, paths: ['spec.validations[0].reason'] },
    {
      reason: 'a variable named like a word of CEL',
      change: { variables: [{ name: 'for', expression: '1' }] },
      paths: ['spec.variables[0].name'],
    },
    {
      reason: 'a parameter kind without a version',
      change: { paramKind: { apiVersion: 'a/', kind: 'K' } },
      paths: ['spec.paramKind.apiVersion'],
    },
    {
      reason: 'two annotations of one key',
      change: {
        auditAnnotations: [
          { key: 'k', valueExpression: "'v'" },
          { key: 'k', valueExpression: "'v'" },
        ],
      },
      paths: ['spec.auditAnnotations[1].key'],
    },
  ])('$reason', ({ change, paths }) => {
    expect(
      of(kind)
        .strategy.validate(object(kind, { spec: { ...spec, ...change } }))
        .map(({ path }) => path),
    ).toEqual(paths)
  })
})

describe('bindings', () => {
  const kind = 'ValidatingAdmissionPolicyBinding'

  it.each<{ reason: string; spec: object; errors: string[] }>([
    { reason: 'a good one', spec: { policyName: 'p', validationActions: ['Deny'], matchResources: {} }, errors: [] },
    {
      reason: 'no action',
      spec: { policyName: 'p' },
      errors: ['spec.validationActions: Required value: at least one validation action is required'],
    },
    { reason: 'no policy', spec: { validationActions: ['Deny'] }, errors: ['spec.policyName: Required value'] },
    {
      reason: 'parameters by name and by label',
      spec: { policyName: 'p', validationActions: ['Deny'], paramRef: { name: 'n', selector: {}, parameterNotFoundAction: 'Deny' } },
      errors: [
        'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      ],
    },
    {
      reason: 'no word on missing parameters',
      spec: { policyName: 'p', validationActions: ['Deny'], paramRef: { name: 'n' } },
      errors: ['spec.paramRef.parameterNotFoundAction: Required value'],
    },
  ])('$reason', ({ spec, errors }) => {
    expect(check(kind, { spec })).toEqual(errors)
  })
})
