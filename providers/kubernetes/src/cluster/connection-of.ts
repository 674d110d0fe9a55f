import { getOwn, isJsonObject } from '@weft/api'
import { type ConnectionConfig, KubeconfigError, parseKubeconfig } from '@weft/client'
import { type Credentials, CredentialsError, detailText, specOf } from '@weft/provider-sdk'
import { forbiddenAddress, type NamedBy } from './addresses.ts'

/** The key of connection secrets under which a kubeconfig is published. */
const KUBECONFIG = 'kubeconfig'

/**
 * How to reach the cluster that a ProviderConfig means, from what its secret holds: a kubeconfig, or the connection details of a cluster
 * (`endpoint`, `clusterCA`, and `token` or `clientCert` with `clientKey`). Whoever wrote it is not trusted: nothing of this machine is read or
 * run for it. Throws CredentialsError, whose message names no credential.
 */
export async function connectionOf({ config, secret, value }: Credentials): Promise<ConnectionConfig> {
  const where = describeConfig(config)
  const text = value === undefined ? detailText(secret, KUBECONFIG) : Buffer.from(value).toString('utf8')
  const connection = text === undefined ? fromDetails(secret, where) : checked(await read(text, where), where)
  mustBeElsewhere(connection, where, namedBy(config))
  return connection
}

/** A configuration in a namespace is a tenant's. */
export const namedBy = ({ metadata }: Credentials['config']): NamedBy => (metadata.namespace === undefined ? 'operator' : 'tenant')

function mustBeElsewhere({ server, proxyUrl }: ConnectionConfig, where: string, by: NamedBy): void {
  // A proxy would connect anywhere, and nobody here sees where.
  if (by === 'tenant' && proxyUrl !== undefined)
    throw invalid(where, 'a proxy-url is for configurations of the whole control plane (ClusterProviderConfig) only')
  for (const [name, text] of Object.entries({ server, 'proxy-url': proxyUrl })) {
    const host = text === undefined ? undefined : urlOf(text)?.hostname
    const why = host === undefined ? undefined : forbiddenAddress(host, by)
    if (why !== undefined) throw invalid(where, `its "${name}" cannot be ${host ?? ''}: ${why}`)
  }
}

export const describeConfig = ({ kind, metadata }: Credentials['config']): string => `${kind} ${metadata.name ?? ''}`

/** Sources and fields that cannot be used, in words; what else is wrong shows when the secret is read. */
export function mustBeUsable({ config, source }: Credentials): void {
  const where = describeConfig(config)
  if (getOwn(specOf(config), 'identity') !== undefined)
    throw new CredentialsError(
      'ConfigInvalid',
      `${where}: spec.identity is not supported: put a token, or a client certificate with its key, into the kubeconfig`,
    )
  if (source !== 'Secret' && source !== 'InjectedIdentity')
    throw new CredentialsError(
      'ConfigInvalid',
      `${where}: spec.credentials.source ${source} is not supported: use Secret with a kubeconfig, or InjectedIdentity for this control plane`,
    )
}

async function read(text: string, where: string): Promise<ConnectionConfig> {
  try {
    return await parseKubeconfig(text, { confined: true, directory: '/nonexistent' })
  } catch (error) {
    // The reader's own messages hold no credential; what else may be thrown at a text that is no kubeconfig is not shown.
    throw invalid(where, error instanceof KubeconfigError ? error.message : 'its secret does not hold a kubeconfig')
  }
}

function fromDetails(secret: Credentials['secret'], where: string): ConnectionConfig {
  const [endpoint, ca, token, cert, key] = ['endpoint', 'clusterCA', 'token', 'clientCert', 'clientKey'].map((name) =>
    detailText(secret, name),
  )
  if (endpoint === undefined)
    throw new CredentialsError(
      'KeyNotFound',
      `${where}: its secret has neither a "${KUBECONFIG}" nor an "endpoint": name the key of a kubeconfig in spec.credentials.secretRef.key, or wait until the cluster has published its connection secret`,
    )
  const server = endpoint.includes('://') ? endpoint : `https://${endpoint}`
  return checked({ server, ca, token, ...(cert !== undefined && key !== undefined && { cert, key }), namespace: 'default' }, where)
}

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:'])

function checked(connection: ConnectionConfig, where: string): ConnectionConfig {
  const { server, proxyUrl, token, username, cert, key } = connection
  const url = urlOf(server)
  if (url === undefined || !PROTOCOLS.has(url.protocol))
    throw invalid(where, 'the "server" of the cluster is not an address such as https://host:6443')
  if (url.protocol === 'http:' && [token, username, cert].some((each) => each !== undefined))
    throw invalid(where, 'it would send credentials unencrypted: the "server" must begin with https://')
  if (proxyUrl !== undefined && !PROTOCOLS.has(urlOf(proxyUrl)?.protocol ?? ''))
    throw invalid(where, 'its proxy-url must begin with http:// or https://')
  if ((cert === undefined) !== (key === undefined)) throw invalid(where, 'a client certificate needs its key, and a key its certificate')
  for (const [name, given] of Object.entries(connection))
    if (TEXTS.has(name) && given !== undefined && typeof given !== 'string') throw invalid(where, `"${name}" must be text`)
  if (connection.impersonate !== undefined && !isJsonObject(connection.impersonate)) throw invalid(where, '"as" must be text')
  return connection
}

const TEXTS: ReadonlySet<string> = new Set(['ca', 'cert', 'key', 'token', 'username', 'password', 'tlsServerName', 'namespace'])

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

const invalid = (where: string, why: string): CredentialsError => new CredentialsError('ConfigInvalid', `${where}: ${why}`)
