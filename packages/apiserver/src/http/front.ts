import { once } from 'node:events'
import { createSecureServer, type Http2SecureServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { TLSSocket } from 'node:tls'
import { requestEntityTooLarge } from '@weft/api'
import type { ApiRequest, ApiResponse, Credentials, RequestBody } from '../endpoints/exchange.ts'
import type { ApiServer } from '../endpoints/server.ts'
import { encodeBody } from './encode.ts'
import { writeWatch } from './watch-writer.ts'

export interface FrontOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly key: string
  readonly cert: string
  /** Client certificates that chain to this CA are authenticated. */
  readonly ca: string
}

/** The only socket code: HTTPS with HTTP/1.1 and HTTP/2 on one port. */
export interface Front {
  readonly port: number
  /** Stops listening, ends watches, lets requests in flight finish for at most `graceMs`, then closes every connection. */
  close(graceMs: number): Promise<void>
}

export async function listen(server: ApiServer, options: FrontOptions): Promise<Front> {
  const { key, cert, ca, host, port } = options
  const connections = new Connections()
  const https = createSecureServer({ key, cert, ca, requestCert: true, rejectUnauthorized: false, allowHTTP1: true, ALPNProtocols: ['h2', 'http/1.1'] })
  https.on('connection', (socket: Socket) => connections.add(socket))
  https.on('session', (session: ServerHttp2Session) => connections.addSession(session))
  https.on('request', (request: IncomingMessage, response: ServerResponse) => void serveHttp1(server, connections, request, response))
  // A 'request' listener makes node install its HTTP/2 compatibility layer; streams are served directly instead.
  https.removeAllListeners('stream')
  https.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void serveHttp2(server, connections, stream, headers))
  https.on('sessionError', () => undefined)
  https.on('tlsClientError', () => undefined)
  tuneHttp1(https)
  https.listen(port, host)
  await once(https, 'listening')
  return { port: (https.address() as AddressInfo).port, close: (graceMs) => connections.drain(https, graceMs) }
}

/** Properties of the HTTP/1 side that http2's typings do not show: long watches must not be timed out. */
function tuneHttp1(https: Http2SecureServer): void {
  Object.assign(https, { keepAliveTimeout: 90_000, headersTimeout: 60_000, requestTimeout: 0, timeout: 0 })
}

/** Open connections and requests, so that a stop can be orderly. */
class Connections {
  readonly #sockets = new Set<Socket>()
  readonly #sessions = new Set<ServerHttp2Session>()
  readonly #watches = new Set<() => void>()
  #inFlight = 0
  #idle: (() => void) | undefined
  draining = false

