import { type ConfigMap, configMapKind, createClient, eventKind } from '@weft/client'
import { eventually, FakeClock, faultyTransport, type FaultyTransport, settle, startTestServer, type TestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControllerSpec, done, requeueAfter } from '../controller/controller.ts'
import { createLog } from '../log/create-log.ts'
import { createManager } from './create-manager.ts'
import type { Manager } from './manager.ts'

let server: TestServer
const lines: string[] = []
const log = createLog({ sink: ({ message }) => lines.push(message) })

beforeEach(async () => {
  server = await startTestServer()
  await server.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } })
})

afterEach(() => server.close())

function candidate(identity: string, clock: FakeClock): { manager: Manager; transport: FaultyTransport; reconciles: () => number } {
  const transport = faultyTransport(server.transport, { clock })
  const manager = createManager({
    client: createClient({ transport }),
    log,
    clock,
    random: () => 0.5,
    leaderElection: { namespace: 'default', name: 'weft', identity },
  })
  let count = 0
  const spec: ControllerSpec<ConfigMap> = {
    name: 'test',
    kind: configMapKind,
    namespace: 'default',
    reconcile: async () => {
      count++
      return requeueAfter(1_000)
    },
  }
  manager.add(spec)
  manager.start()
  return { manager, transport, reconciles: () => count }
}

describe('manager', () => {
  it('only the leader reconciles; a leader that is cut off stops, and the other takes over', async () => {
    const clock = new FakeClock()
    const a = candidate('a', clock)
    await settle(20)
    const b = candidate('b', clock)
    await clock.advance(5_000)
    expect([a.manager.isLeader, b.manager.isLeader]).toEqual([true, false])
    expect(a.reconciles()).toBeGreaterThan(0)
    expect(b.reconciles()).toBe(0)
    a.transport.inject({ plural: 'leases', fault: { type: 'hang' } })
    await clock.advance(10_500)
    const afterLoss = a.reconciles()
    expect(a.manager.isLeader).toBe(false)
    expect(a.manager.engine.running).toEqual([])
    await clock.advance(20_000)
    expect(a.reconciles()).toBe(afterLoss)
    expect(b.manager.isLeader).toBe(true)
    expect(b.reconciles()).toBeGreaterThan(0)
    a.transport.clear()
    const stops = [a.manager.stop({ drainMs: 0 }), b.manager.stop({ drainMs: 0 })]
    await clock.advance(20_000)
    await Promise.all(stops)
    expect(clock.pending).toBe(0)
  })

  it.each([
    ['for long', { concurrency: 3 }, false],
    ['and say so', { concurrency: 1, withWaiting: 3 }, true],
  ])('reconciles that wait %s hold up their own controller, and no other', async (_, bounds, says) => {
    const manager = createManager({ client: createClient({ transport: server.transport }), log, workers: 2 })
    const names = ['b', 'c', 'd', 'e']
    for (const name of names) await server.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } })
    let [begun, other] = [0, 0]
    manager.add<ConfigMap>({
      name: 'waiting',
      kind: configMapKind,
      namespace: 'default',
      ...bounds,
      reconcile: (_, { signal, waits }) => {
        begun++
        if (says) waits()
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))
      },
    })
    manager.start()
    await eventually(() => expect(begun).toBe(3))
    manager.add<ConfigMap>({
      name: 'other',
      kind: configMapKind,
      namespace: 'default',
      reconcile: async () => {
        other++
        return done
      },
    })
    await eventually(() => expect(other).toBeGreaterThanOrEqual(names.length))
    expect(begun).toBe(3)
    await manager.stop({ drainMs: 0 })
  })

  it('drains, writes the last events and gives everything back when it stops', async () => {
    const manager = createManager({ client: createClient({ transport: server.transport }), log })
    const recorder = manager.recorder('test')
    expect(manager.recorder('test')).toBe(recorder)
    let finish: () => void = () => undefined
    let finished = false
    let begun = false
    manager.add<ConfigMap>({
      name: 'test',
      kind: configMapKind,
      namespace: 'default',
      concurrency: 1,
      reconcile: async ({ namespace, name }, { client }) => {
        begun = true
        const object = await client.get(configMapKind, { namespace, name })
        await new Promise<void>((resolve) => (finish = resolve))
        recorder.record(object, { type: 'Normal', reason: 'Done', message: 'It is done.' })
        finished = true
        return done
      },
    })
    manager.start()
    await eventually(() => expect(begun).toBe(true))
    expect(manager.health()).toEqual({ live: true, ready: true, problems: [] })
    await eventually(() => expect(manager.metrics.render()).toContain('weft_workers_active 1'))
    const stopped = manager.stop({ drainMs: 10_000 })
    await settle()
    finish()
    await stopped
    expect(finished).toBe(true)
    expect((await server.client.list(eventKind)).items).toHaveLength(1)
    expect(manager.informers.running()).toEqual([])
    expect(manager.health()).toMatchObject({ live: false, ready: false })
  })

  it('says which watch lacks permission', async () => {
    const client = server.clientAs({ username: 'nobody', groups: ['system:authenticated'] })
    const manager = createManager({ client, log })
    manager.add<ConfigMap>({ name: 'test', kind: configMapKind, reconcile: async () => done })
    manager.start()
    await eventually(() =>
      expect(manager.health()).toMatchObject({
        ready: false,
        problems: [/waits for its watches/, /ConfigMap is denied/].map((text) => expect.stringMatching(text) as string),
      }),
    )
    await manager.stop({ drainMs: 0 })
    expect(lines).toContain('a watch has a problem')
  })
})
