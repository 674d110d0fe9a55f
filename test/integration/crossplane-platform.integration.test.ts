import { findCondition, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import {
  compositeDefinition,
  eventually,
  namedFunction,
  patchingStep,
  pipelineComposition,
  READY_STEP,
  startControlPlane,
  type TestControlPlane,
  waitFor,
} from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** A platform in the manner of those that people have: a definition, a Composition of patch-and-transform and auto-ready, nop resources. */
let plane: TestControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
})
afterAll(() => plane.stop())

const GROUP = 'platform.example.org'
const NETWORK = { group: GROUP, kind: 'Network' }
const NOP = { group: 'nop.crossplane.io', kind: 'NopResource' }

const xrd = compositeDefinition({
  group: GROUP,
  kind: 'Network',
  version: 'v1alpha1',
  spec: { required: ['region'], properties: { region: { type: 'string' } } },
})
const resources = ['vpc', 'subnet'].map((name) => ({
  name,
  base: {
    apiVersion: 'nop.crossplane.io/v1alpha1',
    kind: 'NopResource',
    spec: { forProvider: { conditionAfter: [{ conditionType: 'Ready', conditionStatus: 'True', time: '0s' }] } },
  },
  patches: [{ type: 'FromCompositeFieldPath', fromFieldPath: 'spec.region', toFieldPath: 'metadata.labels[region]' }],
}))
const type = { apiVersion: `${GROUP}/v1alpha1`, kind: 'Network' }
const composition = pipelineComposition('network', type, patchingStep('resources', ...resources), READY_STEP)

const isReady = (object: KubeObject | undefined): boolean =>
  object !== undefined && findCondition(conditionsOf(object), 'Ready')?.status === 'True'

describe('a platform of Crossplane’s', () => {
  test('runs as it stands: functions need no download, composites get ready, follow edits and go', async () => {
    const { client } = plane
    for (const object of [namedFunction('function-patch-and-transform'), namedFunction('function-auto-ready'), xrd, composition])
      await client.create(object)
    await eventually(() => client.mapping(NETWORK))
    await eventually(() =>
      client.create({
        apiVersion: `${GROUP}/v1alpha1`,
        kind: 'Network',
        metadata: { name: 'main' },
        spec: { region: 'north' },
      } as KubeObject),
    )
    await waitFor(client, NETWORK, { name: 'main' }, isReady)
    const { items } = await client.list(NOP, { labels: { matchLabels: { 'crossplane.io/composite': 'main' } } })
    expect(items).toHaveLength(2)
    expect(items.map(({ metadata }) => metadata.labels?.['region'])).toEqual(['north', 'north'])
    await waitFor(client, { group: 'pkg.crossplane.io', kind: 'Function' }, { name: 'function-auto-ready' }, (object) =>
      object === undefined ? false : findCondition(conditionsOf(object), 'Healthy')?.status === 'True',
    )
    await client.patch(NETWORK, { name: 'main' }, { type: 'merge', body: { spec: { region: 'south' } } })
    const name = items[0]?.metadata.name ?? ''
    await waitFor(client, NOP, { name }, (object) => object?.metadata.labels?.['region'] === 'south')
    // What would take composites along, and all that was made for them, is confirmed by its number.
    const definition = { group: 'apiextensions.crossplane.io', kind: 'CompositeResourceDefinition' }
    const ref = { name: `networks.${GROUP}` }
    await expect(client.delete(definition, ref)).rejects.toThrow(/this would delete 1 Network .*confirm-deletion=1/)
    await expect(client.delete({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, ref)).rejects.toThrow(/1 Network/)
    await client.delete(NETWORK, { name: 'main' })
    await waitFor(client, NETWORK, { name: 'main' }, (object) => object === undefined)
    for (const { metadata } of items) await waitFor(client, NOP, { name: metadata.name ?? '' }, (object) => object === undefined)
    await client.delete(definition, ref)
    await waitFor(client, definition, ref, (object) => object === undefined)
  })
})