  add(socket: Socket): void {
    socket.setNoDelay(true)
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  addSession(session: ServerHttp2Session): void {
    this.#sessions.add(session)
    session.once('close', () => this.#sessions.delete(session))
  }

  begin(): void {
    this.#inFlight++
  }

  end(): void {
    if (--this.#inFlight === 0) this.#idle?.()
  }

  addWatch(end: () => void): () => void {
    this.#watches.add(end)
    return () => this.#watches.delete(end)
  }

  async drain(https: Http2SecureServer, graceMs: number): Promise<void> {
    this.draining = true
    const closed = new Promise<void>((resolve) => https.close(() => resolve()))
    for (const end of [...this.#watches]) end()
    for (const session of this.#sessions) session.close()
    if (this.#inFlight > 0) {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        new Promise<void>((resolve) => (this.#idle = resolve)),
        new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs))),
      ])
      clearTimeout(timer)
    }
    for (const session of this.#sessions) session.destroy()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

async function serveHttp1(server: ApiServer, connections: Connections, message: IncomingMessage, output: ServerResponse): Promise<void> {
  const abort = new AbortController()
  output.once('close', () => abort.abort())
  message.on('error', () => abort.abort())
  output.on('error', () => abort.abort())
  connections.begin()
  try {
    const { headers } = message
    const request = toRequest({
      method: message.method ?? 'GET',
      url: message.url ?? '/',
      header: (name) => single(headers[name]),
      rawHeaders: message.rawHeaders,
      body: hasBody(headers) ? { kind: 'bytes', read: (limit) => readAll(message, limit) } : { kind: 'none' },
      socket: message.socket as TLSSocket,
      signal: abort.signal,
    })
    const response = await server(request)
    if (!message.readableEnded && hasBody(headers)) output.setHeader('connection', 'close')
    const headersOut = headersOf(response)
    if (connections.draining) headersOut['connection'] = 'close'
    if (response.body.kind === 'watch') {
      output.writeHead(response.status, { ...headersOut, 'content-type': 'application/json' })
      output.flushHeaders()
      const stop = writeWatch(response.body.watch, output, () => output.destroy())
      const forget = connections.addWatch(() => {
        stop()
        output.end()
      })
      abort.signal.addEventListener('abort', () => (stop(), forget()))
      return
    }
    if (response.body.kind === 'stream') {
      output.writeHead(response.status, { ...headersOut, 'content-type': response.body.contentType })
      await pipeline(response.body.open(), output)
      return
    }
    const { contentType, bytes } = encodeBody(response)
    headersOut['content-type'] = contentType
    headersOut['content-length'] = String(bytes.length)
    output.writeHead(response.status, headersOut)
    output.end(message.method === 'HEAD' ? undefined : bytes)
  } catch {
    // The client is gone, or its connection is beyond use.
    output.destroy()
  } finally {
    connections.end()
  }
}

async function serveHttp2(server: ApiServer, connections: Connections, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
  const abort = new AbortController()
  stream.once('close', () => abort.abort())
  stream.on('error', () => abort.abort())
  connections.begin()
  try {
    const method = headers[':method'] ?? 'GET'
    const request = toRequest({
      method,
      url: headers[':path'] ?? '/',
      header: (name) => single(headers[name]),
      rawHeaders: Object.entries(headers).flatMap(([name, value]) => (Array.isArray(value) ? value : [value ?? '']).flatMap((v) => [name, String(v)])),
      body: method === 'GET' || method === 'HEAD' || stream.endAfterHeaders ? { kind: 'none' } : { kind: 'bytes', read: (limit) => readAll(stream, limit) },
      socket: stream.session?.socket as TLSSocket,
      signal: abort.signal,
    })
    const response = await server(request)
    if (stream.destroyed) return
    const headersOut: Record<string, string | number | readonly string[]> = { ':status': response.status, ...headersOf(response) }
    if (response.body.kind === 'watch') {
      stream.respond({ ...headersOut, 'content-type': 'application/json' })
      const stop = writeWatch(response.body.watch, stream, () => stream.close())
      const forget = connections.addWatch(() => {
        stop()
        stream.end()
      })
      abort.signal.addEventListener('abort', () => (stop(), forget()))
      return
    }
    if (response.body.kind === 'stream') {
      stream.respond({ ...headersOut, 'content-type': response.body.contentType })
      await pipeline(response.body.open(), stream)
      return
    }
    const { contentType, bytes } = encodeBody(response)
    stream.respond({ ...headersOut, 'content-type': contentType, 'content-length': bytes.length })
    stream.end(method === 'HEAD' ? undefined : bytes)
  } catch {
    stream.close()
  } finally {
    connections.end()
  }
}

interface RawRequest {
  readonly method: string
  readonly url: string
  readonly header: (name: string) => string | undefined
  readonly rawHeaders: readonly string[]
  readonly body: RequestBody
  readonly socket: TLSSocket
  readonly signal: AbortSignal
}

const NO_QUERY = new URLSearchParams()

function toRequest({ method, url, header, rawHeaders, body, socket, signal }: RawRequest): ApiRequest {
  const mark = url.indexOf('?')
  return {
    method,
    path: decodePath(mark < 0 ? url : url.slice(0, mark)),
    query: mark < 0 ? NO_QUERY : new URLSearchParams(url.slice(mark + 1)),
    header,
    headersWithPrefix: (prefix) => headersWithPrefix(rawHeaders, prefix),
    body,
    credentials: credentialsOf(socket),
    remoteAddress: socket.remoteAddress ?? '',
    signal,
  }
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const certificates = new WeakMap<TLSSocket, Credentials>()

/** The client certificate of a connection does not change: look once. */
function credentialsOf(socket: TLSSocket): Credentials {
  let credentials = certificates.get(socket)
  if (credentials === undefined) {
    const raw = socket.getPeerX509Certificate()?.raw
    credentials = raw === undefined ? { kind: 'network' } : { kind: 'network', peerCertificate: { raw, verified: socket.authorized } }
    certificates.set(socket, credentials)
  }
  return credentials
}

function headersWithPrefix(raw: readonly string[], prefix: string): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase()
    if (name.startsWith(prefix)) found.push([name, raw[i + 1] as string])
  }
  return found
}

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(', ') : value)

const hasBody = (headers: IncomingMessage['headers']): boolean => headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

async function readAll(source: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > limit) throw requestEntityTooLarge(`limit is ${limit}`)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

function headersOf({ headers, warnings }: ApiResponse): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = { 'cache-control': 'no-cache, private', ...headers }
  if (warnings !== undefined && warnings.length > 0) result['warning'] = warnings.map((text) => `299 - ${JSON.stringify(text)}`)
  return result
}
