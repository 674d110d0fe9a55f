import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { badRequest, failure, requestEntityTooLarge } from '@weft/api'
import type { ApiRequest, ApiResponse, CallerCredentials, RequestBody } from '../endpoints/exchange.ts'
import type { ClientGone } from './client-gone.ts'

/** What both protocols know of a request. */
export interface RawRequest {
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Names and values as they came, in turn: repeated headers are not joined here. */
  readonly rawHeaders: readonly string[]
  readonly body: RequestBody
  readonly socket: TLSSocket
  readonly client: ClientGone
}

const NO_QUERY = new URLSearchParams()
const NONE: readonly (readonly [string, string])[] = []

export function toRequest({ method, url, headers, rawHeaders, body, socket, client }: RawRequest): ApiRequest {
  const mark = url.indexOf('?')
  return {
    method,
    path: decodePath(mark < 0 ? url : url.slice(0, mark)),
    query: mark < 0 ? NO_QUERY : new URLSearchParams(url.slice(mark + 1)),
    header: (name) => single(headers[name]),
    headersWithPrefix: (prefix) => (hasPrefix(headers, prefix) ? headersWithPrefix(rawHeaders, prefix) : NONE),
    body,
    credentials: credentialsOf(socket),
    remoteAddress: socket.remoteAddress ?? '',
    get signal() {
      return client.signal
    },
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

const certificates = new WeakMap<TLSSocket, CallerCredentials>()

/** The client certificate of a connection does not change: look once. */
function credentialsOf(socket: TLSSocket): CallerCredentials {
  let credentials = certificates.get(socket)
  if (credentials === undefined) {
    const raw = socket.getPeerX509Certificate()?.raw
    credentials = raw === undefined ? { kind: 'network' } : { kind: 'network', peerCertificate: { raw, verified: socket.authorized } }
    certificates.set(socket, credentials)
  }
  return credentials
}

function hasPrefix(headers: IncomingHttpHeaders, prefix: string): boolean {
  for (const name in headers) if (name.startsWith(prefix)) return true
  return false
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

export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** A client that takes longer to send its request holds up a place that others wait for. */
export const BODY_DEADLINE_MS = 60_000

/**
 * All bytes of a body. By events and not by iteration, which costs as much as parsing the object does. Beyond the limit
 * it only stops listening: the refusal still has to leave on this connection.
 */
export function readAll(source: Readable, limit: number, deadlineMs: number = BODY_DEADLINE_MS): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      source.pause()
      settle(() => reject(tooSlow(deadlineMs)))
    }, deadlineMs)
    const chunks: Buffer[] = []
    let size = 0
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      source.off('data', onData).off('end', onEnd).off('close', onClose)
      act()
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      source.pause()
      settle(() => reject(requestEntityTooLarge(`limit is ${limit}`)))
    }
    const onEnd = (): void => settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    const onClose = (): void => settle(() => reject(badRequest('the client went away before its request was complete')))
    source.on('data', onData).on('end', onEnd).on('close', onClose)
  })
}

const tooSlow = (deadlineMs: number): Error =>
  failure({ code: 408, reason: 'Timeout', message: `Timeout: the body of the request did not arrive within ${deadlineMs / 1000} seconds` })

export function responseHeaders({ headers, warnings }: ApiResponse): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = { 'cache-control': 'no-cache, private', ...headers }
  if (warnings !== undefined && warnings.length > 0) result['warning'] = warnings.map((text) => `299 - ${headerText(JSON.stringify(text))}`)
  return result
}

/** A header is bytes: texts beyond Latin-1 go as UTF-8, which is how Kubernetes sends them. */
const headerText = (text: string): string => Buffer.from(text).toString('latin1')
