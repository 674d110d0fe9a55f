import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { SocketError } from './socket-error.ts'

const TUNNEL_TIMEOUT_MS = 10_000

export interface Proxy {
  readonly url: URL
  readonly lookup?: LookupFunction | undefined
}

/** A connection to `target` (`host:port`) that an HTTP proxy makes for us. Nothing has been sent to the target when it fails. */
export function tunnel({ url, lookup }: Proxy, target: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const refuse = (why: string): void => reject(new SocketError('EPROXY', `the proxy ${url.host} ${why}`))
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return refuse(`is reached by ${url.protocol.slice(0, -1)}, which is not supported: name one with http:// or https://`)
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      ...(url.port !== '' && { port: url.port }),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(url.username !== '' && { 'proxy-authorization': basicOf(url) }) },
      agent: false,
      timeout: TUNNEL_TIMEOUT_MS,
      ...(lookup !== undefined && { lookup }),
    })
    request.once('timeout', () => request.destroy(new Error('it does not answer')))
    request.once('error', (error) => refuse(`cannot be used: ${error.message}`))
    request.once('connect', (answer: IncomingMessage, socket: Socket) => {
      socket.setTimeout(0)
      if (answer.statusCode === 200) return resolve(socket)
      socket.destroy()
      refuse(`answers ${answer.statusCode} ${answer.statusMessage ?? ''}`.trimEnd() + ` when asked to connect to ${target}`)
    })
    // Anything but a tunnel: some servers answer CONNECT with a page.
    request.once('response', (answer) => {
      answer.destroy()
      refuse(`answers ${answer.statusCode}: it is not a proxy`)
    })
    request.end()
  })
}

const basicOf = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
