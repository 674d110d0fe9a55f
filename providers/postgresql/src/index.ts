import { type Connector, defineProvider, loadPackage, managedKind, type ProviderDefinition } from '@weft/provider-sdk'
import { serverClient } from './server/server-client.ts'
import { Servers } from './server/servers.ts'
import { extensionIdentity } from './sql/extension-client.ts'
import { grantIdentity } from './sql/grant-client.ts'
import { Sessions } from './sql/sessions.ts'
import { clients } from './sql/sql-connector.ts'

export { ROTATE_SERVER_PASSWORD } from './server/server-client.ts'
export { ROTATE_PASSWORD } from './sql/role-client.ts'

const SQL_GROUP = 'postgresql.sql.crossplane.io'

/** PostgreSQL servers of our own, and databases, roles, grants and extensions on any PostgreSQL server. */
export function createPostgresqlProvider(): ProviderDefinition {
  let sessions = new Sessions()
  let servers: Promise<Servers> | undefined
  let dataDir = ''
  // Opened when the first server is wanted: whoever manages a server elsewhere needs no binaries here.
  const opened = (): Promise<Servers> =>
    (servers ??= Servers.open(dataDir, sessions).catch((error: unknown) => {
      servers = undefined
      throw error
    }))
  const own: Connector = { connect: async () => serverClient(await opened()) }
  const sql = (kind: keyof typeof clients): Connector => ({
    connect: (resource, context) => clients[kind](sessions).connect(resource, context),
  })
  return defineProvider({
    name: 'provider-postgresql',
    package: loadPackage(import.meta.url, 'postgresql'),
    start(context) {
      dataDir = context.dataDir
      sessions = new Sessions()
      return Promise.resolve(async () => {
        const running = await servers?.catch(() => undefined)
        servers = undefined
        await running?.stopAll()
        await sessions.close()
      })
    },
    kinds: [
      // A server that died is started again after at most this long.
      managedKind({
        group: 'postgresql.weft.dev',
        kind: 'PostgreSQLServer',
        connector: own,
        creationGraceMs: 0,
        pollIntervalMs: 5_000,
        timeoutMs: 120_000,
        concurrency: 4,
      }),
      ...(['Database', 'Role', 'Grant', 'Extension'] as const).map((kind) =>
        managedKind({
          group: SQL_GROUP,
          kind,
          connector: sql(kind),
          configKinds: [{ group: SQL_GROUP, kind: 'ProviderConfig' }],
          creationGraceMs: 0,
          ...(kind === 'Grant' && { identity: grantIdentity, adoption: 'free' as const }),
          ...(kind === 'Extension' && { identity: extensionIdentity }),
        }),
      ),
    ],
  })
}

export const postgresqlProvider: ProviderDefinition = createPostgresqlProvider()
