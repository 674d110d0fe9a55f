import type { KubeObject } from '@weft/api'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, startServer, type TestServer } from '../admission.fixture.ts'
import type { UserInfo } from '../../auth/index.ts'

const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

let weft: TestServer
const cleanUp: string[] = []

beforeAll(async () => {
  weft = await startServer()
})
afterAll(() => weft.close())
afterEach(async () => {
  for (const url of cleanUp.splice(0).reverse()) await weft.call('DELETE', url)
  await weft.ok('DELETE', CONFIG_MAPS)
})

const matchConstraints = {
  resourceRules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
}

const policyObject = (spec: object, name = 'p'): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: { matchConstraints, ...spec },
})

async function policy(spec: object, binding: object = {}, name = 'p'): Promise<void> {
  await weft.ok('POST', `${ADMISSION}/validatingadmissionpolicies`, policyObject(spec, name))
  cleanUp.push(`${ADMISSION}/validatingadmissionpolicies/${name}`)
  await bind({ policyName: name, ...binding }, `${name}-b`)
}

async function bind(spec: object, name: string): Promise<void> {
  await weft.ok('POST', `${ADMISSION}/validatingadmissionpolicybindings`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { validationActions: ['Deny'], ...spec },
  })
  cleanUp.push(`${ADMISSION}/validatingadmissionpolicybindings/${name}`)
}

const configMap = (name: string, data: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
})

async function make(url: string, object: { metadata: { name: string } } & object): Promise<void> {
  await weft.ok('POST', url, object)
  cleanUp.push(`${url}/${object.metadata.name}`)
}

describe('a policy', () => {
  it('denies what it does not allow, in the words of kube-apiserver', async () => {
    await policy({ validations: [{ expression: "object.data.color == 'red'" }, { expression: 'true' }] })
    const { code, body } = await weft.call('POST', CONFIG_MAPS, configMap('x', { color: 'blue' }))
    const said = "ValidatingAdmissionPolicy 'p' with binding 'p-b' denied request: failed expression: object.data.color == 'red'"
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `configmaps "x" is forbidden: ${said}`,
      reason: 'Invalid',
      details: { name: 'x', kind: 'configmaps', causes: [{ message: said }] },
      code: 422,
    })
    expect(code).toBe(422)
    await weft.ok('POST', CONFIG_MAPS, configMap('x', { color: 'red' }))
  })

  it.each<{ reason: string; validation: object; code: number; message: string }>([
    { reason: 'a message', validation: { message: ' only red ' }, code: 422, message: 'only red' },
    {
      reason: 'a message made by an expression',
      validation: { message: 'no', messageExpression: "'not ' + object.data.color" },
      code: 422,
      message: 'not blue',
    },
    {
      reason: 'an expression that fails: the message',
      validation: { message: 'no', messageExpression: "object.data.nope + ''" },
      code: 422,
      message: 'no',
    },
    {
      reason: 'an expression that answers nothing: the message',
      validation: { message: 'no', messageExpression: "'  '" },
      code: 422,
      message: 'no',
    },
    { reason: 'two lines: the message', validation: { message: 'no', messageExpression: "'a\\nb'" }, code: 422, message: 'no' },
    { reason: 'a reason of its own', validation: { message: 'no', reason: 'Forbidden' }, code: 403, message: 'no' },
    { reason: 'another reason', validation: { message: 'no', reason: 'RequestEntityTooLarge' }, code: 413, message: 'no' },
  ])('may explain itself with $reason', async ({ validation, code, message }) => {
    await policy({ validations: [{ expression: "object.data.color == 'red'", ...validation }] })
    const answer = await weft.call('POST', CONFIG_MAPS, configMap('x', { color: 'blue' }))
    expect(answer.code).toBe(code)
    expect(answer.body.message).toBe(
      `configmaps "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p-b' denied request: ${message}`,
    )
  })

  it('computes variables when they are used, once', async () => {
    await policy({
      variables: [
        { name: 'color', expression: "'color' in object.data ? object.data.color : 'none'" },
        { name: 'upper', expression: 'variables.color.upperAscii()' },
        { name: 'never', expression: '1 / 0' },
      ],
      validations: [{ expression: "variables.upper == 'RED'", messageExpression: "'it is ' + variables.color" }],
    })
    expect((await weft.call('POST', CONFIG_MAPS, configMap('x', { a: '1' }))).body.message).toContain('denied request: it is none')
    await weft.ok('POST', CONFIG_MAPS, configMap('x', { color: 'red' }))
  })

  it('sees the old object, the request, the namespace and the user', async () => {
    await policy({
      matchConditions: [{ name: 'update', expression: "request.operation == 'UPDATE'" }],
      validations: [
        { expression: 'object.data.size >= oldObject.data.size', message: 'must not shrink' },
        { expression: "namespaceObject.metadata.name == 'default' && request.namespace == 'default'" },
        { expression: "request.userInfo.username == 'admin' && !has(request.subResource) && request.dryRun == false" },
        {
          expression:
            "request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap' && request.options.kind == 'UpdateOptions'",
        },
      ],
    })
    await weft.ok('POST', CONFIG_MAPS, configMap('x', { size: '2' }))
    const merge = { contentType: 'application/merge-patch+json' }
    expect((await weft.call('PATCH', `${CONFIG_MAPS}/x`, { data: { size: '1' } }, merge)).body.message).toContain('must not shrink')
    await weft.ok('PATCH', `${CONFIG_MAPS}/x`, { data: { size: '3' } }, merge)
  })

  it('asks the authorizer for the user, for others, and about the object itself', async () => {
    const alice: UserInfo = { username: 'alice', groups: ['system:authenticated'] }
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    await make(`${rbac}/clusterroles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'maker' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'brew'], resourceNames: [] }],
    } as never)
    await make(`${rbac}/clusterrolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'alice-makes' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maker' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
    } as never)
    await policy({
      validations: [
        { expression: "authorizer.requestResource.check('brew').allowed()", message: 'may not brew' },
        {
          expression:
            "!authorizer.serviceAccount('default', 'default').group('').resource('configmaps').namespace('default').check('brew').allowed()",
        },
        { expression: "authorizer.path('/metrics').check('get').allowed()", message: 'may not look' },
      ],
    })
    expect((await weft.call('POST', CONFIG_MAPS, configMap('x'), { user: alice })).body.message).toContain('may not look')
    await weft.ok('POST', CONFIG_MAPS, configMap('x'))
  })

  it('without a binding does nothing, and a binding without its policy neither', async () => {
    await weft.ok('POST', `${ADMISSION}/validatingadmissionpolicies`, policyObject({ validations: [{ expression: 'false' }] }, 'lonely'))
    cleanUp.push(`${ADMISSION}/validatingadmissionpolicies/lonely`)
    await bind({ policyName: 'nope' }, 'dangling')
    await weft.ok('POST', CONFIG_MAPS, configMap('x'))
  })

  it('never judges admission configuration', async () => {
    const everything = { resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] }
    await policy({ matchConstraints: everything, validations: [{ expression: 'false' }] })
    await weft.ok('DELETE', cleanUp.pop() as string)
  })
})

