import { readFile } from 'node:fs/promises'
import type { JsonObject } from '@weft/api'
import { conformanceCases, type ConformanceSubject, type ManagedResource, type World } from '@weft/provider-sdk'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProxy, type Proxy } from './proxy.fixture.ts'
import { type Host, openPostgresqlWorld, type PostgresqlWorld, sql, startHost } from './postgresql.fixture.ts'

const TIMEOUT = 60_000

/** A superuser's connection that goes around everything under test. */
let admin: pg.Client
let context: PostgresqlWorld
let proxy: Proxy
let host: Host

const operator = { name: 'operator', password: 'first' }

const configSecret = (password: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'default', name: 'sql-credentials' },
  data: Object.fromEntries(
    Object.entries({ endpoint: '127.0.0.1', port: String(proxy.port), username: operator.name, password }).map(([key, value]) => [
      key,
      Buffer.from(value).toString('base64'),
    ]),
  ),
})

const rows = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await admin.query(text, values)).rows as Record<string, unknown>[]
const count = async (text: string, name: string): Promise<number> => (await rows(text, [name])).length

const ref = (name: string): JsonObject => ({ writeConnectionSecretToRef: { namespace: 'conformance', name: `${name}-connection` } })

const limitOf = (resource: ManagedResource): unknown => (resource.spec?.['forProvider'] as JsonObject | undefined)?.['connectionLimit']

const withLimit = (resource: ManagedResource): ManagedResource => ({
  ...resource,
  spec: { ...resource.spec, forProvider: { ...(resource.spec?.['forProvider'] as JsonObject), connectionLimit: 7 } },
})

const shared = {
  timeoutMs: TIMEOUT,
  credentials: {
    missing: async ({ client }: World) =>
      void (await client.delete({ group: '', kind: 'Secret' }, { namespace: 'default', name: 'sql-credentials' })),
    wrong: async (world: World) => void (await world.apply(configSecret('wrong'))),
    restore: async (world: World) => void (await world.apply(configSecret(operator.password))),
    rotate: async (world: World) => {
      operator.password = `rotated-${operator.password}`
      await admin.query(`alter role ${operator.name} password '${operator.password}'`)
      // Connections that are open would hide that the old password is no longer good.
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [operator.name])
      await world.apply(configSecret(operator.password))
    },
  },
  faults: {
    down: () => Promise.resolve(proxy.begin('down')),
    slow: () => Promise.resolve(proxy.begin('slow')),
    losingAnswers: () => Promise.resolve(proxy.begin('losing answers')),
    throttling: () => Promise.resolve(proxy.begin('throttling')),
  },
} satisfies Partial<ConformanceSubject>

const roleSubject: ConformanceSubject = {
  ...shared,
  resource: (name) => sql('Role', name, { connectionLimit: 3, privileges: { login: true } }, ref(name)),
  change: withLimit,
  connectionKeys: ['username', 'password', 'endpoint', 'port'],
  lateInit: { resource: (name) => sql('Role', name, { privileges: { login: true } }), field: 'connectionLimit' },
  references: (name) => [
    sql('Role', `${name}-group`, {}),
    sql('Role', `${name}-owner`, { privileges: { login: true } }),
    sql('Database', `${name}-db`, { ownerRef: { name: `${name}-owner` } }),
    sql('Grant', `${name}-grant`, {
      privileges: ['CONNECT', 'TEMP'],
      roleRef: { name: `${name}-group` },
      databaseRef: { name: `${name}-db` },
    }),
    sql('Grant', `${name}-member`, { memberOfRef: { name: `${name}-group` }, roleRef: { name: `${name}-owner` } }),
    sql('Extension', `${name}-extension`, { extension: 'hstore', databaseRef: { name: `${name}-db` } }),
  ],
  external: {
    count: (name) => count('select 1 from pg_roles where rolname = $1', name),
    matches: async (resource) =>
      (await rows('select rolconnlimit from pg_roles where rolname = $1', [resource.metadata.name]))[0]?.['rolconnlimit'] ===
      limitOf(resource),
    drift: async (name) => void (await admin.query(`alter role "${name}" connection limit 99`)),
    make: async ({ metadata }) => void (await admin.query(`create role "${metadata.name ?? ''}" login connection limit 3`)),
    remove: async (name) => void (await admin.query(`drop role "${name}"`)),
  },
}

