import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseKubeconfig } from '../kubeconfig/kubeconfig.ts'
import type { ConnectionError } from '../transport/errors.ts'
import { isUnknownResource } from '../transport/errors.ts'
import type { Transport } from '../transport/transport.ts'
import { httpTransport } from './http-transport.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let server: Server
let transport: Transport
let answers: Answer[]
let seen: string[]
const pods = { group: '', version: 'v1', plural: 'pods' }
const slept: number[] = []
/** Waits are noted, not waited for. */
const clock = {
  now: () => 0,
  setTimeout: (callback: () => void, millis: number) => {
    slept.push(millis)
    return setImmediate(callback)
  },
  clearTimeout: (handle: unknown) => clearImmediate(handle as NodeJS.Immediate),
}

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
const reset: Answer = (request) => request.socket.destroy()

beforeEach(async () => {
  answers = []
  seen = []
  slept.length = 0
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim())
    request.resume()
    request.on('end', () => (answers.shift() ?? json(200, {}))(request, response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  transport = httpTransport({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`,
    token: 't',
    clock,
    random: () => 0,
  })
})

afterEach(async () => {
  await transport.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

describe('HTTP transport', () => {
  it('escapes paths, keeps the prefix of the server, and sends its token', async () => {
    await transport.request({
      verb: 'get',
      resource: { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterroles', name: 'system:a%/b' },
    })
    expect(seen).toEqual(['GET /base/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aa%25%2Fb Bearer t'])
  })

  it('waits as long as it is told when there are too many requests, whatever the verb', async () => {
    answers.push(json(429, {}, { 'retry-after': '3' }), json(429, {}, { 'retry-after': '5' }))
    await transport.request({ verb: 'create', resource: pods, object: {} })
    expect(seen).toHaveLength(3)
    expect(slept).toEqual([3000, 5000])
  })

  it('gives up in the end, with what the server said', async () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'TooManyRequests',
      message: 'later',
      code: 429,
    }
    answers.push(...Array.from({ length: 20 }, () => json(429, status, { 'retry-after': '1' })))
    await expect(transport.request({ verb: 'list', resource: pods })).rejects.toMatchObject({ status })
    expect(seen).toHaveLength(8)
  })

  it('repeats reads when the connection breaks, never writes', async () => {
    answers.push(reset, reset)
    expect((await transport.request({ verb: 'get', resource: { ...pods, name: 'a' } })).status).toBe(200)
    expect(seen).toHaveLength(3)
    answers.push(reset)
    const error = await transport.request({ verb: 'update', resource: { ...pods, name: 'a' }, object: {} }).catch((e: unknown) => e)
    expect(error).toMatchObject({ name: 'ConnectionError', code: 503, mayHaveTakenEffect: true })
    expect(seen).toHaveLength(4)
  })

  it('says when a request cannot have taken effect', async () => {
    const closed = httpTransport({ server: 'http://127.0.0.1:1', clock })
    const error = (await closed.request({ verb: 'create', resource: pods, object: {} }).catch((e: unknown) => e)) as ConnectionError
    expect(error).toMatchObject({
      name: 'ConnectionError',
      mayHaveTakenEffect: false,
      message: expect.stringContaining('http://127.0.0.1:1') as string,
    })
    await closed.close()
  })

  it.each([
    {
      reason: 'a Status',
      answer: json(409, { kind: 'Status', status: 'Failure', reason: 'Conflict', message: 'm' }),
      expected: { code: 409, reason: 'Conflict', message: 'm' },
      unknown: false,
    },
    {
      reason: 'an unknown path',
      answer: ((_, response) => response.writeHead(404).end('404 page not found')) as Answer,
      expected: { code: 404, reason: 'NotFound' },
      unknown: true,
    },
    {
      reason: 'a proxy that speaks HTML',
      answer: ((_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>')) as Answer,
      expected: { code: 502, reason: 'InternalError' },
      unknown: false,
    },
  ])('understands $reason', async ({ answer, expected, unknown }) => {
    answers.push(answer)
    const error = await transport.request({ verb: 'patch', resource: pods, patch: { type: 'merge', body: {} } }).catch((e: unknown) => e)
    expect(error).toMatchObject(expected)
    expect(isUnknownResource(error)).toBe(unknown)
  })

  it('asks for new credentials once when they are refused', async () => {
    let runs = 0
    const path = process.execPath
    const script = `console.log(JSON.stringify({kind:'ExecCredential',apiVersion:'client.authentication.k8s.io/v1',status:{token:'t'+process.pid}}))`
    const own = httpTransport({
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      exec: { apiVersion: 'client.authentication.k8s.io/v1', command: path, args: ['-e', script] },
    })
    answers.push((_request, response) => {
      runs++
      response.writeHead(401).end()
    })
    expect((await own.request({ verb: 'create', resource: pods, object: {} })).status).toBe(200)
    expect(runs).toBe(1)
    const tokens = seen.map((line) => line.split('Bearer ')[1])
    expect(tokens).toHaveLength(2)
    expect(tokens[0]).not.toBe(tokens[1])
    await own.close()
  })

  it('reads warnings', async () => {
    answers.push(json(200, {}, { warning: '299 - "one \\"a\\"", 299 - "two"' }))
    expect((await transport.request({ verb: 'get', resource: pods })).warnings).toEqual(['one "a"', 'two'])
  })

  it('reports a watch that is refused, and one that breaks', async () => {
    const run = async (): Promise<number> => {
      let count = 0
      for await (const batch of transport.watch({ resource: pods })) count += batch.length
      return count
    }
    answers.push(json(403, { kind: 'Status', status: 'Failure', reason: 'Forbidden', message: 'no' }))
    await expect(run()).rejects.toMatchObject({ code: 403 })
    answers.push((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .write('{"type":"ADDED","object":{"metadata":{}}}\n', () => response.destroy())
    })
    await expect(run()).rejects.toMatchObject({ name: 'ConnectionError' })
    answers.push((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"type":"ADDED","object":{"metadata":{}}}\n'),
    )
    expect(await run()).toBe(1)
  })
})

describe('TLS', () => {
  it('trusts the authority of the kubeconfig and no other', async () => {
    const test = await startTestServer()
    const { kubeconfig } = await test.listen()
    const { ca: _ca, ...config } = await parseKubeconfig(kubeconfig)
    const distrusting = httpTransport(config)
    await expect(distrusting.request({ verb: 'create', resource: pods, object: {} })).rejects.toMatchObject({
      name: 'ConnectionError',
      mayHaveTakenEffect: false,
    })
    const careless = httpTransport({ ...config, insecureSkipTlsVerify: true })
    expect((await careless.request({ verb: 'read', path: '/version' })).status).toBe(200)
    await Promise.all([distrusting.close(), careless.close()])
    await test.close()
  })
})
