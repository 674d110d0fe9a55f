import { rm } from 'node:fs/promises'
import { findCondition, gvkOf, type KubeObject } from '@weft/api'
import { customResourceDefinitionKind } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { eventually, startControlPlane, type TestControlPlane, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differences } from './differences.ts'
import { renderedKind } from './rendered-kind.ts'
import { pond, smallWorld, water } from './small-world.ts'
import { type Placed, placed, storeWorld } from './stored-world.ts'

describe('a small world in the manner of Crossplane’s', () => {
  let dataDir = ''
  let plane: TestControlPlane
  let objects: readonly Placed[] = []

  beforeAll(async () => {
    objects = placed(smallWorld(await renderedKind()))
    dataDir = await storeWorld(objects)
    plane = await startControlPlane({ dataDir })
  })
  afterAll(async () => {
    await plane.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const now = ({ apiVersion, kind, metadata: { name = '', namespace } }: KubeObject): Promise<KubeObject | undefined> =>
    plane.client.find(gvkOf({ apiVersion, kind }), { name, namespace })
  const kind = gvkOf(pond)

  test('is taken over: nothing is written, deleted or made anew, and fields that only Crossplane has stay', async () => {
    const { metadata: _metadata, status: _status, ...rest } = pond
    await plane.client.create({ ...rest, metadata: { name: 'carp', namespace: 'east' }, spec: { depth: '5' } } as KubeObject)
    // Its controller has seen the other by then.
    await waitFor(plane.client, kind, { name: 'carp', namespace: 'east' }, (twin) => isReady(twin))
    for (const { key, object } of objects) {
      if (object.kind === 'CustomResourceDefinition' && /crossplane\.io$/.test(object.metadata.name ?? '')) continue
      const live = await now(object)
      expect(live === undefined ? 'gone' : differences(object, live), key).toEqual([])
    }
  })

  test('kinds of theirs are widened, and stay theirs', async () => {
    const compositions = await plane.client.get(customResourceDefinitionKind, { name: 'compositions.apiextensions.crossplane.io' })
    expect(compositions.spec.versions.map(({ name, storage }) => [name, storage])).toEqual([
      ['v1', true],
      ['v1alpha1', false],
    ])
    expect(compositions.metadata.labels).toBeUndefined()
    expect(JSON.stringify(compositions.spec)).toContain('ofTheirs')
  })

  test('edits go through, deletes delete', async () => {
    const ref = { name: 'koi', namespace: 'east' }
    await plane.client.patch(kind, ref, { type: 'merge', body: { spec: { depth: '7' } } })
    await eventually(async () => expect((await now(water))?.['data']).toEqual({ depth: '7' }))
    expect((await now(water))?.metadata.uid).toBe(water.metadata.uid)
    await plane.client.delete(kind, ref)
    await waitFor(plane.client, kind, ref, (live) => live === undefined)
    await eventually(async () => expect(await now(water)).toBeUndefined())
  })

  test('a package that Crossplane installed goes when it is deleted', async () => {
    const provider = { group: 'pkg.crossplane.io', kind: 'Provider' }
    const revision = { group: 'pkg.crossplane.io', kind: 'ProviderRevision' }
    await plane.client.delete(provider, { name: 'provider-fish' })
    await waitFor(plane.client, revision, { name: 'provider-fish-0123456789ab' }, (live) => live === undefined)
  })
})

const isReady = (object: KubeObject | undefined): boolean =>
  object !== undefined && findCondition(conditionsOf(object), 'Ready')?.status === 'True'
