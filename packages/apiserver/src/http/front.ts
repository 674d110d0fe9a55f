import { once } from 'node:events'
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { ApiServer } from '../endpoints/server.ts'
import { Connections } from './connections.ts'
import { serveHttp1 } from './http1.ts'
import { serveHttp2 } from './http2.ts'

export interface FrontOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly key: string
  readonly cert: string
  /** Client certificates that chain to this CA are authenticated. */
  readonly ca: string
  /** Told of answers that could not be sent through a fault of the server. */
  readonly onError?: (what: string, error: unknown) => void
}

/** The only socket code: HTTPS with HTTP/1.1 and HTTP/2 on one port. */
export interface Front {
  readonly port: number
  /** New connections get this certificate; those that are open keep theirs. */
  renew(pair: Pick<FrontOptions, 'key' | 'cert' | 'ca'>): void
  /** Stops listening, ends watches, lets requests in flight finish for at most `graceMs`, then closes every connection. */
  close(graceMs: number): Promise<void>
}

export async function listen(server: ApiServer, options: FrontOptions): Promise<Front> {
  const { key, cert, ca, host, port } = options
  const connections = new Connections(options.onError ?? (() => undefined))
  const https = createSecureServer({
    key,
    cert,
    ca,
    requestCert: true,
    rejectUnauthorized: false,
    allowHTTP1: true,
    ALPNProtocols: ['h2', 'http/1.1'],
  })
  https.on('connection', (socket: Socket) => connections.add(socket))
  https.on('session', (session: ServerHttp2Session) => connections.addSession(session))
  https.on('request', (request: IncomingMessage, response: ServerResponse) => void serveHttp1(server, connections, request, response))
  // A 'request' listener makes node install its HTTP/2 compatibility layer; streams are served directly instead.
  https.removeAllListeners('stream')
  https.on(
    'stream',
    (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, rawHeaders: readonly string[]) =>
      void serveHttp2(server, connections, { stream, headers, rawHeaders }),
  )
  https.on('sessionError', () => undefined)
  https.on('tlsClientError', () => undefined)
  tuneHttp1(https)
  https.listen(port, host)
  await once(https, 'listening')
  return {
    port: (https.address() as AddressInfo).port,
    renew: (pair) => https.setSecureContext(pair),
    close: (graceMs) => connections.drain(https, graceMs),
  }
}

/**
 * Longer than clients keep an idle connection (Go's: 90 seconds), so that it is they who close it: a request that crosses our closing on
 * its way would be reset.
 */
const KEEP_ALIVE_MS = 300_000

/** Properties of the HTTP/1 side that http2's typings do not show: long watches must not be timed out. */
function tuneHttp1(https: Http2SecureServer): void {
  Object.assign(https, { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: 60_000, requestTimeout: 0, timeout: 0 })
}
