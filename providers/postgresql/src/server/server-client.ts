import { getOwn, isJsonObject, type JsonObject } from '@weft/api'
import { type ExternalClient, ExternalError, type ManagedResource, parametersOf, statusOf } from '@weft/provider-sdk'
import { lostData, type Servers, type WantedServer } from './servers.ts'

/** Set or changed: the role that is handed out gets a new password. */
export const ROTATE_SERVER_PASSWORD = 'postgresql.weft.dev/rotate-password'

/** A PostgreSQL server of our own on this machine; its external name names its folder. */
export function serverClient(servers: Servers): ExternalClient {
  return {
    async observe(resource, { externalName }) {
      const wanted = wantedServer(resource, servers.version)
      const state = await servers.state(externalName, wanted)
      const handled = handledRotation(resource)
      switch (state.kind) {
        case 'absent':
          return { exists: false }
        case 'unfinished':
          return {
            exists: true,
            upToDate: false,
            readiness: 'creating',
            message: 'its data directory is being created',
            difference: 'data directory',
          }
        case 'lost':
          throw lostData(state.data)
        case 'exposed':
          return {
            exists: true,
            upToDate: false,
            readiness: 'unavailable',
            message: 'its superuser is in a connection secret: it is being replaced by a role without its rights',
            difference: 'rights',
          }
        case 'stopped':
          return {
            exists: true,
            upToDate: false,
            readiness: 'unavailable',
            message: 'the server is not running',
            difference: 'not running',
          }
        case 'locked':
          return {
            exists: true,
            upToDate: false,
            readiness: 'unavailable',
            message: 'the server does not accept the password of its superuser',
            difference: 'password',
          }
        case 'running': {
          const { host, port, user, password } = state.endpoint
          const rotate = rotationDue(resource)
          return {
            exists: true,
            upToDate: state.configured && !rotate,
            difference: rotate ? 'password rotation' : 'configuration',
            readiness: 'available',
            atProvider: {
              ...{ endpoint: host, port, version: servers.version },
              ...(state.account === undefined ? { isolation: 'SharedAccount' } : { isolation: 'OwnAccount', account: state.account }),
              ...(handled !== undefined && { rotatedFor: handled }),
            },
            connection: { endpoint: host, port: String(port), username: user, password },
          }
        }
      }
    },
    async create(resource, { externalName }) {
      const wanted = wantedServer(resource, servers.version)
      await servers.create(externalName, wanted)
      try {
        await servers.ensure(externalName, wanted)
      } catch (error) {
        // It is there from its record on, whatever else fails: it must be known again as its own.
        if (error instanceof ExternalError)
          throw new ExternalError(error.code, error.message, { retryAfterMs: error.retryAfterMs, mayHaveTakenEffect: true, cause: error })
        throw error
      }
      return {}
    },
    async update(resource, { externalName }) {
      const wanted = wantedServer(resource, servers.version)
      await servers.ensure(externalName, wanted)
      if (!rotationDue(resource)) return {}
      await servers.rotate(externalName)
      const state = await servers.state(externalName, wanted)
      return {
        ...(state.kind === 'running' && { connection: { password: state.endpoint.password } }),
        atProvider: { rotatedFor: resource.metadata.annotations?.[ROTATE_SERVER_PASSWORD] ?? '' },
      }
    },
    delete: (_resource, { externalName }) => servers.remove(externalName),
  }
}

/** `spec.forProvider` of a PostgreSQLServer. */
function wantedServer(resource: ManagedResource, available: string): WantedServer {
  const { port, engineVersion, parameters } = parametersOf(resource)
  if (port !== undefined && port !== null && (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535))
    throw new ExternalError('Invalid', 'spec.forProvider.port must be a port between 1 and 65535')
  if (engineVersion !== undefined && engineVersion !== null && !isVersion(String(engineVersion), available))
    throw new ExternalError(
      'Invalid',
      `spec.forProvider.engineVersion: PostgreSQL ${String(engineVersion)} is not available here; ${available} is`,
    )
  return { port: typeof port === 'number' ? port : undefined, parameters: textsOf(parameters), owner: resource.metadata.uid }
}

const isVersion = (wanted: string, available: string): boolean => available === wanted || available.startsWith(`${wanted}.`)

function textsOf(parameters: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(parameters)) return {}
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
}

function handledRotation(resource: ManagedResource): string | undefined {
  const atProvider: JsonObject | undefined = statusOf(resource).atProvider
  const handled = atProvider === undefined ? undefined : getOwn(atProvider, 'rotatedFor')
  return typeof handled === 'string' ? handled : undefined
}

const rotationDue = (resource: ManagedResource): boolean => {
  const wanted = resource.metadata.annotations?.[ROTATE_SERVER_PASSWORD]
  return wanted !== undefined && wanted !== handledRotation(resource)
}
