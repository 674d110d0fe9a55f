import type { KubeObject } from '@weft/api'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { externalNamePolicy } from './external-name-policy.ts'

const THING = { group: 'fake.weft.dev', kind: 'Thing' }
const definition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.fake.weft.dev' },
  spec: {
    group: THING.group,
    names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
    scope: 'Cluster',
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
const NAME = 'crossplane.io/external-name'
const RECORD = 'weft.dev/external-resource'

describe('the policy about external names on a real server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
    for (const object of [definition, ...externalNamePolicy('weft-here', 'weft')]) await server.client.create(object)
  })
  afterAll(() => server.close())

  /** A resource that says so of itself. */
  const made = async (name: string, external: string, state: string): Promise<KubeObject> => {
    const thing = { apiVersion: 'fake.weft.dev/v1', kind: 'Thing', metadata: { name, annotations: { [NAME]: external } } }
    const created = await eventually(() => server.client.create<KubeObject>(thing))
    const record = JSON.stringify({ uid: created.metadata.uid, state, config: 'default', name: external })
    return server.client.update(annotated(created, { [RECORD]: record }))
  }
  const annotated = (object: KubeObject, annotations: Record<string, string>): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
  })
  const only = (object: KubeObject, annotations: Record<string, string>): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, annotations },
  })

  it('keeps the name of what is managed, and the record of it', async () => {
    const held = await made('held', 'outside', 'held')
    // A policy takes a moment to be in force.
    await eventually(() =>
      expect(server.client.update(annotated(held, { [NAME]: 'stolen' }), { dryRun: true })).rejects.toThrow(
        /manages the external resource "outside"/,
      ),
    )
    await expect(server.client.update(annotated(held, { 'crossplane.io/external-name-suffix': '-b' }))).rejects.toThrow(
      /cannot switch to "outside-b"/,
    )
    await expect(server.client.update(only(held, { [NAME]: 'outside' }))).rejects.toThrow(/kept by its provider/)
    await server.client.update(annotated(held, { other: 'annotation' }))
  })

  it('lets Weft alone write down the new name of what it made anew, when it has made it', async () => {
    const times = { pending: '2026-01-01T00:02:00.000Z', succeeded: '2026-01-01T00:03:00.000Z' }
    const under = async (name: string, annotations: Record<string, string>): Promise<KubeObject> =>
      server.client.update(annotated(await made(name, 'outside', 'held'), annotations))
    const renamed = (object: KubeObject): KubeObject =>
      annotated(object, {
        [NAME]: 'anew',
        [RECORD]: JSON.stringify({ uid: object.metadata.uid, state: 'held', config: 'default', name: 'anew' }),
        'crossplane.io/external-create-succeeded': times.succeeded,
      })
    const weft = server.clientAs({ username: 'system:serviceaccount:weft-here:weft', groups: ['system:masters', 'system:authenticated'] })
    const pending = await under('pending', { 'crossplane.io/external-create-pending': times.pending })
    await eventually(() => expect(server.client.update(renamed(pending), { dryRun: true })).rejects.toThrow(/cannot switch to "anew"/))
    await weft.update(renamed(pending))
    const settled = await under('settled', {})
    await expect(weft.update(renamed(settled))).rejects.toThrow(/cannot switch to "anew"/)
  })

  it('judges every object, whatever it lacks, and holds up none that is not its business', async () => {
    const bare = { apiVersion: 'fake.weft.dev/v1', kind: 'Thing', metadata: { name: 'bare' } }
    const annotations = [undefined, {}, { [RECORD]: '' }, { [RECORD]: 'no record' }, { [NAME]: '' }, undefined]
    let current = await eventually(() => server.client.create<KubeObject>(bare))
    for (const each of annotations) {
      const { annotations: _, ...metadata } = current.metadata
      current = await server.client.update({ ...current, metadata: { ...metadata, ...(each && { annotations: each }) } })
    }
    await server.client.update({ apiVersion: 'fake.weft.dev/v1', kind: 'Thing', metadata: { ...current.metadata }, spec: 'anything' })
  })

  it('lets be what owns nothing, or is named after itself', async () => {
    const reserved = await made('reserved', 'outside', 'reserved')
    await server.client.update(annotated(reserved, { [NAME]: 'elsewhere' }))
    const own = await made('own', 'own', 'held')
    await server.client.update(only(own, {}))
  })
})
