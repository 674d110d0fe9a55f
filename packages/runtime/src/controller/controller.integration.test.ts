import { type KubeObject, withMeta } from '@weft/api'
import { type ConfigMap, configMapKind, createClient, secretKind } from '@weft/client'
import {
  eventually,
  faultyTransport,
  type FaultyTransport,
  frozenTransport,
  seededRandom,
  startTestServer,
  type TestServer,
} from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../log/create-log.ts'
import type { LogRecord } from '../log/log.ts'
import { createManager } from '../manager/create-manager.ts'
import type { Manager } from '../manager/manager.ts'
import { type ControllerSpec, done, requeueAfter, TerminalError, underWay, watch } from './controller.ts'
import { toIndexed, toLabelled, toOwner } from './mappers.ts'
import { generationChanged, labelsChanged } from './predicates.ts'

let server: TestServer
let transport: FaultyTransport
let manager: Manager
let records: LogRecord[]

const configMap = (name: string, data: Record<string, string> = {}, metadata: object = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...metadata },
  data,
})
const secret = (name: string, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default', ...metadata },
})
const spec = (
  reconcile: ControllerSpec<ConfigMap>['reconcile'],
  more: Partial<ControllerSpec<ConfigMap>> = {},
): ControllerSpec<ConfigMap> => ({
  name: 'test',
  kind: configMapKind,
  labels: 'managed',
  backoff: { baseMs: 1, maxMs: 20 },
  reconcile,
  ...more,
})
const managed = { labels: { managed: 'true' } }

beforeEach(async () => {
  server = await startTestServer()
  transport = faultyTransport(frozenTransport(server.transport), { random: seededRandom(7) })
  records = []
  manager = createManager({
    client: createClient({ transport, fieldManager: 'test' }),
    log: createLog({ sink: (record) => records.push(record), level: 'debug' }),
  })
  manager.start()
})

afterEach(async () => {
  await manager.stop({ drainMs: 0 })
  await server.close()
  expect(server.errors).toEqual([])
})

