import { readFileSync } from 'node:fs'
import { findCondition, type KubeObject } from '@weft/api'
import { customResourceDefinitionKind, type Kind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { activationPolicyKind, managedResourceDefinitionKind } from '@weft/controllers'
import { nopProvider } from '@weft/provider-nop'
import { startProvider } from '@weft/provider-sdk'
import { afterEach, describe, expect, test } from 'vitest'
import { type DefinitionWorld, quotedExample, startDefinitionWorld } from './definition-world.ts'
import { EXAMPLES, example, exampleNames, examplesOf, hasDocuments } from './seed-examples.ts'

const isEstablished = (object: KubeObject): boolean => findCondition(conditionsOf(object), 'Established')?.status === 'True'
const inactive = (plural: string, group: string): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    names: { kind: `Kind${plural}`, plural },
    scope: 'Cluster',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: null } }],
  },
})

describe('examples of document 004', () => {
  let world: DefinitionWorld
  afterEach(() => world?.stop())

  test.runIf(hasDocuments())('they are what the document says', () => {
    const wanted = examplesOf('004')
    expect(exampleNames('004')).toEqual([...wanted.keys()].toSorted())
    for (const [name, text] of wanted) expect(readFileSync(`${EXAMPLES}${name}`, 'utf8'), name).toBe(text)
  })

  test('004:43-67, M2, M3, M4, M13, B22: the MRD makes its CRD, its connection details can be read, and it cannot be made Inactive', async () => {
    world = await startDefinitionWorld([])
    await world.apply(...example('004/043-067'))
    const name = 'nopresources.nop.crossplane.io'
    const definition = await world.until(managedResourceDefinitionKind, name, undefined, isEstablished)
    expect((definition['spec'] as { connectionDetails: unknown }).connectionDetails).toEqual([
      { name: 'password', description: 'Definitely real password for this resource that does nothing' },
    ])
    const crd = await world.client.get(customResourceDefinitionKind, { name })
    expect(crd.spec).toMatchObject({ scope: 'Cluster', names: { kind: 'NopResource', categories: ['nop'] } })
    await expect(
      world.client.patch(managedResourceDefinitionKind, { name }, { type: 'merge', body: { spec: { state: 'Inactive' } } }),
    ).rejects.toMatchObject({ code: 422 })
    const nop: Kind = { group: 'nop.crossplane.io', kind: 'NopResource' }
    await world.apply({
      apiVersion: 'nop.crossplane.io/v1alpha1',
      kind: 'NopResource',
      metadata: { name: 'a' },
      spec: { anything: 'goes' },
    })
    expect((await world.get(nop, 'a'))['spec']).toEqual({ anything: 'goes' })
  })

  test('004:86-93, M6, M7, M8, B21: the MRAP activates what it names, others not, later ones too, and deleting it changes nothing', async () => {
    world = await startDefinitionWorld([])
    const rds = 'rds.m.aws.crossplane.io'
    const ec2 = 'ec2.m.aws.crossplane.io'
    await world.apply(inactive('instances', rds), inactive('clusters', rds), inactive('vpcs', ec2), quotedExample('004/086-093'))
    for (const name of [`instances.${rds}`, `vpcs.${ec2}`]) await world.until(managedResourceDefinitionKind, name, undefined, isEstablished)
    await world.apply(inactive('subnets', ec2))
    await world.until(managedResourceDefinitionKind, `subnets.${ec2}`, undefined, isEstablished)
    await world.until(
      activationPolicyKind,
      'aws',
      undefined,
      ({ status }) => (status as { activatedCount?: number } | undefined)?.activatedCount === 3,
    )
    await world.client.delete(activationPolicyKind, { name: 'aws' })
    const state = async (name: string): Promise<unknown> => (await world.client.get(managedResourceDefinitionKind, { name })).spec.state
    expect(await state(`clusters.${rds}`)).toBe('Inactive')
    expect(await state(`vpcs.${ec2}`)).toBe('Active')
  })

  test('004:43-67, 004:123, M12: a provider starts although its kind is not served, and works once it is', async () => {
    world = await startDefinitionWorld([])
    const provider = await startProvider(nopProvider, { manager: world.manager, dataDir: '/nonexistent' })
    await world.apply(...example('004/043-067'))
    await world.until(managedResourceDefinitionKind, 'nopresources.nop.crossplane.io', undefined, isEstablished)
    await world.apply({
      apiVersion: 'nop.crossplane.io/v1alpha1',
      kind: 'NopResource',
      metadata: { name: 'a' },
      spec: { forProvider: { conditionAfter: [{ time: '0s', conditionType: 'Ready', conditionStatus: 'True' }] } },
    })
    await world.ready({ group: 'nop.crossplane.io', kind: 'NopResource' }, 'a')
    await provider.stop()
  })

  test('004:148-154, M11: the capability of a provider is package metadata, no object of the API', async () => {
    world = await startDefinitionWorld([])
    const [meta] = example('004/148-154')
    expect(meta?.['spec']).toEqual({ capabilities: ['late-mr-activation'] })
    await expect(world.apply(meta as KubeObject)).rejects.toThrow('no matches for kind "Provider"')
  })

  test('004:199-202, 216-226, M15: the alternatives that were turned down are read, and nothing is done with them', () => {
    expect(example('004/199-202')[0]?.metadata.annotations).toHaveProperty('connection.crossplane.io/username')
    expect(example('004/216-226')[0]).toMatchObject({ kind: 'Provider', spec: { enabledAPIs: expect.any(Array) as unknown } })
  })
})
