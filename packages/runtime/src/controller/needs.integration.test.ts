import { getOwn, type KubeObject } from '@weft/api'
import { type ConfigMap, configMapKind, createClient, formatScope, type Secret, secretKind } from '@weft/client'
import { eventually, FakeClock, faultyTransport, type FaultyTransport, seededRandom, startTestServer, type TestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../log/create-log.ts'
import { createManager } from '../manager/create-manager.ts'
import type { Manager } from '../manager/manager.ts'
import { type ControllerSpec, done, type ReconcileContext } from './controller.ts'
import { toLabelled } from './mappers.ts'
import { type Need, need } from './needs.ts'

const OWNED = { name: 'owner', namespace: 'owner-namespace' }
const labelled = (name: string): KubeObject['metadata'] => ({ labels: { owner: name, 'owner-namespace': 'default' } })

let server: TestServer
let transport: FaultyTransport
let manager: Manager
let seen: string[]

beforeEach(async () => {
  server = await startTestServer()
  transport = faultyTransport(server.transport, { random: seededRandom(11) })
  manager = createManager({ client: createClient({ transport, fieldManager: 'test' }), log: silentLog })
  manager.start()
  seen = []
})
afterEach(async () => {
  await manager.stop({ drainMs: 0 })
  await server.close()
})

const configMap = (name: string, metadata: object = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', labels: { managed: 'true' }, ...metadata },
})
const secret = (name: string, metadata: object = {}, type = 'Opaque'): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default', ...metadata },
  type,
})
const watched = (): readonly string[] =>
  manager.informers
    .running()
    .map(({ scope }) => formatScope(scope))
    .filter((scope) => !scope.startsWith('ConfigMap'))

type Follows = (object: ConfigMap | undefined, context: ReconcileContext<ConfigMap>) => readonly Need[]

/** Every object of it follows what `follows` says, each time that it is looked at. */
async function start(follows: Follows, more: Partial<ControllerSpec<ConfigMap>> = {}): Promise<void> {
  await manager.engine.start<ConfigMap>({
    name: 'test',
    kind: configMapKind,
    labels: 'managed',
    toFollowers: toLabelled(OWNED),
    reconcile(request, context) {
      context.follow(follows(context.primary.get(request), context))
      seen.push(request.name)
      return Promise.resolve(done)
    },
    ...more,
  })
}
const createAll = async (...objects: readonly KubeObject[]): Promise<void> => {
  for (const object of objects) await server.client.create(object)
}
const remove = (name: string): Promise<unknown> => server.client.delete(configMapKind, { namespace: 'default', name })
const wants = (object: ConfigMap | undefined, what: string): boolean => getOwn(object?.metadata.annotations ?? {}, what) === 'true'
const wanting = (...what: readonly string[]): object => ({ annotations: Object.fromEntries(what.map((each) => [each, 'true'])) })

