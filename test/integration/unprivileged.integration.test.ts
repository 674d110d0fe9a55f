import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findCondition, type KubeObject } from '@weft/api'
import { createClient, httpTransport, parseKubeconfig } from '@weft/client'
import { eventually } from '@weft/testing'
import { expect, it } from 'vitest'
import { startWeft, unprivilegedUser } from '../weft-process.ts'
import { weftWith } from './weft-command.ts'

const CLAIM = { group: 'database.crossplane.io', kind: 'PostgreSQLInstance' }
const REF = { namespace: 'default', name: 'app' }
const PATIENT = { timeoutMs: 120_000, intervalMs: 200 }

const isReady = (object: KubeObject): boolean =>
  findCondition((object['status'] as { conditions?: [] } | undefined)?.conditions, 'Ready')?.status === 'True'

it('somebody without privileges runs Weft and gets a database, and is told that nothing but PostgreSQL keeps it apart', async ({
  skip,
}) => {
  const user = unprivilegedUser()
  if (user === undefined) return skip('cannot become somebody else here')
  const process = await startWeft({ args: ['--provider', 'postgresql'], user })
  const transport = httpTransport(await parseKubeconfig(await readFile(process.kubeconfig, 'utf8')))
  try {
    const client = createClient({ transport, fieldManager: 'test' })
    const apiVersion = 'postgresql.weft.dev/v1alpha1'
    const offer = { apiVersion, kind: 'PostgreSQLServerClass', metadata: { name: 'local' }, specTemplate: { reclaimPolicy: 'Delete' } }
    await eventually(() => client.create(offer), PATIENT)
    await client.create({
      apiVersion: 'database.crossplane.io/v1alpha1',
      kind: 'PostgreSQLInstance',
      metadata: REF,
      spec: { classRef: { apiVersion, kind: 'PostgreSQLServerClass', name: 'local' } },
    })
    await eventually(async () => expect(isReady(await client.get(CLAIM, REF))).toBe(true), PATIENT)
    const status = await weftWith({ env: { KUBECONFIG: process.kubeconfig } }, 'status')
    expect(status.output).toMatch(/Servers: +1 PostgreSQL under a shared account: .*run Weft as root to change that/)
    expect(status.code).toBe(0)
    for (const each of ['', 'pki', 'storage', 'kubeconfig']) {
      const { uid, mode } = await stat(join(process.dataDir, each))
      expect([each, uid, mode & 0o077]).toEqual([each, user.uid, 0])
    }
    await client.delete(CLAIM, REF)
    await eventually(
      async () => expect((await client.list({ group: 'postgresql.weft.dev', kind: 'PostgreSQLServer' })).items).toEqual([]),
      PATIENT,
    )
  } finally {
    await transport.close()
    expect(await process.stop()).toBe(0)
  }
})
