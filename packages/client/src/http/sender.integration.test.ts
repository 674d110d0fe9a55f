import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { eventually, startTestServer } from '@weft/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Clock } from '../clock.ts'
import { parseKubeconfig } from '../kubeconfig/kubeconfig.ts'
import type { HttpTransportOptions } from './http-options.ts'
import { httpTransport } from './http-transport.ts'
import { Sender } from './sender.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const listen = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const transportTo = (options: HttpTransportOptions): ReturnType<typeof httpTransport> => {
  const transport = httpTransport({ maxTries: 1, ...options })
  cleanups.push(() => transport.close())
  return transport
}

const namespace = { group: '', version: 'v1', plural: 'namespaces', name: 'default' }

/** A proxy that makes tunnels, and notes for whom and where to. */
async function startProxy(answer?: (response: { write(text: string): void }) => void): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = []
  const clients: Duplex[] = []
  const proxy = createServer((_request, response: ServerResponse) => void response.writeHead(404).end('a page'))
  proxy.on('connect', (request, client, head) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    client.on('error', () => {})
    clients.push(client)
    if (answer !== undefined) return answer(client)
    const [host, port] = (request.url ?? '').split(':')
    const target = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.write(head)
      target.pipe(client).pipe(target)
    })
    target.on('error', () => client.destroy())
    client.on('close', () => target.destroy())
    target.on('close', () => client.destroy())
  })
  const address = await listen(proxy)
  cleanups.push(async () => clients.forEach((client) => client.destroy()))
  return { address, asked }
}

