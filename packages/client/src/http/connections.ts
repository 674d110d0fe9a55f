import type { Dispatcher } from 'undici'
import type { Credential } from '../credentials/credentials.ts'
import type { HttpTransportOptions } from './http-options.ts'

const KEEP_ALIVE_MS = 60_000
const REQUEST_CONNECTIONS = 64

/**
 * Connections by client certificate: a certificate is proved once per connection, so a new one needs new connections.
 * Watches have connections of their own; they would otherwise take all that requests may use.
 */
export class Connections {
  readonly #options: HttpTransportOptions
  #certificate: string | undefined
  #requests: Promise<Dispatcher> | undefined
  #watches: Promise<Dispatcher> | undefined
  #closed = false

  constructor(options: HttpTransportOptions) {
    this.#options = options
  }

  requests(credential: Credential): Promise<Dispatcher> {
    this.#use(credential)
    return (this.#requests ??= this.#open(credential, REQUEST_CONNECTIONS, this.#options.maxAnswerBytes))
  }

  watches(credential: Credential): Promise<Dispatcher> {
    this.#use(credential)
    return (this.#watches ??= this.#open(credential, null))
  }

  async close(): Promise<void> {
    this.#closed = true
    const open = await Promise.all([this.#requests, this.#watches])
    await Promise.all(open.map((dispatcher) => dispatcher?.destroy()))
  }

  #use({ certificate }: Credential): void {
    if (this.#closed) throw new Error('the transport is closed')
    if (certificate === this.#certificate) return
    // Requests in flight finish on the old connections, which close when they are idle.
    for (const old of [this.#requests, this.#watches]) void old?.then((dispatcher) => dispatcher.close())
    this.#requests = undefined
    this.#watches = undefined
    this.#certificate = certificate
  }

  async #open({ certificate, key }: Credential, connections: number | null, maxAnswerBytes?: number): Promise<Dispatcher> {
    // Only those who speak HTTP pay for loading it: the embedded control plane does not.
    const { Agent, ProxyAgent } = await import('./undici.ts')
    const { ca, tlsServerName, insecureSkipTlsVerify, proxyUrl, lookup } = this.#options
    const tls = {
      ...(ca !== undefined && { ca }),
      ...(certificate !== undefined && { cert: certificate }),
      ...(key !== undefined && { key }),
      ...(tlsServerName !== undefined && { servername: tlsServerName }),
      ...(insecureSkipTlsVerify === true && { rejectUnauthorized: false }),
    }
    const shared = {
      connections,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      ...(maxAnswerBytes !== undefined && { maxResponseSize: maxAnswerBytes }),
    }
    if (proxyUrl !== undefined)
      return new ProxyAgent({ ...shared, uri: proxyUrl, requestTls: tls, ...(lookup !== undefined && { proxyTls: { lookup } }) })
    return new Agent({
      ...shared,
      connect: { ...tls, ...(lookup !== undefined && { lookup }), keepAlive: true, keepAliveInitialDelay: 30_000, timeout: 10_000 },
    })
  }
}
