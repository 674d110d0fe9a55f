import { expired, forbidden, type KubeObject } from '@weft/api'
import { FakeClock, settle } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../transport/errors.ts'
import type { WatchEvent } from '../transport/transport.ts'
import { createInformer, type InformerOptions } from './create-informer.ts'
import type { Informer, InformerReport } from './informer.ts'
import { FakeSource } from './fake-source.fixture.ts'

const object = (name: string, version: number, uid = `uid-${name}`): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'ns', uid, resourceVersion: String(version) },
})
const event = (type: WatchEvent['type'], name: string, version: number): WatchEvent => ({ type, object: object(name, version) })
const bookmark = (version: number, end = false): WatchEvent => ({
  type: 'BOOKMARK',
  object: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { resourceVersion: String(version), ...(end && { annotations: { 'k8s.io/initial-events-end': 'true' } }) },
  },
})
const list = (version: number, ...items: KubeObject[]) => ({
  apiVersion: 'v1',
  kind: 'ConfigMapList',
  metadata: { resourceVersion: String(version) },
  items,
})

function start(options: InformerOptions = {}): {
  source: FakeSource
  informer: Informer
  clock: FakeClock
  changes: string[]
  reports: InformerReport[]
} {
  const source = new FakeSource()
  const clock = new FakeClock()
  const reports: InformerReport[] = []
  const informer = createInformer(source, { clock, random: () => 0, onProblem: (report) => reports.push(report), ...options })
  const changes: string[] = []
  informer.subscribe(({ type, object: { metadata } }) => changes.push(`${type} ${metadata.name}@${metadata.resourceVersion}`))
  informer.start()
  return { source, informer, clock, changes, reports }
}

