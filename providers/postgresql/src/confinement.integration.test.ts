import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ManagedResource } from '@weft/provider-sdk'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, openPostgresqlWorld, pgServer, type PostgresqlWorld, readRecord, readSecret, sql } from './postgresql.fixture.ts'

const TIMEOUT = 60_000
const run = promisify(execFile)

const named = (resource: ManagedResource, externalName: string): ManagedResource => ({
  ...resource,
  metadata: { ...resource.metadata, annotations: { 'crossplane.io/external-name': externalName } },
})

describe('whoever holds the connection secret of a server', () => {
  let context: PostgresqlWorld
  let client: pg.Client
  beforeAll(async () => {
    context = await openPostgresqlWorld()
    for (const name of ['mine', 'other']) await context.world.apply(pgServer(name))
    for (const name of ['mine', 'other']) await context.world.ready(pgServer(name), TIMEOUT)
    client = await connect(await readSecret(context.world, 'default', 'mine-connection'))
  })
  afterAll(async () => {
    await client?.end()
    await context?.close()
  })

  it('owns its databases and roles, makes more of both, and installs trusted extensions', async () => {
    await client.query('create table public.things (n int)')
    await client.query('create extension hstore')
    await client.query("create role app login password 'x' createdb; create role team")
    await client.query('grant team to app')
    await client.query('create database app_db owner app')
    await client.query('drop database app_db')
    await client.query('drop role app; drop role team')
  })

  it.each([
    ['COPY … FROM PROGRAM', "copy things from program 'id'"],
    ['COPY … TO PROGRAM', "copy things to program 'id'"],
    ['COPY … FROM a file', "copy things from '/etc/passwd'"],
    ['COPY … TO a file', "copy things to '/tmp/weft-owned'"],
    ['pg_read_file', "select pg_read_file('server.json')"],
    ['pg_read_binary_file', "select pg_read_binary_file('/etc/passwd')"],
    ['pg_ls_dir', "select pg_ls_dir('.')"],
    ['pg_stat_file', "select pg_stat_file('/etc/passwd')"],
    ['lo_import', "select lo_import('/etc/passwd')"],
    ['lo_export', "select lo_export(1, '/tmp/weft-owned')"],
    ['ALTER SYSTEM', "alter system set archive_command = 'id'"],
    ['a superuser of their own', 'create role boss superuser'],
    ['becoming one', 'alter role postgres superuser'],
    ['the role of the provider', 'set role weft_superuser'],
    ['its session', 'set session authorization weft_superuser'],
    ['membership of it', 'grant weft_superuser to postgres'],
    ['its password', "alter role weft_superuser password 'x'"],
    ['the right to run programs', 'grant pg_execute_server_program to postgres'],
    ['the right to read files', 'grant pg_read_server_files to postgres with admin true'],
    ['that right for a new role', 'create role reader in role pg_read_server_files'],
    ['a role that administers it', 'create role boss2 admin weft_superuser'],
    ['replication', 'create role copier replication'],
    ['an untrusted language', 'create extension plpython3u'],
    ['another one', 'create language plperlu'],
    ['connections to other servers', 'create extension dblink'],
    ['foreign files', 'create extension file_fdw'],
    ['foreign servers', 'create extension postgres_fdw'],
    ['functions in C', "create function f() returns int language c as '/tmp/evil.so', 'f'"],
    ['internal functions', "create function g(cstring) returns int language internal as 'pg_read_file'"],
    ['LOAD', "load '/tmp/evil.so'"],
    ['a table space', "create tablespace t location '/tmp'"],
    ['the passwords of others', 'select rolpassword from pg_authid'],
    ['an event trigger', 'create event trigger e on ddl_command_start execute function pg_catalog.suppress_redundant_updates_trigger()'],
    ['preloaded libraries', "alter role postgres set session_preload_libraries = '/tmp/evil'"],
    ['preloaded libraries of all', "alter database postgres set session_preload_libraries = '/tmp/evil'"],
    ['a subscription', "create subscription s connection 'host=127.0.0.1' publication p"],
  ])('is refused %s', async (_what, statement) => {
    await expect(client.query(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|42710|58P01|0LP01)$/) })
  })

  it('cannot get into the database of the superuser, nor into another server', async () => {
    const secret = await readSecret(context.world, 'default', 'mine-connection')
    const other = await readSecret(context.world, 'default', 'other-connection')
    await expect(connect(secret, 'weft_superuser')).rejects.toMatchObject({ code: '42501' })
    await expect(connect({ ...secret, port: other['port'] ?? '' })).rejects.toMatchObject({ code: '28P01' })
    const rules = await readFile(join(context.dataDir, 'servers/mine/data/pg_hba.conf'), 'utf8')
    expect(rules).not.toMatch(/trust|peer|replication|0\.0\.0\.0/)
    expect(await readFile(join(context.dataDir, 'servers/mine/data/postgresql.conf'), 'utf8')).toMatch(/^unix_socket_directories = ''$/m)
  })

  it.runIf(process.getuid?.() === 0)(
    'runs, as root, under an account that reads nothing of ours and nothing of other servers',
    async () => {
      const { dataDir, world } = context
      const [mine, other] = [await readRecord(dataDir, 'mine'), await readRecord(dataDir, 'other')]
      expect(mine.account).not.toBe(other.account)
      for (const { name, account = 0 } of [mine, other]) {
        const found = await stat(join(dataDir, 'servers', name, 'data'))
        expect([found.uid, found.mode & 0o777]).toEqual([account, 0o700])
        const pid = (await readFile(join(dataDir, 'servers', name, 'data/postmaster.pid'), 'utf8')).split('\n')[0] ?? ''
        const process = await readFile(`/proc/${pid}/status`, 'utf8')
        expect(process).toMatch(new RegExp(`^Uid:\\t${account}\\t${account}\\t${account}\\t${account}$`, 'm'))
        expect(process).toMatch(/^Groups:\s*$/m)
        const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').map((each) => each.split('=')[0])
        for (const each of environment) expect(each).toMatch(/^(PATH|LANG|LC_ALL|TZ|PWD|PG.*|)$/)
      }
      const as = { uid: mine.account ?? 0, gid: mine.account ?? 0 }
      for (const path of ['servers/other', 'servers/other/data', 'servers/mine/server.json', 'servers/other/server.json'])
        await expect(run('cat', [join(dataDir, path)], as), path).rejects.toThrow(/Permission denied|Is a directory/)
      await expect(run('ls', [join(dataDir, 'servers/other')], as)).rejects.toThrow(/Permission denied/)
      expect((await world.find(pgServer('mine')))?.status?.atProvider).toMatchObject({ isolation: 'OwnAccount', account: mine.account })
    },
  )

  it('no setting of a server runs programs, loads libraries or reaches files', async () => {
    const { world } = context
    for (const [name, value] of Object.entries({
      archive_command: 'id',
      shared_preload_libraries: 'plpython3',
      SSL_passphrase_command: 'id',
      log_directory: '/etc',
      dynamic_library_path: '/tmp',
      extension_control_path: '/tmp',
      restore_command: 'id',
      hba_file: '/tmp/hba',
      unix_socket_directories: '/tmp',
      allow_system_table_mods: 'on',
      jit_provider: '/tmp/evil',
    })) {
      await world.apply(pgServer('mine', { parameters: { [name]: value } }))
      await world.eventually(async () => {
        const { status } = await world.condition(pgServer('mine'), 'Synced', 'False', TIMEOUT)
        expect(status?.conditions?.find(({ type }) => type === 'Synced')?.message).toContain(name.toLowerCase())
      }, TIMEOUT)
    }
    await world.apply(pgServer('mine', { parameters: { work_mem: '5MB' } }))
    await world.condition(pgServer('mine'), 'Synced', 'True', TIMEOUT)
  })

  it('resources on the server get no more than that', async () => {
    const { world } = context
    const on = { providerConfigRef: { kind: 'PostgreSQLServer', name: 'mine' } }
    for (const [object, message] of [
      [sql('Role', 'king', { privileges: { superUser: true } }, on), /superUser.*allowPrivileged/],
      [sql('Role', 'copier', { privileges: { replication: true } }, on), /replication.*allowPrivileged/],
      [sql('Role', 'postgres', { privileges: { login: true } }, on), /that Weft itself uses/],
      [named(sql('Role', 'crowned', { connectionLimit: 0 }, on), 'weft_superuser'), /allowPrivileged/],
      [
        sql('Role', 'loader', { configurationParameters: [{ name: 'session_preload_libraries', value: 'x' }] }, on),
        /permission denied|allowPrivileged/,
      ],
      [sql('Grant', 'program', { role: 'postgres', memberOf: 'pg_execute_server_program' }, on), /allowPrivileged/],
      [sql('Grant', 'crown', { role: 'postgres', memberOf: 'weft_superuser' }, on), /allowPrivileged/],
      [sql('Extension', 'python', { extension: 'plpython3u' }, on), /plpython3u.*not a trusted one/],
      [sql('Extension', 'quoted', { extension: 'hstore"; drop database postgres; --' }, on), /invalid extension name/],
      [sql('Database', 'copy', { template: 'weft_superuser' }, on), /not a template/],
    ] as const) {
      await world.apply(object)
      const refused = await world.condition(object, 'Synced', 'False', TIMEOUT)
      expect(refused.status?.conditions?.find(({ type }) => type === 'Synced')?.message, object.metadata.name ?? '').toMatch(message)
      await world.edit(object, (current) => ({ ...current, spec: { ...current.spec, deletionPolicy: 'Orphan' } }))
      await world.delete(object)
      await world.gone(object, TIMEOUT)
    }
  })
})
