import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createForwarder, type ForwardAnswer, type Forwarder } from './forwarder.ts'

let server: Server
let seen: string[]
let answer: (request: IncomingMessage, response: ServerResponse) => void
const forwarders: Forwarder[] = []

beforeEach(async () => {
  seen = []
  answer = (_request, response) => void response.end('{}')
  server = createServer((request, response) => {
    const { authorization = '', 'impersonate-user': user = '' } = request.headers
    seen.push([request.method, request.url, authorization, user].filter((part) => part !== '').join(' '))
    request.resume().on('end', () => answer(request, response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  for (const forwarder of forwarders.splice(0)) await forwarder.close()
  server.closeAllConnections()
  server.close()
})

function forwarder(options: Partial<Parameters<typeof createForwarder>[0]>): Forwarder {
  const made = createForwarder({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`, ...options })
  forwarders.push(made)
  return made
}

async function textOf({ body }: ForwardAnswer): Promise<string> {
  let text = ''
  for await (const chunk of body as AsyncIterable<Buffer>) text += chunk.toString()
  return text
}

describe('forwarder', () => {
  it('adds its credentials and the prefix of the server, and passes the answer on as it comes', async () => {
    answer = (_request, response) => void response.writeHead(418, { 'x-kind': 'teapot' }).end('short and stout')
    const given = await forwarder({ token: 't', impersonate: { username: 'jane' } }).forward({
      method: 'GET',
      path: '/api?x=%2F',
      headers: {},
    })
    expect(given).toMatchObject({ status: 418, headers: { 'x-kind': 'teapot' } })
    expect(await textOf(given)).toBe('short and stout')
    expect(seen).toEqual(['GET /base/api?x=%2F Bearer t jane'])
  })

  it('sends the body again with fresh credentials when the first ones are refused', async () => {
    const script = `console.log(JSON.stringify({kind:'ExecCredential',apiVersion:'client.authentication.k8s.io/v1',status:{token:'t'+process.pid}}))`
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', script] }
    answer = (_request, response) => void response.writeHead(seen.length === 1 ? 401 : 201).end()
    const { status } = await forwarder({ exec }).forward({ method: 'POST', path: '/api', headers: {}, body: Buffer.from('{}') })
    expect(status).toBe(201)
    expect(seen).toHaveLength(2)
    expect(seen[0]).not.toBe(seen[1])
  })

  it('answers 401 when there are no others', async () => {
    answer = (_request, response) => void response.writeHead(401).end()
    expect((await forwarder({ token: 't' }).forward({ method: 'GET', path: '/api', headers: {} })).status).toBe(401)
    expect(seen).toHaveLength(1)
  })

  it('ends a stream when whoever asked goes away', async () => {
    const gone = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        response.on('close', resolve)
        response.write('{}\n')
      }
    })
    const abort = new AbortController()
    const { body } = await forwarder({}).forward({ method: 'GET', path: '/w', headers: {}, streaming: true, signal: abort.signal })
    body.on('error', () => undefined)
    abort.abort()
    await gone
    expect(abort.signal.aborted).toBe(true)
  })

  it('rejects when nobody answers', async () => {
    const closed = createForwarder({ server: 'http://127.0.0.1:1' })
    await expect(closed.forward({ method: 'GET', path: '/', headers: {} })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await closed.close()
  })
})
