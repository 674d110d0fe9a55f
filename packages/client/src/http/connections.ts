import type { Credential } from '../credentials/credentials.ts'
import type { HttpTransportOptions } from './http-options.ts'
import { Sender } from './sender.ts'

const REQUEST_CONNECTIONS = 64

/**
 * Connections by client certificate: a certificate is proved once per connection, so a new one needs new connections.
 * Watches have connections of their own; they would otherwise take all that requests may use.
 */
export class Connections {
  readonly #options: HttpTransportOptions
  readonly #server: URL
  #certificate: string | undefined
  #requests: Sender | undefined
  #watches: Sender | undefined
  #closed = false

  constructor(options: HttpTransportOptions) {
    this.#options = options
    this.#server = new URL(options.server)
  }

  requests(credential: Credential): Sender {
    this.#use(credential)
    return (this.#requests ??= this.#open(credential, REQUEST_CONNECTIONS))
  }

  watches(credential: Credential): Sender {
    this.#use(credential)
    return (this.#watches ??= this.#open(credential, Infinity))
  }

  close(): void {
    this.#closed = true
    for (const sender of [this.#requests, this.#watches]) sender?.destroy()
  }

  #use({ certificate }: Credential): void {
    if (this.#closed) throw new Error('the transport is closed')
    if (certificate === this.#certificate) return
    for (const old of [this.#requests, this.#watches]) old?.retire()
    this.#requests = undefined
    this.#watches = undefined
    this.#certificate = certificate
  }

  #open({ certificate, key }: Credential, maxConnections: number): Sender {
    const { ca, tlsServerName, insecureSkipTlsVerify, proxyUrl, lookup } = this.#options
    return new Sender({
      server: this.#server,
      maxConnections,
      tls: {
        ...(ca !== undefined && { ca }),
        ...(certificate !== undefined && { cert: certificate }),
        ...(key !== undefined && { key }),
        ...(tlsServerName !== undefined && { servername: tlsServerName }),
        ...(insecureSkipTlsVerify === true && { rejectUnauthorized: false }),
      },
      // Through a proxy, the names of servers are the proxy's business.
      ...(proxyUrl === undefined ? { lookup } : { proxy: { url: new URL(proxyUrl), lookup } }),
    })
  }
}
