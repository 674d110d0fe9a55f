import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '@weft/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttackedWorld, type Persona, startAttackedWorld } from './world.ts'

const CLASS = {
  apiVersion: 'postgresql.weft.dev/v1alpha1',
  kind: 'PostgreSQLServerClass',
  metadata: { name: 'local', annotations: { 'resourceclass.crossplane.io/is-default-class': 'true' } },
  specTemplate: { reclaimPolicy: 'Delete', writeConnectionSecretsToNamespace: 'crossplane-system' },
}
const claim = (namespace: string) => ({
  apiVersion: 'database.crossplane.io/v1alpha1',
  kind: 'PostgreSQLInstance',
  metadata: { name: 'db', namespace },
  spec: { writeConnectionSecretToRef: { name: 'db' } },
})

describe('the secret of a claim', () => {
  let world: AttackedWorld
  let amy: Persona
  let details: Record<string, string>
  beforeAll(async () => {
    world = await startAttackedWorld({ providers: ['postgresql'] })
    amy = await world.persona('application-operator', { name: 'amy', namespace: 'shop' })
    await eventually(() => world.admin.create(CLASS), { timeoutMs: 60_000 })
    await amy.client.create(claim('shop'))
    details = await eventually(
      async () => {
        const secret = await world.admin.get({ group: '', kind: 'Secret' }, { namespace: 'shop', name: 'db' })
        const data = Object.entries(secret['data'] as Record<string, string>)
        return Object.fromEntries(data.map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
      },
      { timeoutMs: 120_000 },
    )
  }, 180_000)
  afterAll(async () => {
    // Its data may be outside of the folder that goes with the process.
    await world?.admin.delete({ group: 'database.crossplane.io', kind: 'PostgreSQLInstance' }, { namespace: 'shop', name: 'db' })
    await eventually(
      async () => expect((await world?.admin.list({ group: 'postgresql.weft.dev', kind: 'PostgreSQLServer' }))?.items).toEqual([]),
      { timeoutMs: 60_000 },
    )
    await world?.stop()
  })

  const connect = async (): Promise<pg.Client> => {
    const { endpoint: host, port, username: user, password } = details
    const client = new pg.Client({ host: host ?? '', port: Number(port), user: user ?? '', password: password ?? '', database: 'postgres' })
    await client.connect()
    return client
  }

  it('the secret of a claim leads to its databases and no further', async () => {
    const client = await connect()
    await client.query('create table loot (line text)')
    const kubeconfig = world.process?.kubeconfig ?? world.adminKubeconfig
    const statements = [
      `copy loot from program 'cat ${kubeconfig}'`,
      `copy loot from '${kubeconfig}'`,
      `copy loot to program 'sh'`,
      `select pg_read_file('${kubeconfig}')`,
      `select pg_ls_dir('..')`,
      `select lo_import('${kubeconfig}')`,
      `alter system set archive_command = 'cat ${kubeconfig}'`,
      'create extension plpython3u',
      'create extension file_fdw',
      'create extension dblink',
      'create role king superuser login',
      'alter role current_user superuser',
      'grant pg_execute_server_program to current_user',
      `load '/tmp/evil.so'`,
      `create tablespace t location '/tmp'`,
    ]
    for (const statement of statements) await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' })
    expect((await client.query('select count(*)::int as n from loot')).rows).toEqual([{ n: 0 }])
    await client.end()
  })

  it('the server behind it runs as nobody who can read the kubeconfig of the administrator or the key of the authority', async (test) => {
    if (world.process === undefined || process.getuid?.() !== 0) test.skip('only the embedded process, as root, has files and accounts')
    const client = await connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const status = await readFile(`/proc/${rows[0]?.pid}/status`, 'utf8')
    const uid = Number(/^Uid:\t(\d+)/m.exec(status)?.[1])
    expect(uid).toBeGreaterThan(50_000)
    await client.end()
    const { execFileSync } = await import('node:child_process')
    const dataDir = join(world.process?.kubeconfig ?? '', '..')
    for (const path of ['kubeconfig', 'pki', 'storage'])
      expect(() =>
        execFileSync('sh', ['-c', `cat ${join(dataDir, path)} ${join(dataDir, path)}/*`], { uid, gid: uid, stdio: 'pipe' }),
      ).toThrow(/denied/)
  })
})
