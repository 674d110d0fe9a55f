/**
 * PostgreSQL. `server/` runs servers of our own as processes of this machine, `sql/` manages databases, roles, grants and extensions on any server, and
 * `password.ts` is where passwords are made. Imports `provider-sdk` and `api` alone; the control plane imports it by name.
 */
import {
  type Connector,
  defineProvider,
  externalName,
  loadPackage,
  managedKind,
  type ManagedResource,
  type ProviderContext,
  type ProviderDefinition,
} from '@weft/provider-sdk'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LivingServers, settleLeftOvers } from './server/left-overs.ts'
import { serverClient } from './server/server-client.ts'
import { hasServers } from './server/server-root.ts'
import { Servers } from './server/servers.ts'
import { extensionIdentity } from './sql/extension-client.ts'
import { grantIdentity } from './sql/grant-client.ts'
import { Sessions } from './sql/sessions.ts'
import { clients } from './sql/sql-connector.ts'

export { ROTATE_SERVER_PASSWORD } from './server/server-client.ts'
export { ROTATE_PASSWORD } from './sql/role-client.ts'

const SERVER_KIND = { group: 'postgresql.weft.dev', kind: 'PostgreSQLServer' }
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
      const stopped = new AbortController()
      const settled = settle(context, opened, stopped.signal)
      return Promise.resolve(async () => {
        stopped.abort()
        await settled
        const running = await servers?.catch(() => undefined)
        servers = undefined
        await running?.stopAll()
        await sessions.close()
      })
    },
    kinds: [
      // A server that died is started again after at most this long.
      managedKind({
        ...SERVER_KIND,
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

const RETRY_MS = 5_000

/** Looks after the servers that nobody wants any more, once the API server can say which are wanted. */
async function settle({ client, log, dataDir }: ProviderContext, opened: () => Promise<Servers>, signal: AbortSignal): Promise<void> {
  if (!(await hasServers(dataDir))) return
  const living = async (): Promise<LivingServers> => {
    const { items } = await client.list<ManagedResource>(SERVER_KIND, { signal })
    return { uids: new Set(items.map(({ metadata }) => metadata.uid ?? '')), externalNames: new Set(items.map(externalName)) }
  }
  while (!signal.aborted)
    try {
      return await settleLeftOvers(await opened(), living, log)
    } catch {
      // The kind is not served yet, or a server would not stop: both pass.
      await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
}

export const postgresqlProvider: ProviderDefinition = createPostgresqlProvider()
