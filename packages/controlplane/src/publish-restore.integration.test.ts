import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatTime, type KubeObject, SYSTEM_NAMESPACE } from '@weft/api'
import { openLmdbStorage, restoreBackup } from '@weft/apiserver'
import { createClient } from '@weft/client'
import { inProcessTransport } from '@weft/plane'
import { ADMINISTRATOR } from '@weft/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startControlPlane } from './index.ts'

const CONFIG_MAP = { group: '', kind: 'ConfigMap' }
const NOTICE = { name: 'weft-restored', namespace: SYSTEM_NAMESPACE }

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'weft-restore-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Starts on a data directory, does something, stops. */
async function during<T>(name: string, work: (plane: Running) => Promise<T>): Promise<T> {
  const plane = await startControlPlane({ dataDir: join(root, name), apiOnly: true, log: () => undefined })
  const client = createClient({ transport: inProcessTransport(plane.api, ADMINISTRATOR), fieldManager: 'test' })
  try {
    return await work({ plane, client, notice: () => client.find(CONFIG_MAP, NOTICE) })
  } finally {
    await plane.stop(0)
  }
}

interface Running {
  readonly plane: Awaited<ReturnType<typeof startControlPlane>>
  readonly client: ReturnType<typeof createClient>
  notice(): Promise<KubeObject | undefined>
}

const restore = (from: string, to: string, at: number): Promise<void> =>
  restoreBackup(join(root, from), join(root, to, 'storage'), { advanceRevision: 1e9, now: () => at })

/** The server writes for itself whenever it likes, also while a backup is made: only the store that was restored says how far the backup went. */
async function revisionOfBackup(name: string): Promise<number> {
  const storage = await openLmdbStorage({ directory: join(root, name, 'storage') })
  const { restored } = storage
  await storage.close()
  if (restored === undefined) throw new Error('the store is not marked as restored')
  return restored.revision
}

it('a restore is told in a ConfigMap when the control plane first starts, once, and again after another restore', async () => {
  const before = await during('first', async ({ plane, notice }) => {
    expect(await notice(), 'nothing was restored').toBeUndefined()
    const { revision } = plane.storage
    await plane.storage.backup(join(root, 'first.mdb'))
    return revision
  })
  const [firstTime, secondTime] = [Date.UTC(2026, 1, 3), Date.UTC(2026, 4, 5)]
  await restore('first.mdb', 'second', firstTime)
  const revision = await revisionOfBackup('second')
  expect(revision, 'everything that was visible when the backup began is in it').toBeGreaterThanOrEqual(before)
  await during('second', async ({ plane, client, notice }) => {
    expect(await notice()).toMatchObject({ data: { restoredAt: formatTime(firstTime), revision: String(revision) } })
    await plane.storage.backup(join(root, 'second.mdb'))
    await client.delete(CONFIG_MAP, NOTICE)
  })
  await during('second', async ({ notice }) => expect(await notice(), 'whoever deleted it was told').toBeUndefined())

  await restore('second.mdb', 'third', secondTime)
  await during('third', async ({ notice }) =>
    expect(await notice(), 'the backup held the notice of the restore before').toMatchObject({
      data: { restoredAt: formatTime(secondTime) },
    }),
  )
})
