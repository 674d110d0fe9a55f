import type { JsonObject, KubeObject } from '@weft/api'
import { type ExternalClient, ExternalError, type ManagedResource, parametersOf } from '@weft/provider-sdk'
import { identifier, literal } from './identifier.ts'
import { checkExtension } from './privileged.ts'
import type { Session } from './sessions.ts'
import { sqlState } from './sql-error.ts'

/** `spec.forProvider` of an Extension. */
interface ExtensionParameters {
  readonly extension?: string
  readonly version?: string
  readonly database?: string
}

/** An extension in a database; one of each name. */
export function extensionClient(session: Session): ExternalClient {
  return {
    async observe(resource) {
      const { extension, version, database } = parameters(resource)
      const current = await installed(databaseOf(session, database), extension)
      if (current === undefined) return { exists: false }
      return {
        exists: true,
        upToDate: version === undefined || version === current,
        difference: 'version',
        readiness: 'available',
        atProvider: { version: current },
        lateInit: { version: current },
      }
    },
    async create(resource) {
      const { extension, version, database } = parameters(resource)
      await checkExtension(databaseOf(session, database), extension, version)
      await databaseOf(session, database).query(
        `create extension ${identifier(extension)}${version === undefined ? '' : ` with version ${literal(version)}`} cascade`,
      )
      return {}
    },
    async update(resource) {
      const { extension, version, database } = parameters(resource)
      if (version === undefined) return {}
      await checkExtension(databaseOf(session, database), extension, version)
      await databaseOf(session, database).query(`alter extension ${identifier(extension)} update to ${literal(version)}`)
      return {}
    },
    async delete(resource) {
      const { extension, database } = parameters(resource)
      try {
        await databaseOf(session, database).query(`drop extension if exists ${identifier(extension)}`)
      } catch (error) {
        if (sqlState(error) !== '3D000') throw error
      }
    },
  }
}

/** There is one extension of a name in a database. */
export function extensionIdentity(resource: KubeObject): string | undefined {
  const { extension, database } = parametersOf(resource) as ExtensionParameters & JsonObject
  return typeof extension === 'string' ? JSON.stringify({ extension, ...(typeof database === 'string' && { database }) }) : undefined
}

const databaseOf = (session: Session, database: string | undefined): Session => session.in(database ?? session.endpoint.database)

function parameters(resource: ManagedResource): ExtensionParameters & { readonly extension: string } {
  const { extension, version, database } = parametersOf(resource) as ExtensionParameters & JsonObject
  if (extension === undefined || extension === '') throw new ExternalError('Invalid', 'an Extension needs spec.forProvider.extension')
  return { extension, ...(version !== undefined && { version }), ...(database !== undefined && { database }) }
}

/** Without its database there is no extension either. */
async function installed(session: Session, extension: string): Promise<string | undefined> {
  try {
    const [row] = await session.query<{ extversion: string }>('select extversion from pg_catalog.pg_extension where extname = $1', [
      extension,
    ])
    return row?.extversion
  } catch (error) {
    if (sqlState(error) === '3D000') return undefined
    throw error
  }
}