describe('a binding', () => {
  it.each<{ reason: string; actions: string[]; code: number; warnings: string[] }>([
    {
      reason: 'warns',
      actions: ['Warn'],
      code: 201,
      warnings: ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p-b': no way"],
    },
    { reason: 'only audits', actions: ['Audit'], code: 201, warnings: [] },
    {
      reason: 'warns and audits',
      actions: ['Warn', 'Audit'],
      code: 201,
      warnings: ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p-b': no way"],
    },
    { reason: 'denies', actions: ['Deny'], code: 422, warnings: [] },
  ])('$reason', async ({ actions, code, warnings }) => {
    await policy({ validations: [{ expression: 'false', message: 'no way' }] }, { validationActions: actions })
    const answer = await weft.call('POST', CONFIG_MAPS, configMap('x'))
    expect([answer.code, answer.warnings]).toEqual([code, warnings])
  })

  it('narrows down what the policy is about', async () => {
    await policy({ validations: [{ expression: 'false' }] }, { matchResources: { objectSelector: { matchLabels: { strict: 'yes' } } } })
    await weft.ok('POST', CONFIG_MAPS, configMap('free'))
    expect((await weft.call('POST', CONFIG_MAPS, configMap('held', {}, { labels: { strict: 'yes' } }))).code).toBe(422)
  })

  it('may be about objects by name, and leave out others', async () => {
    const rule = matchConstraints.resourceRules[0]
    await policy({
      matchConstraints: {
        resourceRules: [{ ...rule, resourceNames: ['a', 'b'] }],
        excludeResourceRules: [{ ...rule, resourceNames: ['b'] }],
      },
      validations: [{ expression: 'false' }],
    })
    const codes = await Promise.all(['a', 'b', 'c'].map(async (name) => (await weft.call('POST', CONFIG_MAPS, configMap(name))).code))
    expect(codes).toEqual([422, 201, 201])
  })
})