const databaseSubject: ConformanceSubject = {
  ...shared,
  resource: (name) => sql('Database', name, { connectionLimit: 3 }, ref(name)),
  change: withLimit,
  connectionKeys: ['database', 'endpoint', 'port'],
  lateInit: { resource: (name) => sql('Database', name, {}), field: 'encoding' },
  external: {
    count: (name) => count('select 1 from pg_database where datname = $1', name),
    matches: async (resource) =>
      (await rows('select datconnlimit from pg_database where datname = $1', [resource.metadata.name]))[0]?.['datconnlimit'] ===
      limitOf(resource),
    drift: async (name) => void (await admin.query(`alter database "${name}" connection limit 99`)),
    make: async ({ metadata }) => void (await admin.query(`create database "${metadata.name ?? ''}" connection limit 3`)),
    remove: async (name) => void (await admin.query(`drop database "${name}" with (force)`)),
  },
}

describe('PostgreSQL by SQL', () => {
  beforeAll(async () => {
    context = await openPostgresqlWorld()
    const { world } = context
    await world.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'conformance' } })
    // A server that does not know the provider: it goes on when the provider stops.
    host = await startHost()
    admin = await host.connect()
    await admin.query(`create role ${operator.name} superuser login password '${operator.password}'`)
    proxy = await createProxy(host.port)
    await world.apply(configSecret(operator.password))
    await world.apply({
      apiVersion: 'postgresql.sql.crossplane.io/v1alpha1',
      kind: 'ProviderConfig',
      metadata: { name: 'default' },
      spec: {
        credentials: { source: 'PostgreSQLConnectionSecret', connectionSecretRef: { namespace: 'default', name: 'sql-credentials' } },
      },
    })
  })
  afterAll(async () => {
    await admin.end().catch(() => undefined)
    await context.close()
    await proxy.close()
    await host.close()
  })

  for (const [kind, subject] of [
    ['Role', roleSubject],
    ['Database', databaseSubject],
  ] as const)
    describe(`conformance of ${kind}`, () => {
      it.each(conformanceCases(subject))('%s', (_name, run) => run(context.world, subject))
    })

  it('a role gets the password that a secret gives, and back what somebody changed', async () => {
    const { world } = context
    await world.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name: 'chosen' },
      stringData: { pw: 'chosen-password' },
    })
    const role = sql('Role', 'chosen', {
      privileges: { login: true },
      passwordSecretRef: { namespace: 'default', name: 'chosen', key: 'pw' },
    })
    await world.apply(role)
    await world.ready(role, TIMEOUT)
    const logIn = async (): Promise<void> => {
      const client = new pg.Client({
        host: '127.0.0.1',
        port: proxy.target,
        user: 'chosen',
        password: 'chosen-password',
        database: 'postgres',
      })
      await client.connect()
      await client.end()
    }
    await logIn()
    await admin.query(`alter role chosen password 'changed'`)
    await world.eventually(logIn, TIMEOUT)
    await world.delete(role)
    await world.gone(role, TIMEOUT)
  })

  it('grants exactly the privileges that are wanted, and takes them away again', async () => {
    const { world } = context
    const privileges = async (): Promise<string> =>
      String(
        (
          await rows(
            `select string_agg(privilege_type || case when is_grantable then '*' else '' end, ',' order by privilege_type) as p from pg_database, aclexplode(datacl) where datname = 'granted' and grantee = 'grantee'::regrole`,
          )
        )[0]?.['p'],
      )
    const objects = [sql('Role', 'grantee', {}), sql('Database', 'granted', {})]
    const grant = sql('Grant', 'granting', {
      role: 'grantee',
      database: 'granted',
      privileges: ['connect', 'create'],
      revokePublicOnDb: true,
    })
    for (const object of [grant, ...objects]) await world.apply(object)
    for (const object of [...objects, grant]) await world.ready(object, TIMEOUT)
    expect(await privileges()).toBe('CONNECT,CREATE')
    expect(await rows(`select 1 from pg_database, aclexplode(datacl) where datname = 'granted' and grantee = 0`)).toEqual([])
    await admin.query('grant temporary on database granted to grantee; revoke create on database granted from grantee')
    await world.eventually(async () => expect(await privileges()).toBe('CONNECT,CREATE'), TIMEOUT)
    await world.apply(sql('Grant', 'granting', { role: 'grantee', database: 'granted', privileges: ['ALL'], withOption: 'GRANT' }))
    await world.eventually(async () => expect(await privileges()).toBe('CONNECT*,CREATE*,TEMPORARY*'), TIMEOUT)
    await world.delete(grant)
    await world.gone(grant, TIMEOUT)
    expect(await privileges()).toBe('null')
    for (const object of objects) await world.delete(object)
    for (const object of objects) await world.gone(object, TIMEOUT)
  })

  it('sets, changes and resets the settings of a role', async () => {
    const { world } = context
    const settings = async (): Promise<unknown> =>
      (await rows(`select rolconfig from pg_roles where rolname = 'configured'`))[0]?.['rolconfig']
    const role = (parameters: readonly JsonObject[]): ManagedResource => sql('Role', 'configured', { configurationParameters: parameters })
    await world.apply(
      role([
        { name: 'search_path', value: '"My Schema", public' },
        { name: 'statement_timeout', value: '5s' },
      ]),
    )
    await world.ready(role([]), TIMEOUT)
    await world.apply(role([{ name: 'statement_timeout', value: '9s' }]))
    await world.eventually(async () => expect(await settings()).toEqual(['statement_timeout=9s']), TIMEOUT)
    await world.delete(role([]))
    await world.gone(role([]), TIMEOUT)
  })

  it('says what is wrong with what cannot be', async () => {
    const { world } = context
    const cases = [
      { object: sql('Database', 'x'.repeat(64), {}), message: /63 bytes/ },
      { object: sql('Grant', 'nothing', { role: 'someone' }), message: /memberOf, or a database/ },
      { object: sql('Extension', 'unknown', { extension: 'no_such_extension' }), message: /no_such_extension/ },
      { object: sql('Database', 'odd', { encoding: 'KLINGON' }), message: /KLINGON/ },
      // The credentials would allow all of these; the ProviderConfig does not.
      { object: sql('Role', 'king', { privileges: { superUser: true } }), message: /superUser.*allowPrivileged/ },
      { object: sql('Grant', 'program', { role: 'operator', memberOf: 'pg_execute_server_program' }), message: /allowPrivileged/ },
      { object: sql('Grant', 'crown', { role: 'operator', memberOf: 'weft_superuser' }), message: /allowPrivileged/ },
      { object: sql('Extension', 'python', { extension: 'plpython3u' }), message: /plpython3u.*allowPrivileged/ },
      { object: sql('Database', 'copied', { template: 'postgres' }), message: /"postgres" is not a template.*allowPrivileged/ },
      {
        object: sql('Role', 'loader', { configurationParameters: [{ name: 'Session_Preload_Libraries', value: 'x' }] }),
        message: /session_preload_libraries.*allowPrivileged/,
      },
    ]
    for (const { object, message } of cases) {
      await world.apply(object)
      const current = await world.condition(object, 'Synced', 'False', TIMEOUT)
      expect(current.status?.conditions?.find(({ type }) => type === 'Synced')?.message).toMatch(message)
      await world.delete(object)
      await world.gone(object, TIMEOUT)
    }
  })

  it('lets resources have what reaches beyond databases where the ProviderConfig allows it', async () => {
    const { world } = context
    await world.apply({
      apiVersion: 'postgresql.sql.crossplane.io/v1alpha1',
      kind: 'ProviderConfig',
      metadata: { name: 'privileged' },
      spec: {
        credentials: { source: 'PostgreSQLConnectionSecret', connectionSecretRef: { namespace: 'default', name: 'sql-credentials' } },
        allowPrivileged: true,
      },
    })
    const on = { providerConfigRef: { name: 'privileged' } }
    const objects = [
      sql('Role', 'king', { privileges: { superUser: true } }, on),
      sql('Grant', 'program', { role: 'king', memberOf: 'pg_execute_server_program' }, on),
    ]
    for (const object of objects) await world.apply(object)
    for (const object of objects) await world.ready(object, TIMEOUT)
    for (const object of objects.toReversed()) {
      await world.delete(object)
      await world.gone(object, TIMEOUT)
    }
  })

  it('never puts a password into an event, a condition or the log of the server', async () => {
    const { world } = context
    const events = await world.client.list({ group: '', kind: 'Event' })
    const log = await readFile(host.log, 'utf8')
    const text = `${JSON.stringify(events)}${log}`
    for (const secret of [operator.password, 'chosen-password']) expect(text.includes(secret)).toBe(false)
  })
})
