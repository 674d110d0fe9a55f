import type { KubeObject } from '@weft/api'
import { type ConfigMap, configMapKind, formatScope, secretKind } from '@weft/client'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { done } from '../controller/controller.ts'
import { silentLog } from '../log/create-log.ts'
import { createManager } from '../manager/create-manager.ts'
import type { Manager } from '../manager/manager.ts'
import { createWatchSet, type WatchSet } from './watch-set.ts'

const BY_TIER = 'tier'
const indexes = { [BY_TIER]: ({ metadata }: KubeObject): readonly string[] => [metadata.labels?.['tier'] ?? ''] }
const leaseKind = { group: 'coordination.k8s.io', kind: 'Lease' }

let server: TestServer
let manager: Manager
let set: WatchSet

beforeEach(async () => {
  server = await startTestServer()
  manager = createManager({ client: server.client, log: silentLog })
  manager.start()
  set = createWatchSet(manager.informers)
})
afterEach(async () => {
  await set.close()
  await manager.stop({ drainMs: 0 })
  await server.close()
})

const create = (kind: 'ConfigMap' | 'Secret', name: string, labels: Record<string, string> = {}): Promise<KubeObject> =>
  server.client.create<KubeObject>({ apiVersion: 'v1', kind, metadata: { name, namespace: 'default', labels } })
const open = (): readonly string[] => manager.informers.running().map(({ scope }) => formatScope(scope))

describe('a set of watches', () => {
  it('has each open once while anybody uses it', async () => {
    set.use('a', [{ kind: secretKind }, { kind: leaseKind }])
    set.use('b', [{ kind: secretKind }])
    expect(open()).toEqual(['Secret', 'Lease.coordination.k8s.io'])
    const { informer } = manager.informers.running()[0] ?? {}
    set.use('a', [])
    expect(open()).toEqual(['Secret'])
    expect(manager.informers.running()[0]?.informer).toBe(informer)
    set.use('b', [])
    expect(open()).toEqual([])
  })

  it('reads what is complete, by kind and by index, and has nothing of what is not', async () => {
    await create('Secret', 'gold', { tier: 'gold' })
    expect(set.reader(secretKind)).toBeUndefined()
    set.use('a', [{ kind: secretKind, indexes }, { kind: leaseKind }])
    expect(set.filed(BY_TIER, 'gold')).toEqual([])
    await eventually(() => expect(set.filed(BY_TIER, 'gold').map(({ metadata }) => metadata.name)).toEqual(['gold']))
    expect(set.filed(BY_TIER, 'gold', leaseKind)).toEqual([])
    expect(set.reader({ group: '', kind: 'Secret' })?.get({ namespace: 'default', name: 'gold' })).toBeDefined()
    expect(set.reader({ group: '', version: 'v2', kind: 'Secret' })).toBeUndefined()
    // One that is narrowed down is not the kind.
    set.use('a', [{ kind: secretKind, labels: 'tier=none' }])
    expect(set.reader(secretKind)).toBeUndefined()
  })

  it('tells everybody of a change, also when somebody fails at it', async () => {
    const told: string[] = []
    set.subscribe(({ object }) => {
      throw new Error(`cannot cope with ${object.metadata.name ?? ''}`)
    })
    set.subscribe(({ object }) => told.push(object.metadata.name ?? ''))
    set.use('a', [{ kind: secretKind }])
    await create('Secret', 'one')
    await create('Secret', 'two')
    await eventually(() => expect(told).toEqual(['one', 'two']))
  })

  it('calls for objects of every controller that shares it, by what each makes of a change', async () => {
    const seen: string[] = []
    const start = (name: string, prefix: string): Promise<void> =>
      manager.engine.start<ConfigMap>({
        name,
        kind: configMapKind,
        predicate: () => false,
        shares: [
          {
            from: set,
            map: ({ type, object }, configMaps) =>
              type === 'added'
                ? configMaps
                    .list()
                    .filter(({ metadata }) => metadata.name === `${prefix}${object.metadata.name ?? ''}`)
                    .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name ?? '' }))
                : [],
          },
        ],
        reconcile: ({ name: called }) => {
          seen.push(`${name} ${called}`)
          return Promise.resolve(done)
        },
      })
    for (const each of ['a-one', 'b-one', 'b-two']) await create('ConfigMap', each)
    await start('first', 'a-')
    await start('second', 'b-')
    await create('Secret', 'one')
    set.use('somebody', [{ kind: secretKind }])
    await eventually(() => expect(seen.toSorted()).toEqual(['first a-one', 'second b-one']))
    await manager.engine.stop('first')
    await create('Secret', 'two')
    await eventually(() => expect(seen.slice(2)).toEqual(['second b-two']))
  })
})
