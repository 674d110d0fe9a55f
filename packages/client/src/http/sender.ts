import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions, TLSSocket } from 'node:tls'
import { type Clock, systemClock } from '../clock.ts'
import { SocketError } from './socket-error.ts'
import { type Proxy, tunnel } from './tunnel.ts'

const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000

export interface SenderOptions {
  readonly server: URL
  readonly tls: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'>
  readonly maxConnections: number
  readonly lookup?: LookupFunction | undefined
  readonly proxy?: Proxy | undefined
  /** For how long connecting may take. */
  readonly clock?: Clock | undefined
}

export interface SentRequest {
  readonly method: string
  /** Encoded, with its query. */
  readonly path: string
  readonly headers: Iterable<readonly [name: string, value: string]>
  readonly body?: string | Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
  /** How long the server may be silent before its answer begins, and within it. */
  readonly silenceMs: { readonly before: number; readonly within: number }
}

/**
 * Requests to one server, over connections that are kept. By Node's own client: it costs a controller no more than undici, and a command that asks once does not
 * have to load 700 KB first.
 */
export class Sender {
  readonly #server: URL
  readonly #agent: HttpAgent | HttpsAgent
  readonly #clock: Clock

  constructor({ server, tls, maxConnections, lookup, proxy, clock = systemClock }: SenderOptions) {
    this.#server = server
    this.#clock = clock
    const kept = {
      keepAlive: true,
      keepAliveMsecs: 30_000,
      maxSockets: maxConnections,
      timeout: IDLE_TIMEOUT_MS,
      ...(lookup !== undefined && { lookup }),
    }
    this.#agent = server.protocol === 'http:' ? new HttpAgent(kept) : new HttpsAgent({ ...kept, ...tls })
    if (proxy !== undefined) Object.assign(this.#agent, { createConnection: connectThrough(proxy, server.protocol !== 'http:') })
  }

  /** The head of the answer; its body must be read or destroyed. Rejects with what the socket says, its `code` included. */
  send({ method, path, headers, body, signal, silenceMs }: SentRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { protocol, hostname, port } = this.#server
      const request = (protocol === 'http:' ? httpRequest : httpsRequest)({
        protocol,
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port,
        method,
        path,
        // Node says the length of what it sends with POST, and forgets it with DELETE.
        headers: { ...grouped(headers), ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
        agent: this.#agent,
        ...(signal !== undefined && { signal }),
      })
      limitConnecting(request, this.#clock)
      let waiting: ClientRequest | IncomingMessage = request
      request.on('timeout', () => waiting.destroy(new SocketError('ETIMEDOUT', 'the server is silent')))
      request.setTimeout(silenceMs.before)
      request.once('response', (answer) => {
        waiting = answer
        request.setTimeout(silenceMs.within)
        resolve(answer)
      })
      // After the answer has begun, whoever reads it is told by it.
      request.on('error', reject)
      request.end(body)
    })
  }

  /** For a sender that gets no more requests: those in flight finish, and connections close once they are idle. */
  retire(): void {
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
  }

  /** Requests in flight fail. */
  destroy(): void {
    this.#agent.destroy()
  }
}

/**
 * A system tries for minutes to connect to an address that answers nothing. Only until the connection is there: a request that waited in line is given one
 * that others have used, and Node does not say so.
 */
function limitConnecting(request: ClientRequest, clock: Clock): void {
  request.once('socket', (socket) => {
    const secure = socket instanceof TLSSocket
    if (secure ? socket.getFinished() !== undefined : !socket.connecting) return
    const late = clock.setTimeout(() => request.destroy(new SocketError('ECONNECTTIMEOUT', 'no connection in time')), CONNECT_TIMEOUT_MS)
    const inTime = (): void => clock.clearTimeout(late)
    socket.once(secure ? 'secureConnect' : 'connect', inTime)
    request.once('close', inTime)
  })
}

type Connected = (error: Error | null, socket?: Socket) => void

const connectThrough =
  (proxy: Proxy, secure: boolean) =>
  (options: ConnectionOptions, connected: Connected): void => {
    tunnel(proxy, `${options.host?.includes(':') === true ? `[${options.host}]` : options.host}:${options.port}`).then(
      (socket) => connected(null, secure ? connectTls({ ...options, socket, ALPNProtocols: ['http/1.1'] }) : socket),
      (error: unknown) => connected(error as Error),
    )
  }

function grouped(headers: SentRequest['headers']): Record<string, string | string[]> {
  const grouped: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of headers) {
    const before = grouped[name]
    grouped[name] = before === undefined ? value : [before, value].flat()
  }
  return grouped
}
