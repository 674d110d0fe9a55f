import { type KubeObject, StatusError } from '@weft/api'
import type { ApiResponse, ApiServer, WatchSink } from '@weft/apiserver'
import { configMapKind, createClient, type WatchEvent } from '@weft/client'
import { startControlPlane, startTestServer } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { inProcessTransport } from './in-process-transport.ts'

const user = { username: 'u', groups: [] }
const resource = { group: '', version: 'v1', plural: 'configmaps' }
const object = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })

/** A server that answers a watch, fed by the test. */
function watched(): { handle: ApiServer; sink: () => WatchSink; cancelled: () => number } {
  let sink: WatchSink | undefined
  let cancelled = 0
  const response: ApiResponse = {
    status: 200,
    body: {
      kind: 'watch',
      watch: {
        open(given) {
          sink = given
          return () => cancelled++
        },
      },
    },
  }
  return { handle: () => Promise.resolve(response), sink: () => sink as WatchSink, cancelled: () => cancelled }
}

const added = (name: string): Parameters<WatchSink['send']>[0][number] => ({
  type: 'ADDED',
  object: { object: object(name), json: Buffer.from('') },
})

describe('in-process transport', () => {
  it("hands out the server's own objects, without a copy", async () => {
    const server = await startTestServer()
    const created = await server.client.create({ ...object('a'), metadata: { name: 'a', namespace: 'default' } })
    const ref = { namespace: 'default', name: 'a' }
    expect(await server.client.get(configMapKind, ref)).toBe(created)
    expect((await server.client.list(configMapKind, { namespace: 'default', fieldSelector: 'metadata.name=a' })).items[0]).toBe(created)
    for await (const [event] of server.client.watch(configMapKind, { namespace: 'default', fieldSelector: 'metadata.name=a' })) {
      expect(event?.object).toBe(created)
      break
    }
    await server.close()
  })

  it('is subject to authorization like everybody', async () => {
    const server = await startTestServer()
    const client = server.clientAs({ username: 'nobody', groups: ['system:authenticated'] })
    await expect(client.list(configMapKind)).rejects.toMatchObject({ code: 403 })
    await expect(
      (async () => {
        for await (const _ of client.watch(configMapKind)) break
      })(),
    ).rejects.toMatchObject({ code: 403 })
    await server.close()
  })

  it('gathers events until they are read, and closes the watch when the reader leaves', async () => {
    const { handle, sink, cancelled } = watched()
    const events = inProcessTransport(handle, user).watch({ resource })[Symbol.asyncIterator]()
    const first = events.next()
    await new Promise((resolve) => setImmediate(resolve))
    sink().send([added('a')])
    sink().send([added('b'), added('c')])
    const names = ({ value }: IteratorResult<readonly WatchEvent[]>): unknown =>
      (value as readonly WatchEvent[]).map((event) => event.object.metadata.name)
    expect(names(await first)).toEqual(['a', 'b', 'c'])
    sink().send([added('d')])
    expect(names(await events.next())).toEqual(['d'])
    await events.return?.(undefined)
    expect(cancelled()).toBe(1)
  })

  it('delivers what came before an error, then throws it', async () => {
    const { handle, sink } = watched()
    const events = inProcessTransport(handle, user).watch({ resource })[Symbol.asyncIterator]()
    const first = events.next()
    await new Promise((resolve) => setImmediate(resolve))
    sink().send([
      added('a'),
      { type: 'ERROR', object: { object: { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' }, json: Buffer.from('') } },
    ])
    expect((await first).done).toBe(false)
    await expect(events.next()).rejects.toBeInstanceOf(StatusError)
  })

  it('ends the watch of a reader that does not keep up', async () => {
    const { handle, sink, cancelled } = watched()
    const events = inProcessTransport(handle, user).watch({ resource })[Symbol.asyncIterator]()
    const first = events.next()
    await new Promise((resolve) => setImmediate(resolve))
    sink().send([added('first')])
    await first
    sink().send(Array.from({ length: 70_000 }, () => added('x')))
    sink().send([added('too much')])
    expect(cancelled()).toBe(1)
    expect((await events.next()).done).toBe(false)
    expect((await events.next()).done).toBe(true)
  })

  it('does nothing for a caller that has given up before', async () => {
    let asked = 0
    const transport = inProcessTransport(() => Promise.resolve({ status: 200 + ++asked, body: { kind: 'object', object: {} } }), user)
    await expect(transport.request({ verb: 'create', resource, object: {}, signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow(
      'gone',
    )
    expect(asked).toBe(0)
  })

  it('refuses requests once it is closed, and ends its watches', async () => {
    const { handle } = watched()
    const transport = inProcessTransport(handle, user)
    const events = transport.watch({ resource })[Symbol.asyncIterator]()
    const waiting = events.next()
    await new Promise((resolve) => setImmediate(resolve))
    await transport.close()
    expect((await waiting).done).toBe(true)
    await expect(transport.request({ verb: 'list', resource })).rejects.toMatchObject({ name: 'ConnectionError' })
  })

  it('serves a whole control plane', async () => {
    const plane = await startControlPlane()
    const client = createClient({ transport: plane.transport })
    expect((await client.list({ group: '', kind: 'Namespace' })).items.length).toBeGreaterThan(0)
    await plane.stop()
  })
})
