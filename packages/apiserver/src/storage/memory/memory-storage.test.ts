import { expect, it } from 'vitest'
import { describeStorage } from '../conformance.fixture.ts'
import { openMemoryStorage } from './memory-storage.ts'

describeStorage('memory', {
  runs: 300,
  create: async (now) => {
    const storage = openMemoryStorage(now && { now })
    return { storage, dispose: () => storage.close() }
  },
})

it('says that it cannot be backed up', async () => {
  await expect(openMemoryStorage().backup('anywhere')).rejects.toMatchObject({ name: 'BackupError', code: 'Unsupported' })
})
