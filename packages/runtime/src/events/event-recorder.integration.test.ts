import { internalError, type KubeObject } from '@weft/api'
import { createClient, eventKind } from '@weft/client'
import { FakeClock, faultyTransport, type FaultyTransport, seededRandom, settle, startTestServer, type TestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../log/create-log.ts'
import { createEventRecorder } from './create-event-recorder.ts'
import type { EventRecorder } from './event-recorder.ts'

let server: TestServer
let clock: FakeClock
let transport: FaultyTransport
let recorder: EventRecorder

const claim = (name: string): KubeObject => ({
  apiVersion: 'x.org/v1',
  kind: 'Claim',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '5' },
})
const bound = { type: 'Normal', reason: 'Bound', message: 'Bound to it.' } as const
const events = async (): Promise<string[]> =>
  (await server.client.list(eventKind)).items
    .map(({ reason, message, count, involvedObject }) => `${involvedObject.name} ${reason} ${message} ${count}`)
    .sort()

beforeEach(async () => {
  server = await startTestServer()
  clock = new FakeClock()
  transport = faultyTransport(server.transport, { clock })
  recorder = createEventRecorder(
    { component: 'claimbinding', instance: 'weft-0' },
    { client: createClient({ transport }), clock, random: seededRandom(1), log: silentLog },
  )
})

afterEach(async () => {
  await recorder.stop()
  await server.close()
})

describe('event recorder', () => {
  it('tells what happened, where kubectl describe finds it', async () => {
    recorder.record(claim('a'), bound)
    await recorder.flush()
    const { items } = await server.client.list(eventKind, {
      namespace: 'default',
      fieldSelector: 'involvedObject.name=a,involvedObject.uid=uid-a',
    })
    expect(items).toMatchObject([
      {
        type: 'Normal',
        reason: 'Bound',
        message: 'Bound to it.',
        count: 1,
        involvedObject: { apiVersion: 'x.org/v1', kind: 'Claim', namespace: 'default', name: 'a', uid: 'uid-a' },
        source: { component: 'claimbinding' },
        reportingComponent: 'claimbinding',
        reportingInstance: 'weft-0',
      },
    ])
  })

  it('counts repetitions in one event, written once in a while', async () => {
    for (let i = 0; i < 100; i++) recorder.record(claim('a'), bound)
    recorder.record(claim('a'), { ...bound, message: 'Something else.' })
    recorder.record(claim('b'), bound)
    await settle(20)
    expect(await events()).toEqual(['a Bound Bound to it. 1', 'a Bound Something else. 1', 'b Bound Bound to it. 1'])
    await clock.advance(5_000)
    await settle(20)
    expect(await events()).toContain('a Bound Bound to it. 100')
    expect(transport.log.filter(({ verb }) => verb === 'patch')).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  it('starts a new event when the last time is long ago', async () => {
    recorder.record(claim('a'), bound)
    await recorder.flush()
    await clock.advance(11 * 60_000)
    recorder.record(claim('a'), bound)
    await recorder.flush()
    expect(await events()).toEqual(['a Bound Bound to it. 1', 'a Bound Bound to it. 1'])
  })

  it('cuts an object short that has too much to tell, and no other', async () => {
    for (let i = 0; i < 100; i++) recorder.record(claim('noisy'), { ...bound, message: `message ${i}` })
    recorder.record(claim('quiet'), bound)
    await recorder.flush()
    const all = await events()
    expect(all.filter((line) => line.startsWith('noisy'))).toHaveLength(25)
    expect(all.filter((line) => line.startsWith('quiet'))).toHaveLength(1)
    expect(recorder.stats.dropped).toBe(75)
    await clock.advance(60_000)
    recorder.record(claim('noisy'), { ...bound, message: 'later' })
    await recorder.flush()
    expect(await events()).toHaveLength(27)
  })

  it.each([
    { reason: 'the answer to the creation was lost', rule: { verb: 'create', times: 1, fault: { type: 'lostAnswer' } } },
    { reason: 'the server fails for a while', rule: { verb: 'create', times: 2, fault: { type: 'error', error: internalError('x') } } },
  ] as const)('tells it once when $reason', async ({ rule }) => {
    transport.inject(rule)
    recorder.record(claim('a'), bound)
    await clock.advance(10_000)
    await settle(20)
    expect(await events()).toEqual(['a Bound Bound to it. 1'])
  })

  it('gives up what the server refuses, without an error', async () => {
    recorder.record({ ...claim('a'), metadata: { name: 'a', namespace: 'no-such-namespace' } }, bound)
    recorder.record(claim('b'), bound)
    await recorder.flush()
    expect(await events()).toEqual(['b Bound Bound to it. 1'])
  })

  it.each([
    { reason: 'a cluster-scoped object', object: { apiVersion: 'x.org/v1', kind: 'Class', metadata: { name: 'standard', uid: 'u' } } },
    {
      reason: 'a name that is none for an event',
      object: { apiVersion: 'x.org/v1', kind: 'Role', metadata: { name: 'system:Big-Role-.', uid: 'u' } },
    },
    {
      reason: 'a very long name',
      object: { apiVersion: 'x.org/v1', kind: 'Role', metadata: { name: `${'a'.repeat(49)}.${'b'.repeat(150)}`, uid: 'u' } },
    },
  ])('tells about $reason', async ({ object }) => {
    recorder.record(object, { ...bound, message: 'ä'.repeat(2000) })
    await recorder.flush()
    const { items } = await server.client.list(eventKind, { namespace: 'default' })
    expect(items).toHaveLength(1)
    expect(Buffer.byteLength(items[0]?.message ?? '')).toBeLessThanOrEqual(1024)
  })

  it('writes what waits when it is stopped, and takes nothing after', async () => {
    recorder.record(claim('a'), bound)
    recorder.record(claim('a'), bound)
    await recorder.stop()
    recorder.record(claim('b'), bound)
    expect(await events()).toEqual(['a Bound Bound to it. 2'])
    expect(clock.pending).toBe(0)
  })
})
