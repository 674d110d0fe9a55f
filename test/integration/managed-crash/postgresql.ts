import type { JsonObject, KubeObject } from '@weft/api'
import pg from 'pg'
import { startHost } from '../../../providers/postgresql/src/postgresql.fixture.ts'
import type { Site } from './site.ts'

const PREFIX = 'crash_'
const OPERATOR = { name: 'operator', password: 'of-the-crash-test' }

const managed = (kind: string, name: string, forProvider: JsonObject): KubeObject => ({
  apiVersion: 'postgresql.sql.crossplane.io/v1alpha1',
  kind,
  metadata: { name, annotations: { 'crossplane.io/external-name': `${PREFIX}${name.replaceAll('-', '_')}` } },
  spec: { forProvider, writeConnectionSecretToRef: { namespace: 'default', name } },
})

const externalName = ({ metadata }: KubeObject): string => metadata.annotations?.['crossplane.io/external-name'] ?? ''

/** A database and the role that owns it. */
const pair = (i: number): readonly KubeObject[] => [
  managed('Role', `role-${i}`, { privileges: { login: true } }),
  managed('Database', `database-${i}`, { ownerRef: { name: `role-${i}` } }),
]

/** A real PostgreSQL server, which nobody kills. */
export async function openPostgresql(pairs: number): Promise<Site> {
  const host = await startHost()
  const admin = await host.connect()
  await admin.query(`create role ${OPERATOR.name} superuser login password '${OPERATOR.password}'`)
  const connection = { endpoint: '127.0.0.1', port: String(host.port), username: OPERATOR.name, password: OPERATOR.password }
  const data = Object.fromEntries(Object.entries(connection).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
  const names = async (text: string): Promise<string[]> =>
    ((await admin.query(text, [PREFIX])).rows as { name: string }[]).map(({ name }) => name)
  return {
    name: 'PostgreSQL',
    objects: [
      { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'postgresql' }, data },
      {
        apiVersion: 'postgresql.sql.crossplane.io/v1alpha1',
        kind: 'ProviderConfig',
        metadata: { name: 'default' },
        spec: { credentials: { source: 'PostgreSQLConnectionSecret', connectionSecretRef: { namespace: 'default', name: 'postgresql' } } },
      },
    ],
    groups: Array.from({ length: pairs }, (_, i) => pair(i)),
    async inventory() {
      const roles = await names("select 'Role/' || rolname as name from pg_roles where starts_with(rolname, $1)")
      const databases = await names("select 'Database/' || datname as name from pg_database where starts_with(datname, $1)")
      return [...roles, ...databases].sort()
    },
    nameOf: (resource) => `${resource.kind}/${externalName(resource)}`,
    /** What an application would do: connect with the secret alone. */
    async problemOf(resource, secret) {
      if (resource.kind === 'Database') {
        const owner = `select 1 from pg_database d join pg_roles r on r.oid = d.datdba where d.datname = $1 and r.rolname = $2`
        const { rowCount } = await admin.query(owner, [externalName(resource), externalName(resource).replace('database', 'role')])
        return rowCount === 1 ? undefined : 'has another owner'
      }
      const client = new pg.Client({
        host: '127.0.0.1',
        port: host.port,
        user: secret['username'],
        password: secret['password'],
        database: 'postgres',
      })
      client.on('error', () => undefined)
      try {
        await client.connect()
        return undefined
      } catch (error) {
        return `cannot log in with its connection secret: ${String(error)}`
      } finally {
        await client.end().catch(() => undefined)
      }
    },
    async close() {
      await admin.end()
      await host.close()
    },
  }
}