describe('informer', () => {
  it('streams the state, then follows on the same watch', async () => {
    const { source, informer, changes } = start()
    await settle()
    expect(source.last.options).toMatchObject({ sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true })
    source.last.send(event('ADDED', 'a', 3), event('ADDED', 'b', 5))
    await settle()
    expect(informer.isSynced).toBe(false)
    expect(informer.size).toBe(0)
    source.last.send(bookmark(6, true), event('MODIFIED', 'a', 7))
    await informer.synced
    await settle()
    source.last.send(event('DELETED', 'b', 8))
    await settle()
    expect(changes).toEqual(['added a@3', 'added b@5', 'updated a@7', 'deleted b@8'])
    expect(source.watches).toHaveLength(1)
    expect(informer.state).toMatchObject({ phase: 'watching' })
    await informer.stop()
    expect(source.openWatches).toBe(0)
  })

  it('resumes from the last revision when the connection is lost, with a growing wait', async () => {
    const { source, informer, clock, changes, reports } = start({ streaming: false })
    source.lists.push(list(5, object('a', 4)))
    await informer.synced
    await settle()
    expect(source.last.options).toMatchObject({ resourceVersion: '5', allowWatchBookmarks: true })
    source.last.send(event('MODIFIED', 'a', 9), bookmark(12))
    await settle()
    source.last.fail(new ConnectionError('reset', { mayHaveTakenEffect: true }))
    await settle()
    expect(informer.state).toMatchObject({ phase: 'waiting', problem: 'unavailable', next: { phase: 'watching', from: '12' } })
    expect(informer.get({ namespace: 'ns', name: 'a' })?.metadata.resourceVersion).toBe('9')
    for (let i = 0; i < 3; i++) {
      await clock.advance(clock.nextIn ?? 0)
      source.last.fail(new ConnectionError('refused', { mayHaveTakenEffect: false }))
      await settle()
    }
    expect(reports.map(({ retryInMs }) => retryInMs)).toEqual([200, 400, 800, 1600])
    await clock.advance(1600)
    expect(source.last.options.resourceVersion).toBe('12')
    source.last.send(event('ADDED', 'b', 13))
    await settle()
    expect(changes).toEqual(['added a@4', 'updated a@9', 'added b@13'])
    await informer.stop()
    expect(clock.pending).toBe(0)
  })

  it('reads everything again after 410, and reports what went meanwhile', async () => {
    const { source, informer, changes } = start({ streaming: false })
    source.lists.push(list(5, object('a', 4), object('b', 5)), list(50, object('a', 40)))
    await informer.synced
    await settle()
    source.last.fail(expired('too old'))
    await settle()
    expect(changes).toEqual(['added a@4', 'added b@5', 'updated a@40', 'deleted b@5'])
    expect(source.last.options.resourceVersion).toBe('50')
    await informer.stop()
  })

  it('refuses a state from the past, and believes it when the history starts over', async () => {
    const { source, informer, clock, changes, reports } = start({ streaming: false })
    source.lists.push(list(100, object('a', 99)), list(50, object('a', 40)), list(50, object('a', 40)), list(51, object('a', 41)))
    await informer.synced
    await settle()
    source.last.fail(expired('too old'))
    await settle()
    expect(informer.state).toMatchObject({ phase: 'waiting', problem: 'stale' })
    expect(informer.get({ namespace: 'ns', name: 'a' })?.metadata.resourceVersion).toBe('99')
    await clock.advance(10_000)
    expect(reports.at(-1)).toMatchObject({ problem: 'history-reset' })
    expect(changes.at(-1)).toBe('updated a@41')
    await informer.stop()
  })

  it('reads everything again when a watch delivers events from the past', async () => {
    const { source, informer, clock } = start({ streaming: false })
    source.lists.push(list(100), list(101, object('a', 101)))
    await informer.synced
    await settle()
    source.last.send(event('ADDED', 'ghost', 7))
    await settle()
    expect(informer.get({ namespace: 'ns', name: 'ghost' })).toBeUndefined()
    await clock.advance(1000)
    expect(informer.get({ namespace: 'ns', name: 'a' })).toBeDefined()
    await informer.stop()
  })

  it('retries lost permission slowly, keeps its cache, and reports it', async () => {
    const { source, informer, clock, reports } = start({ streaming: false })
    source.lists.push(list(5, object('a', 4)))
    await informer.synced
    await settle()
    source.last.fail(forbidden({ group: '', resource: 'configmaps' }, 'no'))
    await settle()
    expect(reports).toMatchObject([{ problem: 'denied', retryInMs: 15_000 }])
    expect(informer.size).toBe(1)
    await clock.advance(14_999)
    expect(source.watches).toHaveLength(1)
    await clock.advance(1)
    expect(source.watches).toHaveLength(2)
    await informer.stop()
  })

  it('can be told to try again at once', async () => {
    const { source, informer } = start({ streaming: false })
    source.lists.push(new Error('down'), list(5))
    await settle()
    expect(informer.state.phase).toBe('waiting')
    informer.retryNow()
    await informer.synced
    await informer.stop()
  })

  it('lists where the server never ends the initial state', async () => {
    const { source, informer, clock } = start()
    source.lists.push(list(5, object('a', 4)))
    await settle()
    source.last.send(event('ADDED', 'a', 4))
    await clock.advance(60_000)
    await informer.synced
    expect(informer.size).toBe(1)
    await settle()
    source.lists.push(list(9))
    source.last.fail(expired('x'))
    await settle()
    // It does not try to stream again.
    expect(source.watches.filter(({ options }) => options.sendInitialEvents)).toHaveLength(1)
    await informer.stop()
  })

  it('gives late subscribers what is there, and survives handlers that throw', async () => {
    const { source, informer, reports } = start({ streaming: false })
    source.lists.push(list(5, object('a', 4)))
    await informer.synced
    const seen: string[] = []
    informer.subscribe(() => {
      throw new Error('bug')
    })
    const unsubscribe = informer.subscribe(({ type }) => seen.push(type))
    expect(seen).toEqual(['added'])
    unsubscribe()
    await settle()
    source.last.send(event('MODIFIED', 'a', 6))
    await settle()
    expect(seen).toEqual(['added'])
    expect(reports.map(({ problem }) => problem)).toEqual(['handler', 'handler'])
    expect(informer.list({ namespace: 'ns' })).toHaveLength(1)
    await informer.stop()
  })

  it('rejects synced when it is stopped first, and ends what it opened', async () => {
    const { source, informer, clock } = start()
    await settle()
    await informer.stop()
    await expect(informer.synced).rejects.toThrow()
    expect(source.openWatches).toBe(0)
    expect(clock.pending).toBe(0)
    expect(informer.state).toEqual({ phase: 'stopped' })
  })
})
