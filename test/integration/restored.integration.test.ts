import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Condition, findCondition, type KubeObject } from '@weft/api'
import { type Client, createClient, httpTransport, parseKubeconfig, type Transport } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWeft, type WeftProcess } from '../weft-process.ts'
import { weftWith } from './weft-command.ts'

const CLAIM = { group: 'database.crossplane.io', kind: 'PostgreSQLInstance' }
const SERVER = { group: 'postgresql.weft.dev', kind: 'PostgreSQLServer' }
const REF = { namespace: 'default', name: 'app' }
const PATIENT = { timeoutMs: 90_000, intervalMs: 200 }
const ARGS = ['--provider', 'postgresql']

const readyOf = (object: KubeObject): Condition | undefined =>
  findCondition((object['status'] as { conditions?: Condition[] } | undefined)?.conditions, 'Ready')

describe('a control plane that was restored from a backup', { timeout: 300_000 }, () => {
  let folder: string
  const opened: Transport[] = []
  const running: WeftProcess[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-restored-'))
  })
  afterAll(async () => {
    for (const transport of opened) await transport.close()
    for (const process of running) await process.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const up = async (name: string): Promise<{ readonly process: WeftProcess; readonly client: Client }> => {
    const process = await startWeft({ dataDir: join(folder, name), args: ARGS })
    running.push(process)
    const transport = httpTransport(await parseKubeconfig(await readFile(process.kubeconfig, 'utf8')))
    opened.push(transport)
    return { process, client: createClient({ transport, fieldManager: 'test' }) }
  }

  it('says on the claim that its database is gone, and makes no empty one until it is told to', async () => {
    const before = await up('old')
    await eventually(
      () =>
        before.client.create({
          apiVersion: 'postgresql.weft.dev/v1alpha1',
          kind: 'PostgreSQLServerClass',
          metadata: { name: 'local' },
          specTemplate: { reclaimPolicy: 'Delete', writeConnectionSecretsToNamespace: 'crossplane-system' },
        }),
      PATIENT,
    )
    await before.client.create({
      apiVersion: 'database.crossplane.io/v1alpha1',
      kind: 'PostgreSQLInstance',
      metadata: REF,
      spec: { classRef: { apiVersion: 'postgresql.weft.dev/v1alpha1', kind: 'PostgreSQLServerClass', name: 'local' } },
    })
    await eventually(async () => expect(readyOf(await before.client.get(CLAIM, REF))?.status).toBe('True'), PATIENT)
    const backup = join(folder, 'backup.mdb')
    expect(await weftWith({}, 'backup', backup, '--data-dir', before.process.dataDir)).toMatchObject({ code: 0 })
    await before.process.stop()
    running.length = 0

    expect(await weftWith({}, 'restore', backup, '--data-dir', join(folder, 'new'))).toMatchObject({ code: 0 })
    const { client } = await up('new')
    await eventually(async () => {
      const ready = readyOf(await client.get(CLAIM, REF))
      expect(ready?.status).toBe('False')
      expect(ready?.message).toMatch(/is gone: it existed before this control plane was restored/)
    }, PATIENT)
    const [server] = (await client.list(SERVER)).items
    const { name = '' } = server?.metadata ?? {}
    expect(readyOf(server as KubeObject)).toMatchObject({ status: 'False', reason: 'ExternalResourceLost' })

    const body = { metadata: { annotations: { 'weft.dev/create-again': 'true' } } }
    await client.patch(SERVER, { name }, { type: 'merge', body })
    await eventually(async () => expect(readyOf(await client.get(CLAIM, REF))?.status).toBe('True'), PATIENT)
  })
})
