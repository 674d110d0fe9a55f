import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { silentLog } from '@weft/runtime'
import { afterAll, describe, expect, it } from 'vitest'
import { makerAccount } from './server/account.ts'
import { findBinaries } from './server/binaries.ts'
import { freePort } from './server/free-port.ts'
import { Servers } from './server/servers.ts'
import { Sessions } from './sql/sessions.ts'
import {
  beyondDatabases,
  connect,
  connectAsSuperuser,
  openPostgresqlWorld,
  pgServer,
  type PostgresqlWorld,
  readRecord,
  readSecret,
  recordPath,
} from './postgresql.fixture.ts'
import { settleLeftOvers } from './server/left-overs.ts'

const TIMEOUT = 60_000
const run = promisify(execFile)

/** A server as versions left it that handed out its superuser: run by a shared account, its password published. */
async function makeExposed(dataDir: string, name: string): Promise<Record<string, string>> {
  const maker = await makerAccount()
  const { initdb, pgCtl } = await findBinaries(dataDir, maker)
  const directory = join(dataDir, 'servers', name)
  const data = join(directory, 'data')
  const port = await freePort('127.0.0.1')
  await mkdir(data, { recursive: true, mode: 0o755 })
  await chmod(data, 0o700)
  await writeFile(join(directory, 'pw'), 'published')
  await writeFile(recordPath(dataDir, name), JSON.stringify({ name, port, password: 'published' }), { mode: 0o600 })
  await writeFile(join(directory, 'log'), '')
  const as = { ...maker?.ids, cwd: '/' }
  if (maker !== undefined)
    for (const path of [data, join(directory, 'log'), join(directory, 'pw')]) await chown(path, maker.ids.uid, maker.ids.gid)
  await run(
    initdb,
    ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${join(directory, 'pw')}`, '-E', 'UTF8', '--locale=C'],
    as,
  )
  await writeFile(join(data, 'postgresql.conf'), `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n`)
  const started = run(pgCtl, ['start', '-D', data, '-l', join(directory, 'log'), '-w', '-s'], as)
  started.child.stdout?.destroy()
  started.child.stderr?.destroy()
  await started
  return { endpoint: '127.0.0.1', port: String(port), username: 'postgres', password: 'published' }
}

describe('a server whose superuser was handed out', () => {
  let context: PostgresqlWorld
  afterAll(() => context?.close())

  it('gets it taken back, keeps its data for its application, and publishes another password', async () => {
    context = await openPostgresqlWorld()
    const { world, dataDir } = context
    const old = await makeExposed(dataDir, 'old')
    const before = await connect(old)
    await before.query(`
      create schema shop; create table shop.orders (id serial primary key, what text); insert into shop.orders (what) values ('one');
      create view shop.names as select what from shop.orders; create type shop.colour as enum ('red');
      create function shop.hello() returns text language sql security definer as 'select current_user::text';
      create role helper login superuser password 'helper'; create role worker login password 'worker'; grant pg_read_server_files to worker;
      create function trap() returns event_trigger language plpgsql as 'begin execute ''alter role worker superuser''; end';
      create event trigger trapped on ddl_command_end execute function trap();
      grant alter system on parameter work_mem to worker`)
    await before.query('create database ledger')
    await before.end()
    const inside = await connect(old, 'ledger')
    await inside.query('create table accounts (n int); insert into accounts values (7)')
    await inside.end()

    await world.apply(pgServer('old'))
    await world.ready(pgServer('old'), TIMEOUT)
    const secret = await readSecret(world, 'default', 'old-connection')
    expect(secret['username']).toBe('postgres')
    expect(secret['password']).not.toBe('published')
    await expect(connect(old)).rejects.toMatchObject({ code: '28P01' })
    await expect(connect({ ...old, username: 'weft_superuser' })).rejects.toMatchObject({ code: '28P01' })

    const superuser = await connectAsSuperuser(dataDir, 'old')
    expect(await beyondDatabases(superuser)).toEqual([])
    await superuser.end()
    const owner = await connect(secret)
    await owner.query("insert into shop.orders (what) values ('two')")
    expect((await owner.query('select what from shop.names order by 1')).rows).toEqual([{ what: 'one' }, { what: 'two' }])
    await owner.query("alter table shop.orders add column more text; alter type shop.colour add value 'blue'; drop view shop.names")
    expect((await owner.query('select shop.hello() as who')).rows).toEqual([{ who: 'postgres' }])
    await owner.query("alter role worker password 'fresh'; create table after_all (n int)")
    await expect(owner.query("copy after_all from program 'id'")).rejects.toMatchObject({ code: '42501' })
    await expect(owner.query("select pg_read_file('/etc/passwd')")).rejects.toMatchObject({ code: '42501' })
    await owner.end()
    const ledger = await connect(secret, 'ledger')
    await ledger.query('update accounts set n = 8')
    await ledger.end()
    const helper = await connect({ ...secret, username: 'helper', password: 'helper' })
    await expect(helper.query("copy (select 1) to program 'id'")).rejects.toMatchObject({ code: '42501' })
    await helper.end()
    const record = await readRecord(dataDir, 'old')
    expect(record.exposed).toBeUndefined()
    if (process.getuid?.() === 0) expect(record.account).toBeGreaterThan(1_000)
  }, 120_000)

  it('is finished by whoever comes after a crash, wherever that was', async () => {
    const { world, dataDir } = context
    const done = await readRecord(dataDir, 'old')
    // The server was confined, and the process died before it noted that: everything is done again, and nothing changes.
    await writeFile(recordPath(dataDir, 'old'), JSON.stringify({ ...done, exposed: ['published'] }))
    await world.eventually(async () => expect((await readRecord(dataDir, 'old')).exposed).toBeUndefined(), TIMEOUT)
    await world.ready(pgServer('old'), TIMEOUT)
    await (await connect(await readSecret(world, 'default', 'old-connection'), 'ledger')).end()
  })
})

describe('what is left of servers', () => {
  const sessions = new Sessions()
  const quiet = { ...silentLog, info: () => undefined, warn: () => undefined }
  afterAll(() => sessions.close())

  it('stops servers whose object is gone and keeps their data, finishes removals, and touches nothing that lives', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'weft-left-'))
    await chmod(directory, 0o755)
    const servers = await Servers.open(directory, sessions)
    const wanted = (owner: string) => ({ parameters: {}, owner })
    for (const name of ['living', 'renamed', 'gone', 'going']) {
      await servers.create(name, wanted(`uid-${name}`))
      await servers.ensure(name, wanted(`uid-${name}`))
    }
    await servers.create('never', wanted('uid-never'))
    await servers.create('young', wanted('uid-young'))
    await writeFile(recordPath(directory, 'going'), JSON.stringify({ ...(await readRecord(directory, 'going')), removing: true }))
    const living = { uids: new Set(['uid-living', 'uid-young']), externalNames: new Set(['living', 'young', 'renamed']) }
    await settleLeftOvers(servers, () => Promise.resolve(living), quiet)
    const kind = async (name: string): Promise<string> => (await servers.state(name, { parameters: {} })).kind
    expect(await kind('living')).toBe('running')
    expect(await kind('renamed')).toBe('running')
    expect(await kind('young')).toBe('unfinished')
    expect(await kind('gone')).toBe('stopped')
    expect((await readdir(join(directory, 'servers'))).toSorted()).toEqual(['gone', 'living', 'renamed', 'young'])
    // Whoever has its external name again has its data again.
    await servers.ensure('gone', wanted('uid-again'))
    expect(await kind('gone')).toBe('running')
    expect((await readRecord(directory, 'gone')).owner).toBe('uid-again')
    for (const { record } of await servers.all()) await servers.remove(record.name)
  }, 120_000)

  it('says that data is lost instead of making an empty server in its place', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'weft-lost-'))
    await chmod(directory, 0o755)
    const servers = await Servers.open(directory, sessions)
    await servers.create('lost', { parameters: {} })
    await servers.ensure('lost', { parameters: {} })
    await servers.stop('lost')
    await run('mv', [join(directory, 'servers/lost/data'), join(directory, 'elsewhere')])
    expect((await servers.state('lost', { parameters: {} })).kind).toBe('lost')
    await expect(servers.ensure('lost', { parameters: {} })).rejects.toMatchObject({ code: 'Invalid' })
    await run('mv', [join(directory, 'elsewhere'), join(directory, 'servers/lost/data')])
    await servers.ensure('lost', { parameters: {} })
    await servers.remove('lost')
  })
})
