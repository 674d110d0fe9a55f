import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@weft/api'
import { type ManagedResource, openWorld, type World } from '@weft/provider-sdk'
import { silentLog } from '@weft/runtime'
import { startTestServer } from '@weft/testing'
import pg from 'pg'
import { createPostgresqlProvider } from './index.ts'
import type { ServerRecord } from './server/server-files.ts'
import { Servers } from './server/servers.ts'
import { SUPERUSER } from './server/superuser.ts'
import { Sessions } from './sql/sessions.ts'

export interface PostgresqlWorld {
  readonly world: World
  readonly dataDir: string
  close(): Promise<void>
}

/** The provider in an API server in memory, with a folder of its own. */
export async function openPostgresqlWorld(): Promise<PostgresqlWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'weft-postgresql-'))
  await chmod(dataDir, 0o755)
  const server = await startTestServer()
  const world = await openWorld({
    client: server.client,
    provider: createPostgresqlProvider(),
    dataDir,
    log: silentLog,
    tune: { pollIntervalMs: 300 },
  })
  return {
    world,
    dataDir,
    async close() {
      await world.stop()
      await server.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export const secretRef = (name: string): JsonObject => ({
  writeConnectionSecretToRef: { namespace: 'default', name: `${name}-connection` },
})

export const pgServer = (name: string, forProvider: JsonObject = {}, spec: JsonObject = secretRef(name)): ManagedResource => ({
  apiVersion: 'postgresql.weft.dev/v1alpha1',
  kind: 'PostgreSQLServer',
  metadata: { name },
  spec: { forProvider, ...spec },
})

export const sql = (kind: string, name: string, forProvider: JsonObject, spec: JsonObject = {}): ManagedResource => ({
  apiVersion: 'postgresql.sql.crossplane.io/v1alpha1',
  kind,
  metadata: { name },
  spec: { forProvider, ...spec },
})

/** The text values of a secret. */
export async function readSecret({ client }: World, namespace: string, name: string): Promise<Record<string, string>> {
  const secret = await client.get({ group: '', kind: 'Secret' }, { namespace, name })
  return Object.fromEntries(
    Object.entries((secret['data'] ?? {}) as Record<string, string>).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  )
}

/** With a connection secret. */
export async function connect(secret: Record<string, string>, database = 'postgres'): Promise<pg.Client> {
  const client = new pg.Client({
    host: secret['endpoint'] ?? '',
    port: Number(secret['port']),
    user: secret['username'] ?? '',
    password: secret['password'] ?? '',
    database,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export const recordPath = (dataDir: string, name: string): string => join(dataDir, 'servers', name, 'server.json')

export async function readRecord(dataDir: string, name: string): Promise<ServerRecord> {
  return JSON.parse(await readFile(recordPath(dataDir, name), 'utf8')) as ServerRecord
}

/** As only the provider can. */
export async function connectAsSuperuser(dataDir: string, name: string, database?: string): Promise<pg.Client> {
  const { port, superuserPassword = '' } = await readRecord(dataDir, name)
  return connect({ endpoint: '127.0.0.1', port: String(port), username: SUPERUSER, password: superuserPassword }, database)
}

/** Roles other than the provider's that are superusers, or may read and write files or run programs. */
export async function beyondDatabases(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ rolname: string }>(
    `select distinct r.rolname from pg_roles r left join pg_auth_members m on m.member = r.oid
      where r.oid >= 16384 and (r.rolsuper or m.roleid::regrole::text in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))`,
  )
  return rows.map(({ rolname }) => rolname)
}

/** A PostgreSQL server that is nobody's managed resource. */
export interface Host {
  readonly port: number
  readonly log: string
  /** As its superuser. */
  connect(): Promise<pg.Client>
  close(): Promise<void>
}

export async function startHost(): Promise<Host> {
  const directory = await mkdtemp(join(tmpdir(), 'weft-host-'))
  await chmod(directory, 0o755)
  const sessions = new Sessions()
  const servers = await Servers.open(directory, sessions)
  await servers.create('host', { parameters: {} })
  await servers.ensure('host', { parameters: {} })
  const state = await servers.state('host', { parameters: {} })
  if (state.kind !== 'running') throw new Error(`the server is ${state.kind}`)
  const { host, port, database } = state.endpoint
  const { superuserPassword: password } = await readRecord(directory, 'host')
  return {
    port,
    log: join(directory, 'servers/host/log'),
    async connect() {
      const client = new pg.Client({ host, port, user: SUPERUSER, password, database })
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
    async close() {
      await sessions.close()
      await servers.remove('host')
      await rm(directory, { recursive: true, force: true })
    },
  }
}
