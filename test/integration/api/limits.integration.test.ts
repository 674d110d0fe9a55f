import { connect } from 'node:http2'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { afterEach, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from './api-server.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const configMap = (name: string, data: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { load: 'yes' } },
  data,
})

let api: TestApi
afterEach(() => api.stop())

describe('limits that hold', () => {
  it('a watcher that does not read is cut off, and the others get every event', async () => {
    api = await startTestApi()
    const stalled = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = request(
        `${api.address}${CONFIG_MAPS}?watch=1`,
        { ca: api.ca, agent: false, headers: { authorization: `Bearer ${api.token}` } },
        (answer) => {
          answer.on('error', () => undefined)
          // Not read: the socket fills up.
          resolve(answer.pause())
        },
      )
      call.on('error', reject)
      call.end()
    })
    const reading = api.watch({ method: 'GET', path: `${CONFIG_MAPS}?watch=1&labelSelector=load` }, (events) => events.length >= 60, 30_000)
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (let i = 0; i < 60; i++)
      expect(
        (await api.send({ method: 'POST', path: CONFIG_MAPS, body: configMap(`big-${i}`, { fill: 'x'.repeat(500_000) }) })).status,
      ).toBe(201)
    const { events } = await reading
    expect(events.map((event) => (event as { object: { metadata: { name: string } } }).object.metadata.name)).toEqual(
      Array.from({ length: 60 }, (_, i) => `big-${i}`),
    )
    let received = 0
    stalled.on('data', (chunk: Buffer) => (received += chunk.length))
    await new Promise((resolve) => stalled.once('close', resolve).resume())
    expect(received).toBeLessThan(25_000_000)
    expect((await api.send({ method: 'GET', path: '/readyz' })).status).toBe(200)
  })

  it('a noisy client gets 429 with Retry-After while another is served', async () => {
    api = await startTestApi({ fairness: { seats: 100, waitMillis: 20_000 } })
    const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1'
    const narrow = { queuing: { queues: 2, handSize: 1, queueLengthLimit: 8 }, type: 'Queue' }
    await api.send({
      method: 'POST',
      path: `${flowControl}/prioritylevelconfigurations`,
      body: {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'PriorityLevelConfiguration',
        metadata: { name: 'narrow' },
        spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, borrowingLimitPercent: 0, limitResponse: narrow } },
      },
    })
    await api.send({
      method: 'POST',
      path: `${flowControl}/flowschemas`,
      body: {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'FlowSchema',
        metadata: { name: 'narrow' },
        spec: {
          priorityLevelConfiguration: { name: 'narrow' },
          matchingPrecedence: 500,
          distinguisherMethod: { type: 'ByUser' },
          rules: [
            {
              subjects: ['noisy', 'somebody'].map((name) => ({ kind: 'User', user: { name } })),
              resourceRules: [{ verbs: ['create'], apiGroups: ['*'], resources: ['configmaps'], namespaces: ['*'] }],
            },
          ],
        },
      },
    })
    const subjects = ['somebody', 'noisy'].map((name) => ({ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' }))
    await api.send({
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'all' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects,
      },
    })
    const as = (token: string): { headers: Record<string, string> } => ({ headers: { authorization: `Bearer ${token}` } })
    const noisy = Array.from({ length: 32 }, (_, i) =>
      api.send({ method: 'POST', path: CONFIG_MAPS, body: configMap(`noise-${i}`, { fill: 'x'.repeat(200_000) }), ...as('noisy') }),
    )
    const others = Array.from({ length: 4 }, (_, i) =>
      api.send({ method: 'POST', path: CONFIG_MAPS, body: configMap(`other-${i}`), ...as('somebody') }),
    )
    const answers = await Promise.all(noisy)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 429]))
    const refused = answers.find(({ status }) => status === 429)
    expect(refused).toMatchObject({
      body: { kind: 'Status', reason: 'TooManyRequests', code: 429 },
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    })
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([201, 201, 201, 201])
  })

  it('an object counts as it would be stored: what is little in protobuf may be much in JSON', async () => {
    api = await startTestApi()
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles'
    const rule = { apiGroups: ['g'], resources: ['p'], verbs: ['v'] }
    const post = (name: string, rules: readonly object[]): ReturnType<TestApi['send']> =>
      api.send({ method: 'POST', path, body: { metadata: { name }, rules } })
    const many = Array.from({ length: 50_000 }, () => rule)
    expect(JSON.stringify(many).length).toBeGreaterThan(2 * 1024 * 1024)
    expect((await post('many', many)).status).toBe(201)
    const text = (length: number): object[] => [{ ...rule, resourceNames: ['x'.repeat(length)] }]
    expect((await post('fits', text(1_572_000))).status).toBe(201)
    expect(await post('large', text(1_573_000))).toMatchObject({ status: 500, body: { message: 'etcdserver: request is too large' } })
    expect(await post('larger', text(2_200_000))).toMatchObject({
      status: 500,
      body: { message: expect.stringMatching(/^rpc error: code = ResourceExhausted desc = .* \(22\d{5} vs\. 2097152\)$/) },
    })
    expect((await api.send({ method: 'GET', path: `${path}/many` })).body).toMatchObject({ rules: many })
  })
})

describe('HTTP/2', () => {
  it('serves requests and watches on one connection', async () => {
    api = await startTestApi()
    const session = connect(api.address, { ca: api.ca })
    const open = (path: string, method = 'GET', body?: object): ReturnType<typeof session.request> => {
      const stream = session.request({
        ':path': path,
        ':method': method,
        authorization: `Bearer ${api.token}`,
        ...(body && { 'content-type': 'application/json' }),
      })
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
