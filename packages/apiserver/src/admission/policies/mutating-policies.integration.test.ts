import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../admission.fixture.ts'

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

const configuration = (expression: string): object => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } })
const operations = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } })

const policyObject = (mutations: readonly object[], more: object = {}, name = 'p'): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    },
    reinvocationPolicy: 'Never',
    mutations,
    ...more,
  },
})

async function policy(mutations: readonly object[], more: object = {}, name = 'p', binding: object = {}): Promise<void> {
  await weft.ok('POST', `${ADMISSION}/mutatingadmissionpolicies`, policyObject(mutations, more, name))
  cleanUp.push(`${ADMISSION}/mutatingadmissionpolicies/${name}`)
  await weft.ok('POST', `${ADMISSION}/mutatingadmissionpolicybindings`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name: `${name}-b` },
    spec: { policyName: name, ...binding },
  })
  cleanUp.push(`${ADMISSION}/mutatingadmissionpolicybindings/${name}-b`)
}

const configMap = (name: string, data: object = {}): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })

describe('a mutating policy', () => {
  it('is heard before a write is called too late', async () => {
    await policy([operations('[JSONPatch{op: "replace", path: "/binaryData/a", value: "x"}]')], {
      matchConditions: [{ name: 'later', expression: 'request.operation == "UPDATE"' }],
    })
    const made = await weft.ok('POST', CONFIG_MAPS, configMap('x'))
    const stale = { ...made, metadata: { ...made.metadata, resourceVersion: '1' } }
    const { code, body } = await weft.call('PUT', `${CONFIG_MAPS}/x`, stale)
    expect(code).not.toBe(409)
    expect(body.message).toContain('replace operation does not apply: doc is missing path: /binaryData/a: missing value')
  })

  it('merges a configuration, and patches', async () => {
    await policy([
      configuration('Object{metadata: Object.metadata{labels: {"team": object.data.team}}, data: {"seen": "yes"}}'),
      operations('[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: object.data.seen}]'),
    ])
    const made = await weft.ok('POST', CONFIG_MAPS, configMap('x', { team: 'red' }))
    expect(made['data']).toEqual({ team: 'red', seen: 'yes' })
    expect(made.metadata.labels).toEqual({ team: 'red', 'a/b': 'yes' })
  })

  it('refuses when it fails, and lets pass when it may', async () => {
    await policy([configuration('Object{data: {"a": object.data.nope}}')])
    const { code, body } = await weft.call('POST', CONFIG_MAPS, configMap('x', { a: 'b' }))
    expect({ code, reason: body.reason }).toEqual({ code: 403, reason: 'Invalid' })
    expect(body.message).toBe(
      `policy 'p' with binding 'p-b' denied request: expression 'Object{data: {"a": object.data.nope}}' resulted in error: no such key: nope`,
    )
    await weft.ok(
      'PATCH',
      `${ADMISSION}/mutatingadmissionpolicies/p`,
      { spec: { failurePolicy: 'Ignore' } },
      {
        contentType: 'application/merge-patch+json',
      },
    )
    expect((await weft.ok('POST', CONFIG_MAPS, configMap('x', { a: 'b' })))['data']).toEqual({ a: 'b' })
  })

  it('is not applied to what it does not match, nor without a binding', async () => {
    await policy([configuration('Object{data: {"a": "changed"}}')], {
      matchConditions: [{ name: 'c', expression: "object.data.a == 'x'" }],
    })
    expect((await weft.ok('POST', CONFIG_MAPS, configMap('x', { a: 'b' })))['data']).toEqual({ a: 'b' })
    await weft.ok('DELETE', `${ADMISSION}/mutatingadmissionpolicybindings/p-b`)
    expect((await weft.ok('POST', CONFIG_MAPS, configMap('y', { a: 'x' })))['data']).toEqual({ a: 'x' })
  })

  it('runs again after a later one when it asks for it', async () => {
    const sees = configuration('Object{data: {"first": has(object.data.second) ? "saw it" : "did not"}}')
    await policy([sees], { reinvocationPolicy: 'IfNeeded' }, 'a')
    await policy([configuration('Object{data: {"second": "set"}}')], {}, 'b')
    expect((await weft.ok('POST', CONFIG_MAPS, configMap('x', { z: '1' })))['data']).toEqual({ z: '1', first: 'saw it', second: 'set' })
  })

  it('runs again after itself, too, when it asks for it', async () => {
    const counts = configuration('Object{data: {"count": string(size(object.data))}}')
    await policy([counts], { reinvocationPolicy: 'IfNeeded' })
    expect((await weft.ok('POST', CONFIG_MAPS, configMap('x', { z: '1' })))['data']).toEqual({ z: '1', count: '2' })
  })

  it('is applied once with each of its parameters', async () => {
    for (const [name, value] of Object.entries({ one: '1', two: '2' }))
      await weft.ok('POST', CONFIG_MAPS, { ...configMap(name, { value }), metadata: { name, labels: { param: 'yes' } } })
    const mutation = operations('[JSONPatch{op: "add", path: "/data/" + params.metadata.name, value: params.data.value}]')
    const paramRef = { selector: { matchLabels: { param: 'yes' } }, parameterNotFoundAction: 'Deny' }
    await policy([mutation], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }, 'p', { paramRef })
    expect((await weft.ok('POST', CONFIG_MAPS, configMap('x', { z: '0' })))['data']).toEqual({ z: '0', one: '1', two: '2' })
  })

  it('sees null where there are no parameters', async () => {
    const mutation = configuration('Object{data: {"p": string(has(params.data)), "null": string(params == null)}}')
    await policy([mutation], { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } })
    expect((await weft.ok('POST', CONFIG_MAPS, configMap('x')))['data']).toEqual({ p: 'false', null: 'true' })
  })
})