describe('parameters', () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' }
  const validations = [
    { expression: 'params == null || object.data.color == params.data.color', messageExpression: "'wants ' + params.data.color" },
  ]
  const param = (name: string, color: string, labels = {}): KubeObject & { metadata: { name: string } } => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { param: 'yes', ...labels } },
    data: { color },
  })
  const skipParams = {
    matchConstraints: { ...matchConstraints, objectSelector: { matchExpressions: [{ key: 'param', operator: 'DoesNotExist' }] } },
  }
  const denial = (message: string): string =>
    `configmaps "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p-b' denied request: ${message}`
  const create = async (color: string): Promise<string> =>
    (await weft.call('POST', `${CONFIG_MAPS}?dryRun=All`, configMap('x', { color }))).body.message ?? 'created'

  it('by name, in the namespace of the request or in another', async () => {
    await weft.ok('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'settings' } })
    await policy({ ...skipParams, paramKind, validations }, { paramRef: { name: 'colors', parameterNotFoundAction: 'Deny' } })
    expect(await create('red')).toBe(
      denial('failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'),
    )
    await make(CONFIG_MAPS, param('colors', 'red'))
    expect(await create('red')).toBe('created')
    expect(await create('blue')).toBe(denial('wants red'))
    await make('/api/v1/namespaces/settings/configmaps', param('colors', 'green'))
    await bind({ policyName: 'p', paramRef: { name: 'colors', namespace: 'settings', parameterNotFoundAction: 'Deny' } }, 'p-c')
    expect(await create('red')).toBe(denial('wants green').replace('p-b', 'p-c'))
  })

  it('that are missing may be allowed to be', async () => {
    await policy({ ...skipParams, paramKind, validations }, { paramRef: { name: 'nope', parameterNotFoundAction: 'Allow' } })
    expect(await create('blue')).toBe('created')
  })

  it('by label: each is a check of its own', async () => {
    await policy(
      { ...skipParams, paramKind, validations },
      { paramRef: { selector: { matchLabels: { for: 'x' } }, parameterNotFoundAction: 'Allow' } },
    )
    await make(CONFIG_MAPS, param('one', 'red', { for: 'x' }))
    await make(CONFIG_MAPS, param('other', 'blue', { for: 'y' }))
    expect(await create('red')).toBe('created')
    await make(CONFIG_MAPS, param('two', 'blue', { for: 'x' }))
    expect(await create('red')).toBe(denial('wants blue'))
  })

  it('are null to a binding that names none', async () => {
    await policy({ ...skipParams, paramKind, validations })
    expect(await create('any')).toBe('created')
  })

  it.each([
    {
      failurePolicy: 'Fail',
      answer:
        "ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.org/v1, Kind=Nope'",
    },
    { failurePolicy: 'Ignore', answer: 'created' },
  ])('of a kind that is not served obey failurePolicy $failurePolicy', async ({ failurePolicy, answer }) => {
    await policy(
      { paramKind: { apiVersion: 'example.org/v1', kind: 'Nope' }, failurePolicy, validations },
      { paramRef: { name: 'a', parameterNotFoundAction: 'Deny' } },
    )
    expect(await create('red')).toContain(answer)
  })

  it('cannot be namespaced for what is not', async () => {
    const rules = [{ operations: ['CREATE'], apiGroups: ['rbac.authorization.k8s.io'], apiVersions: ['v1'], resources: ['clusterroles'] }]
    await policy(
      { matchConstraints: { resourceRules: rules }, paramKind, validations },
      { paramRef: { name: 'a', parameterNotFoundAction: 'Allow' } },
    )
    const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'r' }, rules: [] }
    const { body } = await weft.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', role)
    expect(body.message).toContain(
      'failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    )
  })
})

describe('audit', () => {
  it('learns of violations, and of annotations that the policy makes', async () => {
    await policy(
      {
        validations: [{ expression: 'false', message: 'no way' }],
        auditAnnotations: [
          { key: 'made', valueExpression: "'made by ' + request.userInfo.username" },
          { key: 'nothing', valueExpression: "'  '" },
        ],
      },
      { validationActions: ['Audit'] },
    )
    await bind({ policyName: 'p', validationActions: ['Audit'] }, 'p-c')
    const annotations: [string, string][] = []
    const type = weft.server.services.catalog.builtIn('', 'configmaps')
    await weft.server.services.admission.validate({
      operation: 'CREATE',
      type,
      subresource: '',
      namespace: 'default',
      name: 'x',
      object: configMap('x') as KubeObject,
      user: ADMIN,
      dryRun: false,
      options: {},
      warn: () => undefined,
      annotate: (key, value) => annotations.push([key, value]),
    })
    const violation = (binding: string): string =>
      JSON.stringify([{ message: 'no way', policy: 'p', binding, expressionIndex: 0, validationActions: ['Audit'] }])
    expect(annotations).toEqual([
      ['validation.policy.admission.k8s.io/validation_failure', violation('p-b')],
      ['validation.policy.admission.k8s.io/validation_failure', violation('p-c')],
      ['p/made', 'made by admin'],
    ])
  })
})

