import { type KubeObject, SYSTEM_NAMESPACE } from '@weft/api'
import { configMapKind, customResourceDefinitionKind } from '@weft/client'
import { CLAIM_KINDS_NAME } from '@weft/controllers'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const GROUP = 'plain.example.org'
const PLAIN = { group: GROUP, kind: 'Plain' }
const CLASS = { group: 'infrastructure.crossplane.io', kind: 'ResourceClass' }

let plane: TestControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
})
afterAll(() => plane.stop())

const definition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `plains.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { kind: 'Plain', plural: 'plains' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

test('F2: the kind of a plain claim is written down, by the account of the controllers, before its claims are held', async () => {
  const { client } = plane
  const record = () => client.find(configMapKind, { namespace: SYSTEM_NAMESPACE, name: CLAIM_KINDS_NAME })
  expect(await record(), 'nothing needs to be written down yet').toBeUndefined()
  await client.create(definition)
  await eventually(async () => {
    const { status } = await client.get(customResourceDefinitionKind, { name: `plains.${GROUP}` })
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }))
  })
  await client.create({
    apiVersion: 'infrastructure.crossplane.io/v1alpha1',
    kind: 'ResourceClass',
    metadata: { name: 'only' },
    spec: {
      claim: { apiVersion: `${GROUP}/v1`, kind: 'Plain' },
      resource: { base: { apiVersion: 'nop.crossplane.io/v1alpha1', kind: 'NopResource', spec: { forProvider: {} } } },
    },
  })
  await client.create({
    apiVersion: `${GROUP}/v1`,
    kind: 'Plain',
    metadata: { namespace: 'default', name: 'last' },
    spec: { classRef: { apiVersion: 'infrastructure.crossplane.io/v1alpha1', kind: 'ResourceClass', name: 'only' } },
  })
  const address = { namespace: 'default', name: 'last' }
  await eventually(async () => expect((await client.get(PLAIN, address)).metadata.finalizers).toHaveLength(1), { timeoutMs: 30_000 })
  expect((await record())?.data).toEqual({ [`plains.${GROUP}`]: 'Plain' })
  await client.delete(CLASS, { name: 'only' })
  await client.delete(PLAIN, address)
  await eventually(async () => expect(await client.find(PLAIN, address)).toBeUndefined(), { timeoutMs: 30_000 })
}, 120_000)
