import { type KubeObject, specOf } from '@weft/api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../admission/admission.fixture.ts'

const GROUP = '/apis/flowcontrol.apiserver.k8s.io/v1'
let weft: TestServer

beforeAll(async () => {
  weft = await startServer()
})
afterAll(() => weft.close())

interface FlowSchema extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

/** The schema, once it says whether its level exists. */
async function told(name: string, status: string): Promise<FlowSchema> {
  for (;;) {
    const schema = (await weft.ok('GET', `${GROUP}/flowschemas/${name}`)) as FlowSchema
    if (schema.status?.conditions?.some((condition) => condition.type === 'Dangling' && condition.status === status)) return schema
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

it('applies whether the level of a schema exists, and leaves the conditions of others alone', async () => {
  await weft.ok('POST', `${GROUP}/flowschemas`, {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name: 'own' },
    spec: { priorityLevelConfiguration: { name: 'own-level' } },
  })
  expect((await told('own', 'True')).metadata.managedFields).toContainEqual(
    expect.objectContaining({
      manager: 'api-priority-and-fairness-config-consumer-v1',
      operation: 'Apply',
      subresource: 'status',
      fieldsV1: {
        'f:status': {
          'f:conditions': {
            'k:{"type":"Dangling"}': {
              '.': {},
              'f:lastTransitionTime': {},
              'f:message': {},
              'f:reason': {},
              'f:status': {},
              'f:type': {},
            },
          },
        },
      },
    }),
  )
  await weft.ok(
    'PATCH',
    `${GROUP}/flowschemas/own/status`,
    { status: { conditions: [{ type: 'Mine', status: 'True' }] } },
    { contentType: 'application/strategic-merge-patch+json' },
  )
  await weft.ok('POST', `${GROUP}/prioritylevelconfigurations`, {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name: 'own-level' },
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
  })
  expect((await told('own', 'False')).status?.conditions?.map(({ type }) => type).sort()).toEqual(['Dangling', 'Mine'])
})

it('puts back what every server has, unless whoever changed it says that it is to stay', async () => {
  const patch = (name: string, precedence: number, autoUpdate: string): Promise<unknown> =>
    weft.ok(
      'PATCH',
      `${GROUP}/flowschemas/${name}`,
      {
        metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': autoUpdate } },
        spec: { matchingPrecedence: precedence },
      },
      { contentType: 'application/merge-patch+json' },
    )
  const precedenceOf = async (name: string): Promise<unknown> =>
    specOf(await weft.ok('GET', `${GROUP}/flowschemas/${name}`))['matchingPrecedence']
  const before = await precedenceOf('service-accounts')
  await patch('kube-scheduler', 777, 'false')
  // Looked at after the other one.
  await patch('service-accounts', 778, 'true')
  while ((await precedenceOf('service-accounts')) !== before) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await precedenceOf('kube-scheduler')).toBe(777)
})
