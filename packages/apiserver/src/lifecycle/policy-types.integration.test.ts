import type { KubeObject } from '@weft/api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../admission/admission.fixture.ts'

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
let weft: TestServer

beforeAll(async () => {
  weft = await startServer()
})
afterAll(() => weft.close())

interface Status {
  readonly observedGeneration: number
  readonly typeChecking: { readonly expressionWarnings?: readonly { readonly fieldRef: string; readonly warning: string }[] }
}

const policy = (name: string, spec: object): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'secrets'] }],
    },
    ...spec,
  },
})

async function checked(name: string, generation: number): Promise<Status> {
  for (;;) {
    const { status } = (await weft.ok('GET', `${POLICIES}/${name}`)) as KubeObject & { readonly status?: Status }
    if ((status?.observedGeneration ?? 0) >= generation) return status as Status
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

it('warns of expressions that do not fit the kinds that a policy names', async () => {
  await weft.ok(
    'POST',
    POLICIES,
    policy('confused', {
      validations: [
        { expression: "object.metadata.name.startsWith('a')" },
        { expression: 'object.metadata.name > 1', messageExpression: 'string(object.metadata.nope)' },
        { expression: 'has(object.immutable) && object.immutable' },
        { expression: 'variables.v == 1' },
      ],
      variables: [{ name: 'v', expression: 'object.metadata.name' }],
    }),
  )
  const { typeChecking } = await checked('confused', 1)
  expect(typeChecking.expressionWarnings?.map(({ fieldRef }) => fieldRef)).toEqual([
    'spec.validations[1].expression',
    'spec.validations[1].messageExpression',
    'spec.validations[3].expression',
  ])
  expect(typeChecking.expressionWarnings?.[0]?.warning).toBe(
    [
      "/v1, Kind=ConfigMap: ERROR: <input>:1:22: found no matching overload for '_>_' applied to '(string, int)'",
      ' | object.metadata.name > 1',
      ' | .....................^',
      '',
      "/v1, Kind=Secret: ERROR: <input>:1:22: found no matching overload for '_>_' applied to '(string, int)'",
      ' | object.metadata.name > 1',
      ' | .....................^',
      '',
    ].join('\n'),
  )
})

it('checks again what was changed, and says nothing where all is well', async () => {
  await weft.ok('POST', POLICIES, policy('good', { validations: [{ expression: 'object.nope == 1' }] }))
  expect((await checked('good', 1)).typeChecking.expressionWarnings).toHaveLength(1)
  await weft.ok(
    'PATCH',
    `${POLICIES}/good`,
    { spec: { validations: [{ expression: 'has(object.data)' }] } },
    {
      contentType: 'application/merge-patch+json',
    },
  )
  expect(await checked('good', 2)).toEqual({ observedGeneration: 2 })
})

it('applies what it says: who else writes to the status keeps what is theirs', async () => {
  await weft.ok('POST', POLICIES, policy('shared', { validations: [{ expression: 'true' }] }))
  await checked('shared', 1)
  const { metadata } = (await weft.ok('GET', `${POLICIES}/shared`)) as KubeObject
  expect(metadata.managedFields).toContainEqual(
    expect.objectContaining({
      manager: 'validatingadmissionpolicy-status',
      operation: 'Apply',
      subresource: 'status',
      fieldsV1: { 'f:status': { 'f:observedGeneration': {}, 'f:typeChecking': {} } },
    }),
  )
})

it('checks parameters, and nothing where a rule is about everything', async () => {
  await weft.ok(
    'POST',
    POLICIES,
    policy('params', { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{ expression: 'params.nope == 1' }] }),
  )
  expect((await checked('params', 1)).typeChecking.expressionWarnings?.[0]?.warning).toContain("undefined field 'nope'")
  const matchConstraints = { resourceRules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] }
  await weft.ok('POST', POLICIES, policy('all', { matchConstraints, validations: [{ expression: 'object.nope == 1' }] }))
  expect((await checked('all', 1)).typeChecking).toEqual({})
})

it('does not let a status outgrow its policy by far', async () => {
  const validations = Array.from({ length: 400 }, () => ({ expression: `object.nope == '${'x'.repeat(1000)}'` }))
  await weft.ok('POST', POLICIES, policy('long', { validations }))
  const { typeChecking } = await checked('long', 1)
  expect(JSON.stringify(typeChecking).length).toBeLessThan(300_000)
  expect(typeChecking.expressionWarnings?.length).toBeGreaterThan(10)
})
