import { findCondition, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { customResourceDefinitionKind, eventKind } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definitionController } from '../definition/controller.ts'
import { startWorld, type World } from '../definition/world.fixture.ts'
import { type DefinedControllers, definedAdapter, offeredAdapter } from './definition.ts'
import { type CompositeResourceDefinition, compositeResourceDefinitionKind } from './xrd.ts'

const NO_CONTROLLERS: DefinedControllers = { start: async () => undefined, stop: async () => undefined }
const GROUP = 'garden.example.org'
const XRD = { group: 'apiextensions.crossplane.io', kind: 'CompositeResourceDefinition' }

let world: World
beforeAll(async () => {
  world = await startWorld({
    provider: false,
    start: async (services) => {
      await services.engine.start(definitionController(definedAdapter(NO_CONTROLLERS), services))
      await services.engine.start(definitionController(offeredAdapter(NO_CONTROLLERS), services))
    },
  })
})
afterAll(() => world.stop())

const version = (name = 'v1', more: object = {}): object => ({
  name,
  served: true,
  referenceable: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { rows: { type: 'integer' } } } } } },
  ...more,
})

let count = 0
/** Of a group of its own, so that no two tests define one kind. */
function bed(api: 'v1' | 'v2', spec: object = {}): CompositeResourceDefinition {
  const group = `n${++count}.${GROUP}`
  return {
    apiVersion: `apiextensions.crossplane.io/${api}`,
    kind: 'CompositeResourceDefinition',
    metadata: { name: `xbeds.${group}` },
    spec: { group, names: { kind: 'XBed', plural: 'xbeds' }, versions: [version()], ...spec },
  } as unknown as CompositeResourceDefinition
}
const CLAIMS = { kind: 'Bed', plural: 'beds' }

async function established(given: CompositeResourceDefinition): Promise<CompositeResourceDefinition> {
  const wanted = given.spec.claimNames === undefined ? ['Established'] : ['Established', 'Offered']
  await world.create(given)
  return world.until(compositeResourceDefinitionKind, given.metadata.name ?? '', (now) =>
    wanted.every((type) => findCondition(conditionsOf(now), type)?.status === 'True'),
  )
}