describe('failures', () => {
  it.each([
    { failurePolicy: 'Fail', message: `expression 'object.data.nope == "1"' resulted in error: no such key: nope` },
    { failurePolicy: 'Ignore', message: undefined },
  ])('of an expression obey failurePolicy $failurePolicy', async ({ failurePolicy, message }) => {
    await policy({ failurePolicy, validations: [{ expression: 'object.data.nope == "1"' }] })
    const { body } = await weft.call('POST', CONFIG_MAPS, configMap('x', { a: '1' }))
    if (message === undefined) expect(body.kind).toBe('ConfigMap')
    else expect(body.message).toContain(message)
  })

  it('of expressions that cost too much', async () => {
    const list = `[${Array.from({ length: 50 }, (_, i) => i).join(',')}]`
    const costly = `${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, a + b + c + d >= 0))))`
    await policy({ validations: [{ expression: costly }] })
    expect((await weft.call('POST', CONFIG_MAPS, configMap('x'))).body.message).toContain(
      'resulted in error: operation cancelled: actual cost limit exceeded',
    )
  })
})

describe('writing a policy', () => {
  const causesOf = async (spec: object): Promise<unknown> => {
    const { code, body } = await weft.call('POST', `${ADMISSION}/validatingadmissionpolicies?dryRun=All`, policyObject(spec))
    return code === 422
      ? (body as KubeObject & { details: { causes: { field: string; message: string }[] } }).details.causes.map(({ field, message }) => [
          field,
          message.split('\n')[0],
        ])
      : code
  }

  it('that is right', async () => {
    expect(
      await causesOf({
        validations: [{ expression: 'true' }],
        auditAnnotations: [{ key: 'k', valueExpression: "'made ' + object.metadata.name" }],
      }),
    ).toBe(201)
  })

  it('with expressions that do not compile is refused, field by field', async () => {
    expect(
      await causesOf({
        matchConditions: [{ name: 'a', expression: 'params.x' }],
        variables: [{ name: 'v', expression: 'nope' }],
        validations: [
          { expression: '1 + 1' },
          { expression: 'request.nope == 1', messageExpression: "authorizer.path('/x').check('get').reason()" },
        ],
        auditAnnotations: [{ key: 'k', valueExpression: '1' }],
      }),
    ).toEqual([
      [
        'spec.matchConditions[0].expression',
        expect.stringMatching(/^Invalid value: "params\.x": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params'/),
      ],
      [
        'spec.variables[0].expression',
        expect.stringMatching(/^Invalid value: "nope": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope'/),
      ],
      ['spec.validations[0].expression', 'Invalid value: "1 + 1": must evaluate to bool but got int'],
      ['spec.validations[1].expression', expect.stringMatching(/compilation failed: ERROR: <input>:1:8: undefined field 'nope'/)],
      ['spec.validations[1].messageExpression', expect.stringMatching(/undeclared reference to 'authorizer'/)],
      ['spec.auditAnnotations[0].valueExpression', expect.stringMatching(/must evaluate to one of \[string null_type\] but got int/)],
    ])
  })

  it('is told of everything that is wrong at once: expressions, and the rest', async () => {
    expect(
      await causesOf({
        failurePolicy: 'Nope',
        matchConditions: [{ name: 'a', expression: ' ' }],
        validations: [{ expression: '1 + 1' }, { expression: '' }, { expression: 'variables.v' }],
      }),
    ).toEqual([
      ['spec.failurePolicy', expect.stringMatching(/^Unsupported value: "Nope"/)],
      ['spec.matchConditions[0].expression', 'Required value'],
      ['spec.validations[1].expression', 'Required value: expression is not specified'],
      ['spec.validations[0].expression', 'Invalid value: "1 + 1": must evaluate to bool but got int'],
      // Without variables there is no such word.
      ['spec.validations[2].expression', expect.stringMatching(/undeclared reference to 'variables'/)],
    ])
  })
})
