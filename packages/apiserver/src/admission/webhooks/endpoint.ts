import { createHash } from 'node:crypto'
import type { ServiceResolver } from './service-resolver.ts'

/** Where a webhook is, as its configuration says it. */
export interface ClientConfig {
  readonly url?: string
  readonly service?: { readonly namespace: string; readonly name: string; readonly path?: string; readonly port?: number }
  /** Base64 of PEM. Absent: whoever the system trusts. */
  readonly caBundle?: string
}

/** Where one call goes. */
export interface Endpoint {
  /** What messages show. */
  readonly url: string
  /** Scheme, host and port to connect to. */
  readonly origin: string
  readonly path: string
  /** The host that the call is for, when it is not the one connected to. */
  readonly host: string | undefined
  /** The name that the certificate must carry, when it is not the host connected to. */
  readonly serverName: string | undefined
  readonly trust: Trust
}

/** Whom to believe: connections are shared by calls with the same trust. */
export interface Trust {
  readonly id: string
  /** PEM; undefined = the system's authorities. */
  readonly ca: string | undefined
}

const SYSTEM_TRUST: Trust = { id: '', ca: undefined }

export function trustOf(caBundle: string | undefined): Trust {
  const pem = caBundle === undefined ? '' : Buffer.from(caBundle, 'base64').toString('utf8')
  // White space alone counts as no bundle.
  if (pem.trim() === '') return SYSTEM_TRUST
  return { id: createHash('sha256').update(pem).digest('base64'), ca: pem }
}

/** Throws an Error whose message says what is wrong with the configuration or the service. */
export function endpointOf(config: ClientConfig, trust: Trust, resolve: ServiceResolver): Endpoint {
  const { url, service } = config
  if (service !== undefined) {
    const port = service.port ?? 443
    const serverName = `${service.name}.${service.namespace}.svc`
    const host = `${serverName}:${port}`
    const path = pathOf(service.path ?? '')
    const to = resolve({ namespace: service.namespace, name: service.name, port })
    return { url: `https://${host}${path}`, origin: `https://${bracketed(to.host)}:${to.port}`, path, host, serverName, trust }
  }
  if (url === undefined) throw new Error('webhook configuration must have either service or URL')
  const parsed = new URL(url)
  return {
    url: parsed.origin + parsed.pathname,
    origin: parsed.origin,
    path: parsed.pathname,
    host: undefined,
    serverName: undefined,
    trust,
  }
}

const pathOf = (path: string): string => (path.startsWith('/') ? path : `/${path}`)

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
