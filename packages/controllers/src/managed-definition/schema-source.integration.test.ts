import { conditionOf } from '@weft/composition'
import type { KubeObject } from '@weft/api'
import { customResourceDefinitionKind } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type ManagedResourceDefinition, managedResourceDefinitionKind } from '../definition/kinds.ts'
import { isFalse, isTrue, startWorld, type World } from '../definition/world.fixture.ts'
import { ACTIVATION_ANNOTATION, BY_NAME, SCHEMA_ANNOTATION, type SchemaSource } from './schema-source.ts'
import { startManagedDefinitionControllers } from './start.ts'

const NAME = 'vpcs.aws.example.org'
const stub: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceDefinition',
  metadata: { name: NAME, annotations: { [ACTIVATION_ANNOTATION]: BY_NAME, 'example.org/schema': 'a' } },
  spec: { group: 'aws.example.org', names: { kind: 'Vpc', plural: 'vpcs' }, scope: 'Cluster' },
}
const policy = (name: string, ...activate: string[]): KubeObject => ({
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceActivationPolicy',
  metadata: { name },
  spec: { activate },
})

describe('definitions without a schema', () => {
  let world: World
  let expanded: string[]
  let failure: Error | undefined
  const schemas: SchemaSource = {
    schemaOf: ({ metadata }) => metadata.annotations?.['example.org/schema'],
    expand: async ({ metadata }) => {
      if (failure !== undefined) throw failure
      const name = metadata.annotations?.['example.org/schema'] ?? ''
      expanded.push(name)
      const openAPIV3Schema = { type: 'object', description: `schema ${name}` }
      return {
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
        connectionDetails: [{ name: 'password' }],
      }
    },
  }
  const begin = async (...activations: string[]): Promise<void> => {
    expanded = []
    failure = undefined
    world = await startWorld({ start: (services) => startManagedDefinitionControllers(services, { activations, schemas }) })
    await world.create(stub)
  }
  const get = (): Promise<ManagedResourceDefinition> => world.client.get(managedResourceDefinitionKind, { name: NAME })
  const description = async (): Promise<string | undefined> => {
    const crd = await world.client.find(customResourceDefinitionKind, { name: NAME })
    return (crd?.spec.versions[0] as { schema?: { openAPIV3Schema?: { description?: string } } } | undefined)?.schema?.openAPIV3Schema
      ?.description
  }
  afterEach(() => world.stop())

  it('T161, T162: are not activated by a policy for everything, only by one that names them or their group', async () => {
    await begin('*')
    await world.until(managedResourceDefinitionKind, NAME, isFalse('Established'))
    expect((await get()).spec.state).toBe('Inactive')
    expect(expanded).toEqual([])
    await world.create(policy('aws', '*.aws.example.org'))
    const active = await world.until(managedResourceDefinitionKind, NAME, isTrue('Established'))
    expect(active.spec.connectionDetails).toEqual([{ name: 'password' }])
    expect(active.metadata.annotations?.[SCHEMA_ANNOTATION]).toBe('a')
    expect(await description()).toBe('schema a')
    expect(expanded).toEqual(['a'])
  })

  it('get another schema when they should have another one, and are asked for it once', async () => {
    await begin(NAME)
    await world.until(managedResourceDefinitionKind, NAME, isTrue('Established'))
    await world.client.patch(
      managedResourceDefinitionKind,
      { name: NAME },
      { type: 'merge', body: { metadata: { annotations: { 'example.org/schema': 'b' } } } },
    )
    await eventually(async () => expect(await description()).toBe('schema b'))
    expect(expanded).toEqual(['a', 'b'])
  })

  it('say why, when their schema cannot be had, and keep the one that they have', async () => {
    await begin()
    failure = new Error('the provider is not here')
    await world.create(policy('aws', NAME))
    await eventually(async () =>
      expect(conditionOf(await get(), 'Established')?.message).toBe('its schema is not available: the provider is not here'),
    )
    failure = undefined
    await world.client.patch(
      managedResourceDefinitionKind,
      { name: NAME },
      { type: 'merge', body: { metadata: { labels: { again: 'now' } } } },
    )
    await world.until(managedResourceDefinitionKind, NAME, isTrue('Established'))
    failure = new Error('gone')
    await world.client.patch(
      managedResourceDefinitionKind,
      { name: NAME },
      { type: 'merge', body: { metadata: { annotations: { 'example.org/schema': 'b' } } } },
    )
    await eventually(async () => expect(conditionOf(await get(), 'Established')?.status).toBe('True'))
    expect(await description()).toBe('schema a')
  })
})
