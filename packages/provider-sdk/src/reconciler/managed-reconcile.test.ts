import { findCondition } from '@weft/api'
import { silentLog } from '@weft/runtime'
import { eventually, startTestServer, type TestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeCloud, fakeProvider, fakeResource } from '../conformance/fake-cloud.fixture.ts'
import { openWorld, type World } from '../conformance/world.ts'
import { ExternalError } from '../external/external-error.ts'
import type { ExternalClient } from '../external/external-client.ts'
import type { ManagedKind } from './managed-kind.ts'
import type { Connector } from '../external/connector.ts'
import { defineProvider, type ProviderDefinition } from '../provider/define-provider.ts'

const EXISTS = { exists: true, upToDate: true, readiness: 'available' } as const
const thing = (name: string) => fakeResource('Thing', name)
const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** A provider whose kind Thing is served by `client`. */
function providerOf(client: ExternalClient, more: Partial<ManagedKind> = {}): ProviderDefinition {
  const connector: Connector = { connect: () => Promise.resolve(client) }
  const base = fakeProvider(new FakeCloud())
  return defineProvider({ ...base, kinds: base.kinds.map((kind) => ({ ...kind, connector, ...more })) })
}

describe('the managed reconciler', () => {
  let server: TestServer
  let world: World | undefined
  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(async () => {
    await world?.stop()
    world = undefined
    await server.close()
  })

  const open = async (client: ExternalClient, more: Partial<ManagedKind> = {}): Promise<World> =>
    (world = await openWorld({
      client: server.client,
      provider: providerOf(client, more),
      dataDir: '/nonexistent',
      log: silentLog,
      tune: more,
    }))

  it('leaves what stands behind a member of a composite alone until it is the member’s turn to go', async () => {
    const made = new Set<string>()
    const deleted: string[] = []
    const opened = await open({
      observe: (_resource, { externalName }) => Promise.resolve(made.has(externalName) ? EXISTS : { exists: false }),
      create: (_resource, { externalName }) => {
        made.add(externalName)
        return Promise.resolve({})
      },
      update: () => Promise.resolve({}),
      delete: (_resource, { externalName }) => {
        deleted.push(externalName)
        made.delete(externalName)
        return Promise.resolve()
      },
    })
    const THING = { group: 'fake.weft.dev', kind: 'Thing' }
    const member = thing('member')
    await opened.apply({ ...member, metadata: { ...member.metadata, finalizers: ['weft.dev/deletion-turn'] } })
    await opened.ready(member)
    await server.client.delete(THING, { name: 'member' })
    const told = (): Promise<void> =>
      eventually(async () => {
        const { status } = (await server.client.get(THING, { name: 'member' })) as { status?: { conditions?: [] } }
        expect(findCondition(status?.conditions, 'Ready')?.message).toContain('waiting for its turn')
      })
    await told()
    expect(deleted).toEqual([])
    const now = await server.client.get(THING, { name: 'member' })
    const left = now.metadata.finalizers?.filter((each) => each !== 'weft.dev/deletion-turn')
    await server.client.update({ ...now, metadata: { ...now.metadata, ...(left && { finalizers: left }) } })
    await eventually(async () => expect(await server.client.find(THING, { name: 'member' })).toBeUndefined())
    expect(deleted).toHaveLength(1)
  })

  it('has written down everything that must outlive a crash before it creates', async () => {
    let stored: unknown
    const made = new Set<string>()
    const opened = await open({
      observe: (_resource, { externalName }) => Promise.resolve(made.has(externalName) ? EXISTS : { exists: false }),
      create: async (resource, { externalName }) => {
        stored = await server.client.get({ group: 'fake.weft.dev', kind: 'Thing' }, { name: resource.metadata.name ?? '' })
        made.add(externalName)
        return {}
      },
      update: () => Promise.resolve({}),
      delete: () => Promise.resolve(),
    })
    await opened.apply(thing('noted'))
    await opened.ready(thing('noted'))
    expect(stored).toMatchObject({
      metadata: {
        finalizers: ['finalizer.managedresource.crossplane.io'],
        annotations: {
          'crossplane.io/external-name': 'noted',
          'crossplane.io/external-create-pending': expect.stringMatching(/^\d{4}-/) as string,
        },
      },
    })
  })

  it('writes nothing when nothing changes, however often it looks', async () => {
    let looks = 0
    const opened = await open(
      {
        observe: () => Promise.resolve(++looks > 0 ? { ...EXISTS, atProvider: { size: 1 }, connection: {} } : EXISTS),
        create: () => Promise.resolve({}),
        update: () => Promise.resolve({}),
        delete: () => Promise.resolve(),
      },
      { pollIntervalMs: 20 },
    )
    await opened.apply(thing('quiet'))
    const { metadata } = await opened.ready(thing('quiet'))
    const before = looks
    await opened.eventually(() => (looks > before + 5 ? Promise.resolve() : Promise.reject(new Error('it does not look'))))
    expect((await opened.find(thing('quiet')))?.metadata.resourceVersion).toBe(metadata.resourceVersion)
  })

  it('leaves what is watched alone until it is called for, lets go before the finalizer goes, and forgets what is gone', async () => {
    let looks = 0
    let call: (() => void) | undefined
    const order: string[] = []
    const client: ExternalClient = {
      observe: () => Promise.resolve(++looks > 0 ? { ...EXISTS, watched: true, status: { label: 'x' } } : EXISTS),
      create: () => Promise.resolve({}),
      update: () => Promise.resolve({}),
      delete: () => Promise.resolve(),
    }
    const connector: Connector = {
      connect: (_resource, { requeue }) => {
        call = requeue
        return Promise.resolve(client)
      },
      release: async ({ metadata }) => {
        const stored = await server.client.get({ group: 'fake.weft.dev', kind: 'Thing' }, { name: metadata.name ?? '' })
        order.push(`release ${String(stored.metadata.finalizers?.length)}`)
      },
      forget: ({ name }) => void order.push(`forget ${name}`),
    }
    const opened = await open(client, { connector, pollIntervalMs: 60_000, notReadyIntervalMs: 60_000 })
    const resource = fakeResource('Thing', 'watched', {}, { deletionPolicy: 'Orphan' })
    await opened.apply(resource)
    expect((await opened.ready(resource)).status).toMatchObject({ label: 'x' })
    const before = looks
    call?.()
    await opened.eventually(() => (looks > before ? Promise.resolve() : Promise.reject(new Error('it was not called'))))
    await opened.delete(resource)
    await opened.gone(resource)
    await opened.eventually(() => (order.length > 1 ? Promise.resolve() : Promise.reject(new Error('it was not forgotten'))))
    expect(order).toEqual(['release 1', 'forget watched'])
  })

  it('does not create again what the external system does not show yet', async () => {
    let creates = 0
    let shown = false
    const opened = await open(
      {
        observe: () => Promise.resolve(shown ? EXISTS : { exists: false }),
        create: () => Promise.resolve(void creates++).then(() => ({})),
        update: () => Promise.resolve({}),
        delete: () => Promise.resolve(),
      },
      { creationGraceMs: 60_000, notReadyIntervalMs: 20 },
    )
    await opened.apply(thing('lazy'))
    await opened.condition(thing('lazy'), 'Ready', 'False')
    await pause(200)
    expect(creates).toBe(1)
    shown = true
    await opened.ready(thing('lazy'))
    expect(creates).toBe(1)
  })

  it('waits with deletion for a create that may still be on its way, and deletes what it made', async () => {
    const made = new Set<string>()
    const onItsWay = new Set<string>()
    const opened = await open(
      {
        observe: ({ metadata }, { externalName }) => {
          const found = made.has(externalName)
          // The system takes its time: it is made when the deletion has already looked, and found nothing.
          if (metadata.deletionTimestamp !== undefined && onItsWay.delete(externalName)) made.add(externalName)
          return Promise.resolve(found ? EXISTS : { exists: false })
        },
        create: (_resource, { externalName }) => {
          onItsWay.add(externalName)
          return Promise.reject(new ExternalError('Unavailable', 'the connection broke'))
        },
        update: () => Promise.resolve({}),
        delete: (_resource, { externalName }) => Promise.resolve(void made.delete(externalName)),
      },
      { createInFlightMs: 600_000, backoff: { baseMs: 60_000, maxMs: 60_000 } },
    )
    await opened.apply(thing('slow-birth'))
    await opened.condition(thing('slow-birth'), 'Synced', 'False')
    await opened.delete(thing('slow-birth'))
    await opened.gone(thing('slow-birth'))
    expect([onItsWay.size, made.size]).toEqual([0, 0])
  })

  describe('where the external system assigns names', () => {
    /** Makes things called id-1, id-2...; the first answer gets lost. */
    const assigning = (locates: boolean) => {
      const made = new Map<string, string>()
      let answers = 0
      const client: ExternalClient = {
        observe: (_resource, { externalName }) => Promise.resolve(made.has(externalName) ? EXISTS : { exists: false }),
        create: ({ metadata }) => {
          const externalName = `id-${made.size + 1}`
          made.set(externalName, metadata.uid ?? '')
          return ++answers === 1
            ? Promise.reject(new ExternalError('Unavailable', 'the connection broke'))
            : Promise.resolve({ externalName })
        },
        update: () => Promise.resolve({}),
        delete: (_resource, { externalName }) => Promise.resolve(void made.delete(externalName)),
        ...(locates && { locate: ({ metadata }) => Promise.resolve([...made].find(([, uid]) => uid === metadata.uid)?.[0]) }),
      }
      return { client, made }
    }

    it('finds what a create made whose answer was lost, and writes its name down', async () => {
      const { client, made } = assigning(true)
      const opened = await open(client, { externalNames: 'assigned' })
      await opened.apply(thing('nameless'))
      const ready = await opened.ready(thing('nameless'))
      expect(ready.metadata.annotations?.['crossplane.io/external-name']).toBe('id-1')
      expect(made.size).toBe(1)
    })

    it('stops and asks for help when it cannot find out', async () => {
      const { client, made } = assigning(false)
      const opened = await open(client, { externalNames: 'assigned' })
      await opened.apply(thing('lost'))
      await opened.eventually(async () => {
        const current = await opened.find(thing('lost'))
        expect(findCondition(current?.status?.conditions, 'Synced')?.message).toMatch(/cannot tell whether/)
      })
      await pause(200)
      expect(made.size).toBe(1)
    })
  })

  it('says so when the external system does not answer in time, and goes on', async () => {
    let hangs = true
    const opened = await open(
      {
        observe: () => (hangs ? new Promise(() => undefined) : Promise.resolve(EXISTS)),
        create: () => Promise.resolve({}),
        update: () => Promise.resolve({}),
        delete: () => Promise.resolve(),
      },
      { timeoutMs: 100 },
    )
    await opened.apply(thing('hanging'))
    const current = await opened.condition(thing('hanging'), 'Synced', 'False')
    expect(findCondition(current.status?.conditions, 'Synced')?.message).toMatch(/took longer than 100 ms/)
    hangs = false
    await opened.ready(thing('hanging'))
  })

  it('does what the external system says about when to come back', async () => {
    const times: number[] = []
    const opened = await open({
      observe: () => {
        times.push(Date.now())
        return times.length === 1
          ? Promise.reject(new ExternalError('Throttled', 'slow down', { retryAfterMs: 500 }))
          : Promise.resolve(EXISTS)
      },
      create: () => Promise.resolve({}),
      update: () => Promise.resolve({}),
      delete: () => Promise.resolve(),
    })
    await opened.apply(thing('throttled'))
    await opened.ready(thing('throttled'))
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(450)
  })
})