describe('controller', () => {
  it('reconciles every object once per change, and only those it watches', async () => {
    const seen: string[] = []
    await server.client.create(configMap('before', {}, managed))
    await manager.engine.start(
      spec(async ({ namespace, name }) => {
        seen.push(`${namespace}/${name}`)
        return done
      }),
    )
    await eventually(() => expect(seen).toEqual(['default/before']))
    await server.client.create(configMap('after', {}, managed))
    await server.client.create(configMap('other'))
    await server.client.delete(configMapKind, { namespace: 'default', name: 'before' })
    await eventually(() => expect(seen).toEqual(['default/before', 'default/after', 'default/before']))
  })

  it('never works on one object twice at a time, and sees the last state in the end', async () => {
    let active = 0
    let overlapped = false
    let last = ''
    await manager.engine.start(
      spec(async ({ namespace, name }, { client }) => {
        overlapped ||= ++active > 1
        last = (await client.get(configMapKind, { namespace, name })).data?.['v'] ?? ''
        await new Promise((resolve) => setImmediate(resolve))
        active--
        return done
      }),
    )
    let object = await server.client.create(configMap('a', { v: '0' }, managed))
    for (let v = 1; v <= 20; v++) object = await server.client.update({ ...object, data: { v: String(v) } })
    await eventually(() => expect(last).toBe('20'))
    expect(overlapped).toBe(false)
  })

  it('backs off and tries again after an error, not after a terminal one', async () => {
    const tries: Record<string, number> = {}
    await server.client.create(configMap('flaky', {}, managed))
    await server.client.create(configMap('hopeless', {}, managed))
    await manager.engine.start(
      spec(async ({ name }) => {
        tries[name] = (tries[name] ?? 0) + 1
        if (name === 'hopeless') throw new TerminalError('the spec makes no sense')
        if ((tries[name] ?? 0) < 4) throw new Error('not yet')
        return done
      }),
    )
    await eventually(() => expect(tries['flaky']).toBe(4))
    expect(tries['hopeless']).toBe(1)
    await server.client.patch(configMapKind, { namespace: 'default', name: 'hopeless' }, { type: 'merge', body: { data: { v: '1' } } })
    await eventually(() => expect(tries['hopeless']).toBe(2))
    const text = manager.metrics.render()
    expect(text).toContain('weft_reconcile_total{controller="test",result="error"} 3')
    expect(text).toContain('weft_reconcile_total{controller="test",result="terminal"} 2')
    expect(text).toContain('weft_queue_depth{controller="test"} 0')
  })

  it('keeps count of failures while somebody else is at it, so that it waits longer each time', async () => {
    await server.client.create(configMap('fetched', {}, managed))
    let calls = 0
    await manager.engine.start(
      spec(async (request) => {
        // As what is fetched elsewhere: under way first, and called back when it failed.
        if (calls++ % 2 === 1) throw new Error('there is no such host')
        setImmediate(() => manager.engine.get('test')?.enqueue(request))
        return underWay
      }),
    )
    const failures = (): unknown[] => records.flatMap(({ fields }) => (fields['failures'] === undefined ? [] : [fields['failures']]))
    await eventually(() => expect(failures().slice(0, 4)).toEqual([1, 2, 3, 4]))
  })

  it('comes back after the time a reconcile asked for, without occupying a worker meanwhile', async () => {
    const times: Record<string, number> = {}
    for (let i = 0; i < 50; i++) await server.client.create(configMap(`m${i}`, {}, managed))
    await manager.engine.start(
      spec(
        async ({ name }) => {
          times[name] = (times[name] ?? 0) + 1
          return times[name] < 3 ? requeueAfter(5) : done
        },
        { concurrency: 1 },
      ),
    )
    await eventually(() => expect(Object.values(times)).toEqual(Array.from({ length: 50 }, () => 3)))
  })

  it('aborts a reconcile that takes too long, and refuses its further requests', async () => {
    let refused: unknown
    let tries = 0
    await server.client.create(configMap('slow', {}, managed))
    await manager.engine.start(
      spec(
        async ({ namespace, name }, { signal, client }) => {
          if (++tries > 1) return done
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
          refused = await client.get(configMapKind, { namespace, name }).catch((error: unknown) => error)
          throw refused
        },
        { timeoutMs: 10 },
      ),
    )
    await eventually(() => expect(tries).toBe(2))
    expect(refused).toMatchObject({ name: 'ReconcileTimeoutError' })
    expect(records.some(({ message, fields }) => message.includes('failed') && String(fields['error']).includes('10 ms'))).toBe(true)
  })

  it('maps changes of other kinds by owner, label and index', async () => {
    const counts: Record<string, number> = {}
    const owner = await server.client.create(configMap('owner', {}, managed))
    await server.client.create(configMap('labelled', {}, managed))
    await server.client.create(configMap('refers', { secret: 'shared' }, managed))
    await manager.engine.start(
      spec(
        async ({ name }) => {
          counts[name] = (counts[name] ?? 0) + 1
          return done
        },
        {
          indexes: { secret: ({ data }) => (data?.['secret'] === undefined ? [] : [data['secret']]) },
          watches: [
            watch({ kind: secretKind, map: toOwner({ group: '', kind: 'ConfigMap' }) }),
            watch({ kind: secretKind, map: toLabelled({ name: 'for', namespace: 'in' }) }),
            watch({ kind: secretKind, map: toIndexed('secret', ({ metadata }) => [metadata.name ?? '']) }),
          ],
        },
      ),
    )
    await eventually(() => expect(counts).toEqual({ owner: 1, labelled: 1, refers: 1 }))
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid, controller: true }]
    await server.client.create(secret('a', { ownerReferences }))
    await server.client.create(secret('b', { labels: { for: 'labelled', in: 'default' } }))
    await server.client.create(secret('shared'))
    await eventually(() => expect(counts).toEqual({ owner: 2, labelled: 2, refers: 2 }))
    // One watch for three uses.
    expect(manager.informers.running()).toHaveLength(2)
  })

  it('reads what it watches from memory, and says so when it does not watch it', async () => {
    const found: unknown[] = []
    await server.client.create(secret('s'))
    await server.client.create(configMap('a', {}, managed))
    await manager.engine.start(
      spec(
        async ({ namespace, name }, { primary, cached }) => {
          found.push(primary.get({ namespace, name })?.metadata.name, cached(secretKind).get({ namespace, name: 's' })?.metadata.name)
          expect(() => cached({ group: 'x', kind: 'Y' })).toThrow(/does not watch/)
          return done
        },
        { watches: [watch({ kind: secretKind, map: () => [] })] },
      ),
    )
    await eventually(() => expect(found).toEqual(['a', 's']))
  })

  it('ignores changes that its predicate refuses', async () => {
    let count = 0
    const object = await server.client.create(configMap('a', {}, managed))
    await manager.engine.start(
      spec(
        async () => {
          count++
          return done
        },
        { predicate: labelsChanged },
      ),
    )
    await eventually(() => expect(count).toBe(1))
    const updated = await server.client.update({ ...object, data: { v: '1' } })
    await server.client.update(withMeta(updated, { labels: { managed: 'true', more: 'yes' } }))
    await eventually(() => expect(count).toBe(2))
    expect(generationChanged({ type: 'updated', object: updated, previous: object })).toBe(false)
  })

  it('leaves a change lying for as long as its watch has patience, and looks earlier when something more telling comes', async () => {
    const seen: string[] = []
    await server.client.create(configMap('m', {}, managed))
    await server.client.create(configMap('waits', {}, managed))
    await manager.engine.start(
      spec(({ name }) => Promise.resolve(seen.push(name)).then(() => done), {
        watches: [
          watch({
            kind: secretKind,
            map: ({ metadata }) => [{ namespace: 'default', name: metadata.labels?.['of'] ?? '' }],
            patience: ({ object }) => Number(object.metadata.labels?.['patience'] ?? 0),
          }),
        ],
      }),
    )
    await eventually(() => expect(seen).toEqual(['m', 'waits']))
    await server.client.create(secret('note', { labels: { of: 'm', patience: '3600000' } }))
    const delayed = (): number | undefined => manager.engine.get('test')?.stats.delayed
    await eventually(() => expect(delayed()).toBe(1))
    expect(seen).toHaveLength(2)
    await server.client.create(secret('report', { labels: { of: 'm' } }))
    await eventually(() => expect(seen).toEqual(['m', 'waits', 'm']))
    expect(delayed()).toBe(0)
    await server.client.create(secret('late', { labels: { of: 'waits', patience: '20' } }))
    await eventually(() => expect(seen).toEqual(['m', 'waits', 'm', 'waits']))
  })

  it('loses nothing when its queue is too small', async () => {
    const seen = new Set<string>()
    for (let i = 0; i < 100; i++) await server.client.create(configMap(`m${i}`, {}, managed))
    await manager.engine.start(
      spec(
        async ({ name }) => {
          seen.add(name)
          return done
        },
        { queueCapacity: 8 },
      ),
    )
    await eventually(() => expect(seen.size).toBe(100))
  })

  it('works on what is new where more objects than its queue has room for are looked at from time to time', async () => {
    const seen = new Set<string>()
    for (let i = 0; i < 20; i++) await server.client.create(configMap(`m${i}`, {}, managed))
    await manager.engine.start(
      spec(
        async ({ name }) => {
          seen.add(name)
          return requeueAfter(3_600_000)
        },
        { queueCapacity: 8 },
      ),
    )
    await eventually(() => expect(seen.size).toBe(20))
    await server.client.create(configMap('new', {}, managed))
    await eventually(() => expect(seen).toContain('new'))
  })

  it('converges through lost answers, conflicts, failures and broken watches', async () => {
    transport.inject({ verb: ['update', 'patch', 'create'], probability: 0.3, fault: { type: 'lostAnswer' } })
    transport.inject({ verb: 'update', probability: 0.3, fault: { type: 'conflict' } })
    transport.inject({ verb: 'watch', times: 5, fault: { type: 'cut', afterBatches: 2 } })
    await manager.engine.start(
      spec(async ({ namespace, name }, { client }) => {
        const object = await client.find(configMapKind, { namespace, name })
        if (object === undefined || object.data?.['copied'] === object.data?.['v']) return done
        await client.update({ ...object, data: { ...object.data, copied: object.data?.['v'] ?? '' } })
        return done
      }),
    )
    for (let i = 0; i < 20; i++) await server.client.create(configMap(`m${i}`, { v: String(i) }, managed))
    await eventually(async () => {
      const { items } = await server.client.list(configMapKind, { labels: 'managed' })
      expect(items.map(({ data }) => data?.['copied'] ?? 'none')).toEqual(items.map(({ data }) => data?.['v']))
    })
  })

  it('lets reconciles finish when it is stopped, then aborts them', async () => {
    const ends: string[] = []
    let begun = 0
    await server.client.create(configMap('quick', {}, managed))
    await server.client.create(configMap('endless', {}, managed))
    let release: () => void = () => undefined
    await manager.engine.start(
      spec(async ({ name }, { signal }) => {
        begun++
        await new Promise<void>((resolve) => {
          if (name === 'quick') release = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        ends.push(`${name} ${signal.aborted ? 'aborted' : 'finished'}`)
        return done
      }),
    )
    await eventually(() => expect(begun).toBe(2))
    const stopped = manager.engine.stop('test', { drainMs: 50 })
    release()
    await stopped
    expect(ends).toEqual(['quick finished', 'endless aborted'])
    expect(manager.informers.running()).toEqual([])
    expect(manager.metrics.render()).not.toContain('controller="test"')
  })
})
