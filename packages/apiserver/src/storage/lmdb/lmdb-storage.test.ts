import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeStorage } from '../conformance.fixture.ts'
import type { StorageHarness } from '../conformance-harness.fixture.ts'
import { openLmdbStorage } from './open.ts'

describeStorage('lmdb', {
  runs: 40,
  create: async (now): Promise<StorageHarness> => {
    const directory = mkdtempSync(join(tmpdir(), 'weft-storage-'))
    const open = (): ReturnType<typeof openLmdbStorage> => openLmdbStorage({ directory, ...(now && { now }) })
    const first = await open()
    let current = first
    return {
      storage: first,
      async reopen() {
        await current.close()
        current = await open()
        return current
      },
      async dispose() {
        await current.close()
        rmSync(directory, { recursive: true })
      },
    }
  },
})
