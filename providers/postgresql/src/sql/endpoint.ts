import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { CredentialsError } from '@weft/provider-sdk'
import type { ConnectionOptions } from 'node:tls'

/** Where a PostgreSQL server is, and who we are there. */
export interface Endpoint {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  /** The database to connect to for everything that is not about one. */
  readonly database: string
  readonly ssl: ConnectionOptions | false
  /** Settings of every session, as on the command line of the server. */
  readonly options?: string
  /** The operator lets resources do what reaches beyond databases: superusers, files, programs, untrusted extensions. */
  readonly privileged?: boolean
}

type Details = Readonly<Record<string, Uint8Array>>

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])
const DEFAULT_PORT = 5432

/** From the keys of a connection secret: `endpoint`, `port`, `username`, `password`. */
export function endpointOf(secret: Details, config: KubeObject | undefined, where: string): Endpoint {
  const text = (key: string): string | undefined => {
    const value = getOwn(secret, key)
    return value instanceof Uint8Array && value.length > 0 ? Buffer.from(value).toString('utf8') : undefined
  }
  const required = (key: string): string => {
    const value = text(key)
    if (value === undefined) throw new CredentialsError('KeyNotFound', `${where} leads to a secret without "${key}"`)
    return value
  }
  const spec = config?.['spec']
  const setting = (key: string): string | undefined => {
    const value = isJsonObject(spec) ? getOwn(spec, key) : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const host = required('endpoint')
  const port = Number(text('port') ?? DEFAULT_PORT)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CredentialsError('ConfigInvalid', `${where} leads to a secret whose "port" is no port`)
  return {
    host,
    port,
    user: required('username'),
    password: required('password'),
    database: setting('defaultDatabase') ?? 'postgres',
    ...(isJsonObject(spec) && getOwn(spec, 'allowPrivileged') === true && { privileged: true }),
    ssl: sslOf(setting('sslMode') ?? (LOOPBACK.has(host) ? 'disable' : 'verify-full'), text('ca.crt'), where),
  }
}

/** libpq's modes. Encryption is the default wherever packets leave the machine. */
function sslOf(mode: string, ca: string | undefined, where: string): ConnectionOptions | false {
  switch (mode) {
    case 'disable':
      return false
    case 'require':
      return { rejectUnauthorized: false }
    case 'verify-ca':
      return { rejectUnauthorized: true, checkServerIdentity: () => undefined, ...(ca !== undefined && { ca }) }
    case 'verify-full':
      return { rejectUnauthorized: true, ...(ca !== undefined && { ca }) }
    default:
      throw new CredentialsError('ConfigInvalid', `${where}: sslMode "${mode}" is not one of disable, require, verify-ca, verify-full`)
  }
}
