import { connect } from 'node:http2'
import { request } from 'node:https'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from './api-server.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const configMap = (name: string, data: object = {}): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { load: 'yes' } }, data })

let api: TestApi
afterEach(() => api.stop())

describe('limits that hold', () => {
  it('a watcher that does not read is cut off, and the others get every event', async () => {
    api = await startTestApi()
    const stalled = await new Promise<{ readonly closed: Promise<void> }>((resolve, reject) => {
      const call = request(`${api.address}${CONFIG_MAPS}?watch=1`, { ca: api.ca, agent: false, headers: { authorization: `Bearer ${api.token}` } }, (answer) => {
        // Never read: the socket fills up.
        resolve({ closed: new Promise((done) => answer.socket.once('close', () => done())) })
        answer.on('error', () => undefined)
      })
      call.on('error', reject)
      call.end()
    })
    const reading = api.watch({ method: 'GET', path: `${CONFIG_MAPS}?watch=1&labelSelector=load` }, (events) => events.length >= 60, 30_000)
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (let i = 0; i < 60; i++) expect((await api.send({ method: 'POST', path: CONFIG_MAPS, body: configMap(`big-${i}`, { fill: 'x'.repeat(500_000) }) })).status).toBe(201)
    const { events } = await reading
    expect(events.map((event) => (event as { object: { metadata: { name: string } } }).object.metadata.name)).toEqual(Array.from({ length: 60 }, (_, i) => `big-${i}`))
    await stalled.closed
    expect((await api.send({ method: 'GET', path: '/readyz' })).status).toBe(200)
  })

  it('a noisy client gets 429 with Retry-After while another is served', async () => {
    api = await startTestApi({ fairness: { readSeats: 2, writeSeats: 2, queueLength: 4, queueWaitMs: 2000 } as never })
    const noisy = Array.from({ length: 400 }, (_, i) => api.send({ method: 'POST', path: CONFIG_MAPS, body: configMap(`noise-${i}`) }))
    const other = await api.send({ method: 'GET', path: '/api/v1/namespaces/default', headers: { authorization: 'Bearer somebody' } })
    const answers = await Promise.all(noisy)
    const refused = answers.filter(({ status }) => status === 429)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 429]))
    expect(refused[0]).toMatchObject({ body: { kind: 'Status', reason: 'TooManyRequests', code: 429 }, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
    // Forbidden, but not turned away: it had its turn.
    expect(other.status).toBe(403)
  })
})

describe('HTTP/2', () => {
  it('serves requests and watches on one connection', async () => {
    api = await startTestApi()
    const session = connect(api.address, { ca: api.ca })
    const open = (path: string, method = 'GET', body?: object): ReturnType<typeof session.request> => {
      const stream = session.request({ ':path': path, ':method': method, authorization: `Bearer ${api.token}`, ...(body && { 'content-type': 'application/json' }) })
      stream.setEncoding('utf8')
      stream.end(body === undefined ? undefined : JSON.stringify(body))
      return stream
    }
    const text = async (stream: AsyncIterable<string>): Promise<string> => {
      let all = ''
      for await (const chunk of stream) all += chunk
      return all
    }
    const watch = open(`${CONFIG_MAPS}?watch=1&labelSelector=load`)
    const first = new Promise<string>((resolve) => watch.once('data', resolve))
    await new Promise((resolve) => watch.once('response', resolve))
    expect(JSON.parse(await text(open(CONFIG_MAPS, 'POST', configMap('two'))))).toMatchObject({ kind: 'ConfigMap' })
    expect(JSON.parse(await first)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'two' } } })
    expect(JSON.parse(await text(open(`${CONFIG_MAPS}/two`)))).toMatchObject({ metadata: { name: 'two' } })
    watch.close()
    session.close()
  })
})