describe('what the author of a mutating policy can do to others', () => {
  const doubling = Array.from({ length: 40 }, (_, i) => ({
    name: `v${i + 1}`,
    expression: `[variables.v${i}, variables.v${i}]`,
  }))
  const variables = [{ name: 'v0', expression: '[dyn(1)]' }, ...doubling]

  it.each<{ reason: string; mutations: readonly object[]; more?: object; says: RegExp }>([
    {
      reason: 'a value that is small in memory and endless as JSON',
      mutations: [operations('[JSONPatch{op: "add", path: "/data", value: variables.v40}]')],
      more: { variables },
      says: /longer than 3145728 characters/,
    },
    {
      reason: 'the same in a configuration',
      mutations: [configuration('Object{metadata: Object.metadata{annotations: {"a": variables.v40}}}')],
      more: { variables },
      says: /longer than 3145728 characters/,
    },
    {
      reason: 'an object that grows with every change',
      mutations: Array.from({ length: 60 }, () => configuration('Object{data: {"a": object.data.a + object.data.a}}')),
      says: /would be longer than|longer than 3145728|cost budget|cost limit/,
    },
    {
      reason: 'many copies',
      mutations: Array.from({ length: 60 }, (_, i) => operations(`[JSONPatch{op: "copy", from: "/data", path: "/x${i}"}]`)),
      says: /unknown field/,
    },
    {
      reason: 'more work than all expressions of a policy may do together',
      mutations: Array.from({ length: 400 }, () =>
        configuration(
          `Object{data: {"b": string([1,2,3,4,5,6,7,8].map(a, [1,2,3,4,5,6,7,8].map(b, [1,2,3,4,5,6,7,8].map(c, [1,2,3,4,5,6,7,8].map(d, a*b*c*d)))).size())}}`,
        ),
      ),
      says: /running out of cost budget/,
    },
    {
      reason: 'a comparison of two things without end',
      mutations: [configuration('Object{data: {"c": string(variables.v40 == variables.w40)}}')],
      more: {
        variables: [
          ...variables,
          { name: 'w0', expression: '[dyn(1)]' },
          ...doubling.map(({ name, expression }) => ({ name: name.replace('v', 'w'), expression: expression.replaceAll('.v', '.w') })),
        ],
      },
      says: /cost limit exceeded|running out of cost budget/,
    },
  ])('$reason is refused', async ({ mutations, more = {}, says }) => {
    await policy(mutations, more)
    const { code, body } = await weft.call('POST', CONFIG_MAPS, configMap('x', { a: 'x'.repeat(1000) }))
    expect(code).toBeGreaterThanOrEqual(400)
    expect(body.message).toMatch(says)
    // Who is not matched notices nothing.
    await weft.ok('GET', '/api/v1/namespaces/default')
  })

  it('says what is wrong when a policy is written', async () => {
    const { code, body } = await weft.call('POST', `${ADMISSION}/mutatingadmissionpolicies`, policyObject([configuration('1')]))
    expect(code).toBe(422)
    expect(body.message).toContain(
      'spec.mutations[0].applyConfiguration.expression: Invalid value: "1": must evaluate to Object but got int',
    )
  })
})
