import type { KubeObject } from '@weft/api'
import { createClient } from '@weft/client'
import { inProcessTransport } from '@weft/plane'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApiServer, type EmbeddedApiServer } from '../api-server.ts'
import { createMemoryPki } from '../pki/index.ts'
import { openMemoryStorage, type Storage } from '../storage/index.ts'
import { EVENT_TTL_MS, ExpiredEvents } from './expired-events.ts'

const MINUTE = 60_000
const START = Date.parse('2026-01-01T00:00:00Z')
const EVENTS = { group: '', kind: 'Event' }

let now: number
let storage: Storage
let server: EmbeddedApiServer
let client: ReturnType<typeof createClient>
beforeEach(async () => {
  now = START
  storage = openMemoryStorage()
  const pki = createMemoryPki({ hosts: ['127.0.0.1'] })
  const onError = (what: string, error: unknown): void => {
    throw new Error(what, { cause: error })
  }
  server = await createApiServer({ storage, pki, address: () => 'https://127.0.0.1:0', now: () => now, onError })
  client = createClient({
    transport: inProcessTransport(server.handle, { username: 'admin', groups: ['system:masters'] }),
    fieldManager: 'test',
  })
})
afterEach(async () => {
  await server.close()
  await storage.close()
})

const event = (name: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: 'default' },
  involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'x', apiVersion: 'v1' },
  reason: 'Tested',
  message: 'it happened',
  type: 'Normal',
  ...more,
})
const names = async (): Promise<readonly (string | undefined)[]> => (await client.list(EVENTS)).items.map(({ metadata }) => metadata.name)

async function sweep(ttlMs?: number): Promise<void> {
  const events = new ExpiredEvents(server.services, storage, { ttlMs, onError: (what, error) => expect([what, error]).toEqual([]) })
  await events.sweep()
  await events.stop()
}

describe('events', () => {
  it('go an hour after they were last written, and not before', async () => {
    await client.create(event('first'))
    now += 30 * MINUTE
    await client.create(event('second'))
    now = START + EVENT_TTL_MS - 1_000
    await sweep()
    expect(await names()).toEqual(['first', 'second'])
    now = START + EVENT_TTL_MS + 1_000
    await sweep()
    expect(await names()).toEqual(['second'])
    now += 60 * MINUTE
    await sweep()
    expect(await names()).toEqual([])
  })

  it('that are written again stay for another hour', async () => {
    await client.create(event('repeated', { count: 1 }))
    await client.create(event('once'))
    now += 50 * MINUTE
    await client.patch(EVENTS, { name: 'repeated', namespace: 'default' }, { type: 'merge', body: { count: 2 } })
    now += 20 * MINUTE
    await sweep()
    expect(await names()).toEqual(['repeated'])
  })

  it('go in the order in which they were written, whatever their names are', async () => {
    await client.create(event('between'))
    now += 30 * MINUTE
    for (const name of ['after', 'zero']) await client.create(event(name))
    now += 31 * MINUTE
    await sweep()
    expect(await names()).toEqual(['after', 'zero'])
  })

  it('go by the time of the server, whatever times they tell', async () => {
    const future = '2099-01-01T00:00:00Z'
    const managedFields = [{ manager: 'me', operation: 'Update', apiVersion: 'v1', time: future, fieldsType: 'FieldsV1', fieldsV1: {} }]
    const metadata = { name: 'lasting', namespace: 'default', creationTimestamp: future, managedFields }
    await client.create(event('lasting', { metadata, lastTimestamp: future, firstTimestamp: future }))
    await client.create(event('old', { lastTimestamp: '2000-01-01T00:00:00Z' }))
    await sweep()
    expect(await names()).toEqual(['lasting', 'old'])
    now += EVENT_TTL_MS + MINUTE
    await sweep()
    expect(await names()).toEqual([])
  })

  it('go although a finalizer holds them, and many at once', async () => {
    for (let i = 0; i < 200; i++)
      await client.create(event(`event-${i}`, { metadata: { name: `event-${i}`, namespace: 'default', finalizers: ['example.org/held'] } }))
    now += EVENT_TTL_MS + MINUTE
    await client.create(event('young'))
    await sweep()
    expect(await names()).toEqual(['young'])
  })

  it('go as soon as somebody wants it', async () => {
    await client.create(event('short'))
    now += 6 * MINUTE
    await sweep(5 * MINUTE)
    expect(await names()).toEqual([])
  })
})

describe('the watch over events', () => {
  const errors: string[] = []
  beforeEach(() => {
    errors.length = 0
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(() => void vi.useRealTimers())
  const watching = (ttlMs?: number, of: Storage = storage): ExpiredEvents =>
    new ExpiredEvents(server.services, of, { ttlMs, onError: (what, error) => errors.push(`${what}: ${(error as Error).message}`) })
  /** The storage, which says no where it is told to. */
  const refusing = (versions: () => never): Storage =>
    new Proxy(storage, {
      get: (target, name) => {
        if (name === 'versions') return versions
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })

  it('looks every minute, or as often as events expire, until it is stopped', async () => {
    for (const [ttlMs, interval] of [
      [undefined, MINUTE],
      [10_000, 10_000],
    ] as const) {
      await client.create(event('passing'))
      const events = watching(ttlMs)
      now += EVENT_TTL_MS + MINUTE
      vi.advanceTimersByTime(interval - 1)
      await events.stop()
      expect(await names(), `${interval}`).toEqual(['passing'])
      const again = watching(ttlMs)
      vi.advanceTimersByTime(interval)
      await expect.poll(names).toEqual([])
      await again.stop()
      expect(vi.getTimerCount(), 'nothing goes on').toBe(0)
    }
    expect(errors).toEqual([])
  })

  it('keeps them for ever when it is told to', async () => {
    const events = watching(0)
    expect(vi.getTimerCount()).toBe(0)
    await events.stop()
  })

  it('says what went wrong, and looks again', async () => {
    let looks = 0
    const events = watching(
      undefined,
      refusing(() => {
        looks++
        throw new Error('no disk')
      }),
    )
    for (let turn = 1; turn <= 2; turn++) {
      vi.advanceTimersByTime(MINUTE)
      await expect.poll(() => errors.length).toBe(turn)
      // What failed is put away a moment after it was told.
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(looks).toBe(2)
    expect(errors[0]).toBe('expired events: no disk')
    await events.stop()
  })
})