describe('watches that objects need', () => {
  it('are open while any object needs them, and call for whom a change concerns', async () => {
    await start((object) => (wants(object, 'secrets') ? [{ kind: secretKind }] : []))
    await createAll(configMap('plain'), configMap('a', wanting('secrets')), configMap('b', wanting('secrets')))
    await eventually(() => expect(seen.toSorted()).toEqual(['a', 'b', 'plain']))
    await eventually(() => expect(watched()).toEqual(['Secret']))
    await createAll(secret('of-b', labelled('b')), secret('of-nobody'))
    await eventually(() => expect(seen.slice(3)).toEqual(['b']))
    await remove('a')
    await eventually(() => expect(seen.slice(4)).toEqual(['a']))
    expect(watched()).toEqual(['Secret'])
    await remove('b')
    await eventually(() => expect(watched()).toEqual([]))
  })

  it('are what the object said last: those that it no longer needs are given up', async () => {
    await start((object) => [
      ...(wants(object, 'secrets') ? [{ kind: secretKind }] : []),
      ...(wants(object, 'tokens') ? [{ kind: secretKind, fieldSelector: 'type=token' }] : []),
      ...(wants(object, 'labels') ? [{ kind: secretKind, labels: 'tier=gold', namespace: 'default' }] : []),
    ])
    await createAll(configMap('a', wanting('tokens', 'labels')))
    await eventually(() => expect(watched()).toEqual(['Secret (fields type=token)', 'Secret (namespace default, labels tier=gold)']))
    await createAll(secret('other', labelled('a')), secret('one', labelled('a'), 'token'))
    await eventually(() => expect(seen).toEqual(['a', 'a']))
    const object = await server.client.get(configMapKind, { namespace: 'default', name: 'a' })
    await server.client.update({ ...object, metadata: { ...object.metadata, annotations: {} } })
    await eventually(() => expect(watched()).toEqual([]))
  })

  it('call for an object that waits for a change itself, and for no other', async () => {
    const awaiting = (name: string): Need =>
      need({ kind: secretKind, wakes: ({ type, object }) => type === 'added' && object.metadata.name === name })
    await start((object) => (object === undefined ? [] : [awaiting(`for-${object.metadata.name ?? ''}`)]), { toFollowers: undefined })
    await createAll(configMap('a'), configMap('b'))
    await eventually(() => expect(seen.toSorted()).toEqual(['a', 'b']))
    await createAll(secret('for-nobody'), secret('for-b'))
    await eventually(() => expect(seen.slice(2)).toEqual(['b']))
    await remove('a')
    await remove('b')
    await eventually(() => expect(watched()).toEqual([]))
  })

  it('can be read once they are complete, and not before anybody needs them', async () => {
    const known: (number | undefined)[] = []
    await createAll(secret('one'), secret('two', labelled('a')))
    await start((object, context) => {
      known.push(context.known(secretKind)?.size)
      return object === undefined ? [] : [{ kind: secretKind }]
    })
    await createAll(configMap('a'))
    // What the watch finds calls for the object once more.
    await eventually(() => expect(known.at(-1)).toBeGreaterThanOrEqual(2))
    expect(known[0]).toBeUndefined()
  })

  it('can be waited for: whoever does reads them from memory', async () => {
    const known: (number | undefined)[] = []
    await createAll(secret('one'), secret('two'))
    await start(() => [], {
      async reconcile(request, context) {
        await context.inMemory([secretKind])
        known.push(context.known(secretKind)?.size)
        context.follow([{ kind: secretKind }])
        await context.inMemory([secretKind])
        known.push(context.known(secretKind)?.size)
        return done
      },
    })
    await createAll(configMap('a'))
    await eventually(() => expect(known.length).toBeGreaterThanOrEqual(2))
    // What nobody follows is not waited for.
    expect(known[0]).toBeUndefined()
    expect(known[1]).toBeGreaterThanOrEqual(2)
  })

  it('that do not come about are waited for once, and then keep nobody from working', async () => {
    await manager.stop({ drainMs: 0 })
    const clock = new FakeClock()
    manager = createManager({ client: createClient({ transport, fieldManager: 'test' }), log: silentLog, clock })
    manager.start()
    transport.inject({ plural: 'secrets', fault: { type: 'hang' } })
    const pass: ControllerSpec<ConfigMap>['reconcile'] = async (request, context) => {
      context.follow([{ kind: secretKind }])
      await context.inMemory([secretKind])
      seen.push(request.name)
      return done
    }
    await start(() => [], { reconcile: pass })
    await createAll(configMap('a'))
    await eventually(async () => {
      await clock.advance(1_000)
      expect(seen).toEqual(['a'])
    })
    const waitedUntil = clock.now()
    await createAll(configMap('b'))
    await eventually(() => expect(seen).toEqual(['a', 'b']))
    expect(clock.now()).toBe(waitedUntil)
  })

  it('of an object that went while it was worked on are given up', async () => {
    let go: (() => void) | undefined
    const started = new Promise<void>((resolve) => (go = resolve))
    await start(() => [{ kind: secretKind }], {
      async reconcile(request, context) {
        go?.()
        await eventually(() => expect(context.primary.get(request)).toBeUndefined())
        context.follow([{ kind: secretKind }])
        seen.push(request.name)
        return done
      },
    })
    await createAll(configMap('a'))
    await started
    await remove('a')
    await eventually(() => expect(seen.length).toBeGreaterThan(0))
    await eventually(() => expect(watched()).toEqual([]))
  })

  it('are given back when the controller stops, and are there again when it starts', async () => {
    await start(() => [{ kind: secretKind }])
    await createAll(configMap('a'))
    await eventually(() => expect(watched()).toEqual(['Secret']))
    await manager.engine.stop('test')
    expect(watched()).toEqual([])
    await start(() => [{ kind: secretKind }])
    await eventually(() => expect(watched()).toEqual(['Secret']))
    seen = []
    await createAll(secret('of-a', labelled('a')))
    await eventually(() => expect(seen).toEqual(['a']))
  })

  it('miss nothing when their connection breaks: what changed meanwhile calls', async () => {
    // Each time after one change: what comes while it is broken is found by the next.
    transport.inject({ verb: 'watch', plural: 'secrets', times: 8, fault: { type: 'cut', afterBatches: 2 } })
    await start(() => [{ kind: secretKind }])
    await createAll(configMap('a'), configMap('b'))
    await eventually(() => expect(seen.length).toBeGreaterThanOrEqual(2))
    for (let i = 0; i < 12; i++) {
      const name = i % 2 === 0 ? 'a' : 'b'
      const before = seen.filter((each) => each === name).length
      await createAll(secret(`${name}-${i}`, labelled(name)))
      await eventually(() => expect(seen.filter((each) => each === name).length).toBeGreaterThan(before))
    }
    expect(transport.log.filter(({ fault }) => fault === 'cut').length).toBeGreaterThan(1)
  })
})

it('every object is looked at again when the controller is told so', async () => {
  await createAll(configMap('a'), configMap('b'))
  await start(() => [])
  await eventually(() => expect(seen.toSorted()).toEqual(['a', 'b']))
  manager.engine.get('test')?.enqueueAll()
  await eventually(() => expect(seen.slice(2).toSorted()).toEqual(['a', 'b']))
})