describe('requests through a proxy', () => {
  it('speaks TLS with the server inside the tunnel, keeps the tunnel, and proves itself to the proxy', async () => {
    const server = await startTestServer()
    cleanups.push(() => server.close())
    const { kubeconfig } = await server.listen()
    const proxy = await startProxy()
    const options = await parseKubeconfig(kubeconfig)
    const transport = transportTo({ ...options, proxyUrl: `http://user:p%40ss@${proxy.address}` })
    for (let i = 0; i < 3; i++)
      expect((await transport.request({ verb: 'get', resource: namespace })).body).toMatchObject({ metadata: { name: 'default' } })
    expect(proxy.asked).toEqual([`${new URL(options.server).host} Basic ${Buffer.from('user:p@ss').toString('base64')}`])
  })

  it('says what the proxy answers, and that nothing was sent', async () => {
    const proxy = await startProxy((client) => client.write('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
    const transport = transportTo({ server: 'https://kubernetes.example:6443', proxyUrl: `http://${proxy.address}` })
    await expect(transport.request({ verb: 'create', resource: { ...namespace, name: '' }, object: {} })).rejects.toMatchObject({
      name: 'ConnectionError',
      mayHaveTakenEffect: false,
      message: expect.stringContaining(
        `the proxy ${proxy.address} answers 407 Proxy Authentication Required when asked to connect to kubernetes.example:6443`,
      ),
    })
  })

  it('refuses a kind of proxy that it does not speak', async () => {
    const transport = transportTo({ server: 'https://kubernetes.example', proxyUrl: 'socks5://127.0.0.1:1' })
    await expect(transport.request({ verb: 'get', resource: namespace })).rejects.toThrow(
      'the proxy 127.0.0.1:1 is reached by socks5, which is not supported: name one with http:// or https://',
    )
  })
})

describe('connecting', () => {
  const PATIENT = { before: 600_000, within: 600_000 }
  /** A clock on which ten minutes go by as soon as they are asked for. */
  const clockOf = (waits: Map<object, () => void>): Clock => ({
    now: () => 0,
    setTimeout: (callback) => {
      const handle = {}
      waits.set(handle, callback)
      return handle
    },
    clearTimeout: (handle) => void waits.delete(handle as object),
  })

  it('is limited, and nothing else: not a request that waits in line', async () => {
    const held: (() => void)[] = []
    const answer = (_request: unknown, response: ServerResponse): void => {
      const end = (): void => void response.end('answered')
      // All but the first are under way when time goes by.
      if (held.push(end) === 1) end()
    }
    const address = await listen(createServer(answer))
    const waits = new Map<object, () => void>()
    const sender = new Sender({ server: new URL(`http://${address}`), tls: {}, maxConnections: 2, clock: clockOf(waits) })
    cleanups.push(async () => sender.destroy())
    const asked = Array.from({ length: 9 }, async () => {
      const response = await sender.send({ method: 'GET', path: '/', headers: [], silenceMs: PATIENT })
      let text = ''
      for await (const chunk of response as AsyncIterable<Buffer>) text += chunk.toString()
      return text
    })
    for (let answered = 1; answered < 9; answered++) {
      await eventually(async () => expect(held.length).toBeGreaterThan(answered))
      for (const pass of waits.values()) pass()
      held[answered]?.()
    }
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 9 }, () => 'answered'))
    expect(waits.size, 'no wait is left behind').toBe(0)
  })

  it('is limited once for each connection, over TLS too', async () => {
    const server = await startTestServer()
    cleanups.push(() => server.close())
    const { ca, cert, key, server: url } = await parseKubeconfig((await server.listen()).kubeconfig)
    const waits = new Map<object, () => void>()
    const clock = clockOf(waits)
    const limits = vi.spyOn(clock, 'setTimeout')
    const sender = new Sender({ server: new URL(url), tls: { ca, cert, key }, maxConnections: 2, clock })
    cleanups.push(async () => sender.destroy())
    const ask = async (): Promise<void> => {
      const answer = await sender.send({ method: 'GET', path: '/version', headers: [], silenceMs: PATIENT })
      for await (const _ of answer as AsyncIterable<Buffer>) expect(waits.size).toBeLessThan(2)
    }
    await Promise.all(Array.from({ length: 40 }, ask))
    expect(limits).toHaveBeenCalledTimes(2)
    expect(waits.size).toBe(0)
  })

  it('gives up on an address that does not answer, and says that nothing was sent', async () => {
    const waits = new Map<object, () => void>()
    // It takes connections and says nothing: to be secure takes two.
    const silent = createNetServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    cleanups.push(async () => void silent.close())
    const server = new URL(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`)
    const sender = new Sender({ server, tls: {}, maxConnections: 1, clock: clockOf(waits) })
    cleanups.push(async () => sender.destroy())
    const sent = sender.send({ method: 'GET', path: '/', headers: [], silenceMs: PATIENT })
    sent.catch(() => undefined)
    await eventually(async () => expect(waits.size).toBe(1))
    for (const pass of waits.values()) pass()
    await expect(sent).rejects.toMatchObject({ code: 'ECONNECTTIMEOUT' })
  })
})

describe('answers and headers', () => {
  it('stops reading an answer that is larger than it may be', async () => {
    let sent = 0
    const address = await listen(
      createServer((_request, response) => {
        const chunk = Buffer.alloc(64 * 1024, 32)
        const more = (): void => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length
        }
        response.on('drain', more)
        more()
      }),
    )
    const transport = transportTo({ server: `http://${address}`, maxAnswerBytes: 1024 * 1024 })
    await expect(transport.request({ verb: 'get', resource: namespace })).rejects.toMatchObject({ cause: { code: 'EANSWERTOOLARGE' } })
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  it('repeats a header for each group of the user who is impersonated', async () => {
    let seen: unknown
    const address = await listen(
      createServer((request, response) => {
        seen = request.headersDistinct['impersonate-group']
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      }),
    )
    const transport = transportTo({ server: `http://${address}`, impersonate: { username: 'jane', groups: ['a', 'b', 'c'] } })
    await transport.request({ verb: 'get', resource: namespace })
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('reads characters that come in pieces', async () => {
    const text = Buffer.from(JSON.stringify({ text: 'Größe €' }))
    const address = await listen(
      createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const pieces = [...text].map((byte) => Buffer.of(byte))
        const next = (): void => {
          const piece = pieces.shift()
          if (piece === undefined) response.end()
          else response.write(piece, () => setImmediate(next))
        }
        next()
      }),
    )
    const transport = transportTo({ server: `http://${address}` })
    expect((await transport.request({ verb: 'get', resource: namespace })).body).toEqual({ text: 'Größe €' })
  })
})
