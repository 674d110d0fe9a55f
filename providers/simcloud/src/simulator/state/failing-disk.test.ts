import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { StateLog } from './state-log.ts'

const disk = vi.hoisted(() => ({ full: false }))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    fdatasync: (fd: number, done: (error: Error | null) => void) =>
      disk.full ? done(Object.assign(new Error('no space'), { code: 'ENOSPC' })) : fs.fdatasync(fd, done),
  }
})

it('a log fails for good once a write fails, because what is on disk is no longer known', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'simcloud-'))
  const { log } = StateLog.open(join(directory, 'state'))
  log.append('a')
  await log.flushed()
  disk.full = true
  log.append('b')
  await expect(log.flushed()).rejects.toMatchObject({ code: 'ENOSPC' })
  disk.full = false
  log.append('c')
  await expect(log.flushed()).rejects.toMatchObject({ code: 'ENOSPC' })
  await expect(log.close()).rejects.toMatchObject({ code: 'ENOSPC' })
  rmSync(directory, { recursive: true })
})
