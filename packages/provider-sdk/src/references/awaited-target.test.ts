import { getOwn, type KubeObject } from '@weft/api'
import { type ConfigMap, configMapKind } from '@weft/client'
import { createManager, done, type Manager, silentLog } from '@weft/runtime'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilThere } from './awaited-target.ts'

// A kind that nobody else writes here.
const LEASE = { group: 'coordination.k8s.io', kind: 'Lease' }

describe('waiting for what a reference means (X8)', () => {
  let server: TestServer
  let manager: Manager
  const woken = new Map<string, number>()
  beforeAll(async () => {
    server = await startTestServer()
    manager = createManager({ client: server.client, log: silentLog })
    manager.start()
    await manager.engine.start<ConfigMap>({
      name: 'waiting',
      kind: configMapKind,
      labels: 'waits',
      reconcile({ name, namespace }, { primary, follow }) {
        woken.set(name, (woken.get(name) ?? -1) + 1)
        const waiting = primary.get({ name, namespace })
        if (waiting === undefined) return Promise.resolve(done)
        const target = getOwn(waiting.data ?? {}, 'name')
        follow(untilThere({ kinds: [LEASE], ...(typeof target === 'string' && { name: target }) }))
        return Promise.resolve(done)
      },
    })
  })
  afterAll(async () => {
    await manager.stop({ drainMs: 0 })
    await server.close()
  })

  const waiting = async (name: string, target?: string): Promise<void> => {
    await server.client.create<KubeObject>({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default', labels: { waits: 'true' } },
      ...(target !== undefined && { data: { name: target } }),
    })
    await eventually(() => expect(woken.get(name)).toBeGreaterThanOrEqual(0))
    await Promise.all(manager.informers.running().map(({ informer }) => informer.synced))
  }
  const create = (name: string, labels: Record<string, string> = {}): Promise<KubeObject> =>
    server.client.create<KubeObject>({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace: 'default', labels },
    })

  it('wakes who waits for an object by its name, and nobody else', async () => {
    await waiting('by-name', 'awaited')
    await waiting('by-other-name', 'never')
    await create('some-other')
    await create('awaited')
    await eventually(() => expect(woken.get('by-name')).toBe(1))
    expect(woken.get('by-other-name')).toBe(0)
  })

  it('wakes who waits by selector when something appears or its labels change, not when its annotations do', async () => {
    const target = await create('selected-later')
    await waiting('by-selector')
    const before = woken.get('by-selector') ?? 0
    await server.client.update({ ...target, metadata: { ...target.metadata, annotations: { note: 'x' } } })
    await create('marker-of-the-annotation')
    await eventually(() => expect(woken.get('by-selector')).toBe(before + 1))
    const current = await server.client.get(LEASE, { name: 'selected-later', namespace: 'default' })
    await server.client.update({ ...current, metadata: { ...current.metadata, labels: { tier: 'gold' } } })
    await eventually(() => expect(woken.get('by-selector')).toBe(before + 2))
  })
})
