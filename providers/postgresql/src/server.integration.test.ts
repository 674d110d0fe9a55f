import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  beyondDatabases,
  connect,
  connectAsSuperuser,
  openPostgresqlWorld,
  pgServer,
  type PostgresqlWorld,
  readSecret,
  secretRef,
  sql,
} from './postgresql.fixture.ts'
import { ROTATE_PASSWORD, ROTATE_SERVER_PASSWORD } from './index.ts'

const TIMEOUT = 60_000

describe('PostgreSQLServer', () => {
  let context: PostgresqlWorld
  beforeAll(async () => {
    context = await openPostgresqlWorld()
  })
  afterAll(() => context.close())

  it('server, role and database applied together in reverse order become Ready, and pg connects with the connection secret alone', async () => {
    const { world } = context
    const on = { providerConfigRef: { kind: 'PostgreSQLServer', name: 'together' } }
    const database = sql('Database', 'shop', { ownerRef: { name: 'shopkeeper' } }, on)
    const role = sql('Role', 'shopkeeper', { privileges: { login: true, createDb: true } }, { ...on, ...secretRef('shopkeeper') })
    const server = pgServer('together')
    for (const object of [database, role, server]) await world.apply(object)
    for (const object of [server, role, database]) await world.ready(object, TIMEOUT)
    const client = await connect(await readSecret(world, 'default', 'shopkeeper-connection'), 'shop')
    await client.query('create table goods (name text)')
    const { rows } = await client.query(
      'select current_user as me, pg_get_userbyid(datdba) as owner from pg_database where datname = current_database()',
    )
    expect(rows).toEqual([{ me: 'shopkeeper', owner: 'shopkeeper' }])
    await client.end()
    for (const object of [role, server, database]) await world.delete(object)
    for (const object of [database, role, server]) await world.gone(object, TIMEOUT)
    expect(await readdir(join(context.dataDir, 'servers'))).toEqual([])
  })

  it('is started again when it dies, and keeps its data and its password', async () => {
    const { world, dataDir } = context
    const server = pgServer('mortal')
    await world.apply(server)
    await world.ready(server, TIMEOUT)
    const secret = await readSecret(world, 'default', 'mortal-connection')
    const before = await connect(secret)
    await before.query('create table kept (n int); insert into kept values (42)')
    const pid = Number((await readFile(join(dataDir, 'servers/mortal/data/postmaster.pid'), 'utf8')).split('\n')[0])
    process.kill(pid, 'SIGKILL')
    await world.eventually(async () => {
      const after = await connect(secret)
      expect((await after.query('select n from kept')).rows).toEqual([{ n: 42 }])
      await after.end()
    }, TIMEOUT)
    await before.end().catch(() => undefined)
  })

  it('undoes changes of its configuration, of its password and of the rights of its roles', async () => {
    const { world, dataDir } = context
    const server = pgServer('meddled', { parameters: { max_connections: 33, work_mem: '5MB' } })
    await world.apply(server)
    await world.ready(server, TIMEOUT)
    const secret = await readSecret(world, 'default', 'meddled-connection')
    const client = await connect(secret)
    expect((await client.query('show max_connections')).rows).toEqual([{ max_connections: '33' }])
    const superuser = await connectAsSuperuser(dataDir, 'meddled')
    await superuser.query("alter system set work_mem = '9MB'")
    await superuser.query('select pg_reload_conf()')
    await world.eventually(async () => {
      expect((await client.query('show work_mem')).rows).toEqual([{ work_mem: '5MB' }])
    }, TIMEOUT)
    await client.query("alter role postgres password 'theirs'")
    await client.end()
    await world.eventually(async () => (await connect(secret)).end(), TIMEOUT)
    await superuser.query('alter role postgres superuser; create role sneaky superuser; grant pg_execute_server_program to postgres')
    await world.eventually(async () => expect(await beyondDatabases(superuser)).toEqual([]), TIMEOUT)
    // Nobody but us knows its password, so nobody can change it; were it changed, it would be set again.
    await superuser.query("alter role weft_superuser password 'theirs'")
    await superuser.end()
    await world.eventually(async () => (await connectAsSuperuser(dataDir, 'meddled')).end(), TIMEOUT)
  })

  it('changes a setting that needs a restart', async () => {
    const { world } = context
    const server = pgServer('meddled', { parameters: { max_connections: 44 } })
    await world.apply(server)
    await world.eventually(async () => {
      const client = await connect(await readSecret(world, 'default', 'meddled-connection'))
      expect((await client.query('show max_connections')).rows).toEqual([{ max_connections: '44' }])
      await client.end()
    }, TIMEOUT)
    await world.delete(server)
    await world.gone(server, TIMEOUT)
  })

  it('rotates passwords on request, and publishes the new ones', async () => {
    const { world } = context
    const server = pgServer('mortal')
    const role = sql(
      'Role',
      'rotated',
      { privileges: { login: true } },
      { providerConfigRef: { kind: 'PostgreSQLServer', name: 'mortal' }, ...secretRef('rotated') },
    )
    await world.apply(role)
    await world.ready(role, TIMEOUT)
    for (const [object, annotation, secretName] of [
      [role, ROTATE_PASSWORD, 'rotated-connection'],
      [server, ROTATE_SERVER_PASSWORD, 'mortal-connection'],
    ] as const) {
      const old = await readSecret(world, 'default', secretName)
      await (await connect(old)).end()
      await world.edit(object, (current) => ({
        ...current,
        metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, [annotation]: '1' } },
      }))
      const fresh = await world.eventually(async () => {
        const now = await readSecret(world, 'default', secretName)
        expect(now['password']).not.toBe(old['password'])
        await (await connect(now)).end()
        return now
      }, TIMEOUT)
      await expect(connect(old)).rejects.toThrow(/password authentication failed/)
      // Once: the same annotation later changes nothing.
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      expect(await readSecret(world, 'default', secretName)).toEqual(fresh)
    }
    await world.delete(role)
    await world.gone(role, TIMEOUT)
  })

  it('goes on after the control plane stopped and started again', async () => {
    const { world } = context
    await world.restart()
    await world.eventually(async () => (await connect(await readSecret(world, 'default', 'mortal-connection'))).end(), TIMEOUT)
  })

  it('keeps its files to itself, and refuses versions that it does not have', async () => {
    const { world, dataDir } = context
    expect((await stat(join(dataDir, 'servers/mortal/server.json'))).mode & 0o077).toBe(0)
    expect((await stat(join(dataDir, 'servers/mortal/data'))).mode & 0o077).toBe(0)
    const old = pgServer('ancient', { engineVersion: '9.6' }, {})
    await world.apply(old)
    const refused = await world.condition(old, 'Synced', 'False', TIMEOUT)
    expect(refused.status?.conditions?.find(({ type }) => type === 'Synced')?.message).toMatch(/9\.6 is not available/)
    await world.delete(old)
    await world.gone(old, TIMEOUT)
  })
})