describe('what a definition may say', () => {
  test.each<[reason: string, given: CompositeResourceDefinition, words: RegExp]>([
    ['K3: v2 knows two scopes', bed('v2', { scope: 'LegacyCluster' }), /spec\.scope: Unsupported value: "LegacyCluster"/],
    ['K5: a plural is in lower case', bed('v2', { names: { kind: 'XBed', plural: 'xBeds' } }), /Plural name must be lowercase/],
    [
      'K5: so is the singular of a claim',
      bed('v1', { claimNames: { ...CLAIMS, singular: 'Bed' } }),
      /spec\.claimNames: Invalid value: Singular name must be lowercase/,
    ],
    ['K6: no claims in v2', bed('v2', { claimNames: CLAIMS }), /Claims aren't supported in apiextensions\.crossplane\.io\/v2/],
    ['K6: claims are of the older scope', bed('v1', { scope: 'Cluster', claimNames: CLAIMS }), /Only LegacyCluster composite resources/],
    [
      'K6: connection secrets, too',
      bed('v1', { scope: 'Namespaced', connectionSecretKeys: ['a'] }),
      /Only LegacyCluster composite resources support connection secrets/,
    ],
    ['K7: two update policies', bed('v2', { defaultCompositionUpdatePolicy: 'Never' }), /Unsupported value: "Never"/],
    ['K9: v1 converts by a webhook or not at all', bed('v1', { conversion: { strategy: 'None' } }), /spec\.conversion/],
    ['K2: names are required', bed('v2', { names: undefined }), /spec\.names: Required value/],
    ['K11: so is what a version is for', bed('v2', { versions: [{ name: 'v1', served: true }] }), /referenceable: Required value/],
  ])('%s', async (_, given, words) => {
    await expect(world.client.create(given)).rejects.toMatchObject({ code: 422, message: expect.stringMatching(words) as string })
  })

  test('K3, K7: what it does not say is filled in', async () => {
    const [v1, v2] = await world.create(bed('v1'), bed('v2'))
    expect(v1?.spec).toMatchObject({
      scope: 'LegacyCluster',
      defaultCompositionUpdatePolicy: 'Automatic',
      defaultCompositeDeletePolicy: 'Background',
    })
    expect(v2?.spec).toMatchObject({ scope: 'Namespaced', defaultCompositionUpdatePolicy: 'Automatic' })
  })

  test.each<[field: string, api: 'v1' | 'v2', before: object, after: object]>([
    ['group', 'v2', {}, { group: 'other.example.org' }],
    ['names', 'v2', {}, { names: { kind: 'XBed', plural: 'xbeds', shortNames: ['b'] } }],
    ['scope', 'v2', { scope: 'Cluster' }, { scope: 'Namespaced' }],
    ['claimNames', 'v1', { claimNames: CLAIMS }, { claimNames: { ...CLAIMS, shortNames: ['b'] } }],
    ['enforcedCompositionRef', 'v2', { enforcedCompositionRef: { name: 'a' } }, { enforcedCompositionRef: { name: 'b' } }],
  ])('K4: %s stays', async (field, api, before, after) => {
    const given = bed(api, before)
    await world.create(given)
    const change = (spec: object) =>
      world.client.patch({ ...XRD, version: api }, { name: given.metadata.name ?? '' }, { type: 'merge', body: { spec } })
    await expect(change(after)).rejects.toMatchObject({ code: 422, message: expect.stringContaining(field) as string })
  })

  test('K4: claims and an enforced Composition may be added later', async () => {
    const given = bed('v1')
    await world.create(given)
    const body = { spec: { claimNames: CLAIMS, enforcedCompositionRef: { name: 'a' } } }
    await world.client.patch({ ...XRD, version: 'v1' }, { name: given.metadata.name ?? '' }, { type: 'merge', body })
  })
})

describe('what becomes of it', () => {
  test('K1: both versions show the same object', async () => {
    const { metadata } = await established(bed('v1', { claimNames: CLAIMS }))
    const as = (api: string) => world.client.get({ ...XRD, version: api }, { name: metadata.name ?? '' })
    const [v1, v2] = [await as('v1'), await as('v2')]
    expect(v2).toMatchObject({ apiVersion: 'apiextensions.crossplane.io/v2', spec: { scope: 'LegacyCluster', claimNames: CLAIMS } })
    const withoutVersion = (given: KubeObject) => {
      const { managedFields: _, ...metadata } = given.metadata
      return { ...given, apiVersion: '', metadata }
    }
    expect(withoutVersion(v2)).toEqual(withoutVersion(v1))
  })

  test('K14, K15, K17: is established and offered, names its kinds, and is held by its finalizers', async () => {
    const offered = await established(bed('v1', { claimNames: CLAIMS }))
    const { group } = offered.spec
    expect(offered['status']).toMatchObject({
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'Established', reason: 'WatchingCompositeResource', observedGeneration: 1 }),
        expect.objectContaining({ type: 'Offered', reason: 'WatchingCompositeResourceClaim', observedGeneration: 1 }),
      ]) as unknown,
      controllers: {
        compositeResourceType: { apiVersion: `${group}/v1`, kind: 'XBed' },
        compositeResourceClaimType: { apiVersion: `${group}/v1`, kind: 'Bed' },
      },
    })
    expect([...(offered.metadata.finalizers ?? [])].sort()).toEqual([
      'defined.apiextensions.crossplane.io',
      'offered.apiextensions.crossplane.io',
    ])
    const plain = await established(bed('v2'))
    expect(plain['status']).toMatchObject({ controllers: { compositeResourceClaimType: { apiVersion: '', kind: '' } } })
    expect(plain.metadata.finalizers).toEqual(['defined.apiextensions.crossplane.io'])
  })

  test('K11, K28, K30: its kind has all versions, stores the referenceable one, and shows what composites show', async () => {
    const { metadata } = await established(
      bed('v2', {
        versions: [
          version('v1alpha1', { referenceable: false, deprecated: true, deprecationWarning: 'use v1' }),
          version('v1', { additionalPrinterColumns: [{ name: 'ROWS', type: 'integer', jsonPath: '.spec.rows' }] }),
        ],
      }),
    )
    const crd = await world.client.get(customResourceDefinitionKind, { name: metadata.name ?? '' })
    expect(crd.spec.versions.map(({ name, served, storage }) => [name, served, storage])).toEqual([
      ['v1alpha1', true, false],
      ['v1', true, true],
    ])
    const stored = crd.spec.versions[1] as unknown as {
      additionalPrinterColumns: { name: string }[]
      schema: { openAPIV3Schema: { properties: { status: { properties: object } } } }
    }
    expect(stored.additionalPrinterColumns.map(({ name }) => name)).toEqual([
      'ROWS',
      'SYNCED',
      'READY',
      'COMPOSITION',
      'COMPOSITIONREVISION',
      'AGE',
    ])
    expect(Object.keys(stored.schema.openAPIV3Schema.properties.status.properties)).toEqual(['conditions'])
  })

  test('K12, K14: a name that is not its kind’s is told by events alone', async () => {
    const given = bed('v2')
    const misnamed = { ...given, metadata: { name: `wrong.${given.spec.group}` } }
    await world.create(misnamed)
    await eventually(async () => {
      const { items } = await world.client.list(eventKind)
      const told = items.filter(({ involvedObject }) => involvedObject?.name === misnamed.metadata.name)
      expect(told.map(({ reason, message }) => `${reason} ${message}`).join('\n')).toMatch(/EstablishComposite .*metadata\.name/)
    })
    expect(conditionsOf(await world.client.get(compositeResourceDefinitionKind, misnamed.metadata))).toEqual([])
  })
})
