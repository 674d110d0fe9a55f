import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findCondition, gvkOf, type KubeObject } from '@weft/api'
import { parseKubeconfig } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { type OnKubernetes, startOnKubernetes } from '@weft/controlplane'
import { createLog } from '@weft/runtime'
import { eventually, recording, startTestServer, type TestServer, waitFor } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { differences } from '../switch/differences.ts'
import { loadWorld } from '../switch/load-world.ts'
import { renderedKind } from '../switch/rendered-kind.ts'
import { pond, smallWorld } from '../switch/small-world.ts'
import { placed } from '../switch/stored-world.ts'

const log = createLog({ level: 'error', sink: () => undefined })
const isReady = (object: KubeObject | undefined): boolean =>
  object !== undefined && findCondition(conditionsOf(object), 'Ready')?.status === 'True'

/** The same as on the embedded server, on a real one: whatever Crossplane made is taken over without a write. */
describe('a world that Crossplane made, on Kubernetes', () => {
  let server: TestServer
  let dataDir: string
  let weft: OnKubernetes | undefined

  beforeEach(async () => {
    server = await startTestServer()
    dataDir = await mkdtemp(join(tmpdir(), 'weft-switch-'))
  })
  afterEach(async () => {
    await weft?.stop()
    weft = undefined
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const start = async (): Promise<void> => {
    const connection = await parseKubeconfig((await server.listen()).kubeconfig)
    weft = await startOnKubernetes({ connection, namespace: 'crossplane-system', log, dataDir, providers: [], leaderElection: false })
  }
  const now = ({ apiVersion, kind, metadata: { name = '', namespace } }: KubeObject): Promise<KubeObject | undefined> =>
    server.client.find(gvkOf({ apiVersion, kind }), { name, namespace })
  const mustBeUnchanged = async (loaded: readonly KubeObject[]): Promise<void> => {
    for (const object of loaded) {
      const live = await now(object)
      const found = live === undefined ? 'gone' : differences(object, live)
      expect(found, `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`).toEqual([])
    }
  }

  test('a small one: nothing is written, edits go through, deletes delete', async () => {
    const loaded = await loadWorld(server.client, smallWorld(await renderedKind()))
    await start()
    const { metadata: _metadata, status: _status, ...rest } = pond
    await server.client.create({ ...rest, metadata: { name: 'carp', namespace: 'east' }, spec: { depth: '5' } } as KubeObject)
    await waitFor(server.client, gvkOf(pond), { name: 'carp', namespace: 'east' }, isReady)
    await mustBeUnchanged(loaded.filter(isKept))
    const ref = { name: 'koi', namespace: 'east' }
    const water = loaded.find(({ kind }) => kind === 'ConfigMap')
    if (water === undefined) throw new Error('it has no member')
    await server.client.patch(gvkOf(pond), ref, { type: 'merge', body: { spec: { depth: '7' } } })
    await eventually(async () => expect((await now(water))?.['data']).toEqual({ depth: '7' }))
    expect((await now(water))?.metadata.uid).toBe(water.metadata.uid)
    await server.client.delete(gvkOf(pond), ref)
    await waitFor(server.client, gvkOf(pond), ref, (live) => live === undefined)
  })

  const path = recording('world.json')
  test.skipIf(path === undefined)('the recorded one: nothing that Crossplane settled is written', async () => {
    const { items } = JSON.parse(readFileSync(path ?? '', 'utf8')) as { items: readonly KubeObject[] }
    // Its admission is answered by nobody; what a server has by itself it has already.
    const world = placed(items)
      .map(({ object }) => object)
      .filter(({ kind, metadata }) => kind !== 'ValidatingWebhookConfiguration' && !isServersOwn(metadata))
    const loaded = await loadWorld(server.client, world)
    await start()
    const composites = loaded.filter((object) => object.apiVersion.startsWith('world.example.org/') && conditionsOf(object).length > 0)
    expect(composites.length).toBeGreaterThan(40)
    // Conditions tell of generations, which began anew: once they do, every composite has been looked at.
    await eventually(
      async () => {
        for (const before of composites)
          for (const { type, observedGeneration } of conditionsOf((await now(before)) ?? before))
            if (
              observedGeneration !== undefined &&
              type === 'Synced' &&
              before.metadata.annotations?.['crossplane.io/paused'] === undefined
            )
              expect(observedGeneration, `${before.kind} ${before.metadata.name ?? ''}`).toBe((await now(before))?.metadata.generation)
      },
      { timeoutMs: 240_000, intervalMs: 1_000 },
    )
    for (const before of loaded.filter(isKept)) {
      const live = await now(before)
      if (live === undefined) throw new Error(`${before.kind} ${before.metadata.name ?? ''} is gone`)
      const found = differences(before, live).filter(
        ({ path: at }) => !/observedGeneration$|lastTransitionTime$|^metadata\.managedFields/.test(at),
      )
      expect(found, `${before.kind} ${before.metadata.name ?? ''}`).toEqual([])
    }
  })
})

const isServersOwn = ({ name = '', namespace = '' }: KubeObject['metadata']): boolean =>
  name === 'kube-root-ca.crt' || /^kube-/.test(name) || /^kube-/.test(namespace) || name === 'default' || name === 'kubernetes'

/** Kinds that both have are widened, and those that definitions made get their descriptions back, which the recording lacks. */
const isKept = ({ kind }: KubeObject): boolean =>
  !['CustomResourceDefinition', 'Lock', 'ManagedResourceActivationPolicy', 'Namespace'].includes(kind)
