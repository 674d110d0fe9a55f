import type { KubeObject } from '@weft/api'
import { createSharedInformers, type SharedInformers } from '@weft/client'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTargetWaits, type TargetWaits } from './target-waits.ts'

// A kind that nobody else writes here.
const LEASE = { group: 'coordination.k8s.io', kind: 'Lease' }
const SECRET = { group: '', kind: 'Secret' }

describe('waiting for what a reference means (X8)', () => {
  let server: TestServer
  let informers: SharedInformers
  let waits: TargetWaits
  beforeAll(async () => {
    server = await startTestServer()
    informers = createSharedInformers({ client: server.client })
    waits = createTargetWaits(informers)
  })
  afterAll(async () => {
    await waits.close()
    await informers.stop()
    await server.close()
  })

  const create = (name: string, labels: Record<string, string> = {}): Promise<KubeObject> =>
    server.client.create<KubeObject>({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace: 'default', labels },
    })
  const synced = (): Promise<unknown> => Promise.all(informers.running().map(({ informer }) => informer.synced))

  it('wakes who waits for an object by its name, and nobody else', async () => {
    const woken: string[] = []
    waits.wait('by-name', { kinds: [LEASE], name: 'awaited' }, () => woken.push('by-name'))
    waits.wait('by-other-name', { kinds: [LEASE], name: 'never' }, () => woken.push('by-other-name'))
    await synced()
    await create('some-other')
    await create('awaited')
    await eventually(() => expect(woken).toEqual(['by-name']))
    waits.stop('by-name')
    waits.stop('by-other-name')
  })

  it('wakes who waits by selector when something appears or its labels change, not when its status does', async () => {
    const target = await create('selected-later')
    let woken = 0
    waits.wait('by-selector', { kinds: [LEASE] }, () => woken++)
    await synced()
    const before = woken
    await server.client.update({ ...target, metadata: { ...target.metadata, annotations: { note: 'x' } } })
    await create('marker-of-the-annotation')
    await eventually(() => expect(woken).toBe(before + 1))
    const current = await server.client.get(LEASE, { name: 'selected-later', namespace: 'default' })
    await server.client.update({ ...current, metadata: { ...current.metadata, labels: { tier: 'gold' } } })
    await eventually(() => expect(woken).toBe(before + 2))
    waits.stop('by-selector')
  })

  it('watches a kind while somebody waits for it and no longer', async () => {
    const watched = (): string[] => informers.running().map(({ scope }) => scope.kind.kind)
    await eventually(() => expect(watched()).toEqual([]))
    waits.wait('a', { kinds: [LEASE] }, () => undefined)
    waits.wait('b', { kinds: [LEASE, SECRET] }, () => undefined)
    expect(watched().toSorted()).toEqual(['Lease', 'Secret'])
    waits.wait('b', { kinds: [LEASE] }, () => undefined)
    await eventually(() => expect(watched()).toEqual(['Lease']))
    waits.stop('a')
    expect(watched()).toEqual(['Lease'])
    waits.stop('b')
    await eventually(() => expect(watched()).toEqual([]))
  })
})
