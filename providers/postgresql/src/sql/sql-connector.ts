import { getOwn, isJsonObject, type JsonObject } from '@weft/api'
import {
  type ConnectContext,
  connectionStoreOf,
  type Connector,
  CredentialsError,
  detailText,
  type ExternalClient,
  isBeingDeleted,
  type ManagedResource,
  specOf,
} from '@weft/provider-sdk'
import { databaseClient } from './database-client.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { extensionClient } from './extension-client.ts'
import { grantClient } from './grant-client.ts'
import { roleClient } from './role-client.ts'
import type { Session, Sessions } from './sessions.ts'

const SERVER_KIND = { group: 'postgresql.weft.dev', kind: 'PostgreSQLServer' }
const SECRET_KIND = { group: '', kind: 'Secret' }

/**
 * Connects to the server that a resource is about: through its ProviderConfig, or, with `providerConfigRef: {kind: PostgreSQLServer,
 * name: ...}`, to a server of ours with the credentials in its connection secret.
 */
export function sqlConnector(sessions: Sessions, clientFor: (session: Session, context: ConnectContext) => ExternalClient): Connector {
  return {
    async connect(resource, context) {
      const ref = getOwn(specOf(resource), 'providerConfigRef')
      const kind = isJsonObject(ref) ? getOwn(ref, 'kind') : undefined
      const endpoint =
        kind === SERVER_KIND.kind ? await endpointOfServer(ref as JsonObject, resource, context) : await endpointOfConfig(context)
      return endpoint === undefined ? GONE : clientFor(sessions.open(endpoint), context)
    },
  }
}

/** For deletion only: whatever was in a server that no longer exists does not exist either. */
const GONE: ExternalClient = {
  observe: () => Promise.resolve({ exists: false }),
  create: () => Promise.reject(new CredentialsError('ConfigNotFound', 'the server is gone')),
  update: () => Promise.resolve({}),
  delete: () => Promise.resolve(),
}

async function endpointOfConfig(context: ConnectContext): Promise<Endpoint> {
  const { config, secret } = await context.credentials()
  return endpointOf(secret, config, `${config.kind} ${config.metadata.name ?? ''}`)
}

/** Undefined: what is to be deleted went with its server. */
async function endpointOfServer(ref: JsonObject, resource: ManagedResource, { client }: ConnectContext): Promise<Endpoint | undefined> {
  const name = String(getOwn(ref, 'name') ?? '')
  const server = await client.find<ManagedResource>(SERVER_KIND, { name })
  if (server === undefined && isBeingDeleted(resource)) return undefined
  if (server === undefined) throw new CredentialsError('ConfigNotFound', `there is no PostgreSQLServer named ${name}`)
  const connection = connectionStoreOf(client, server)
  if (!connection.configured)
    throw new CredentialsError(
      'ConfigInvalid',
      `PostgreSQLServer ${name} publishes no connection secret: set its spec.writeConnectionSecretToRef`,
    )
  const details = await connection.read()
  if (Object.keys(details).length === 0)
    throw new CredentialsError('SecretNotFound', `PostgreSQLServer ${name} has not published its connection secret yet`)
  return endpointOf(details, undefined, `PostgreSQLServer ${name}`)
}

/** The password under `spec.forProvider.passwordSecretRef`. */
async function givenPassword(resource: ManagedResource, { client }: ConnectContext): Promise<string | undefined> {
  const forProvider = getOwn(specOf(resource), 'forProvider')
  const ref = isJsonObject(forProvider) ? getOwn(forProvider, 'passwordSecretRef') : undefined
  if (!isJsonObject(ref)) return undefined
  const [namespace, name, key] = ['namespace', 'name', 'key'].map((part) => String(getOwn(ref, part) ?? ''))
  const secret = await client.find(SECRET_KIND, { namespace: namespace || undefined, name: name ?? '' })
  const data = secret?.['data']
  const value = isJsonObject(data) ? getOwn(data, key || 'password') : undefined
  if (typeof value !== 'string')
    throw new CredentialsError(
      'SecretNotFound',
      `spec.forProvider.passwordSecretRef: there is no key "${key || 'password'}" in a secret ${namespace ?? ''}/${name ?? ''}`,
    )
  return detailText({ password: Buffer.from(value, 'base64') }, 'password')
}

export const clients: Readonly<Record<'Database' | 'Role' | 'Grant' | 'Extension', (sessions: Sessions) => Connector>> = {
  Database: (sessions) => sqlConnector(sessions, (session) => databaseClient(session, sessions)),
  Role: (sessions) => sqlConnector(sessions, (session, context) => roleClient(session, (resource) => givenPassword(resource, context))),
  Grant: (sessions) => sqlConnector(sessions, grantClient),
  Extension: (sessions) => sqlConnector(sessions, extensionClient),
}
