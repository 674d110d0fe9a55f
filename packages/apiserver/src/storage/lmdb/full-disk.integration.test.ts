import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { openLmdbStorage } from './open.ts'

const FIXTURE = fileURLToPath(new URL('full-disk-writer.fixture.ts', import.meta.url))

interface Report {
  readonly acknowledged: number[]
  readonly delivered: number[]
  readonly failures: string[]
  readonly revision: number
  readonly entries: number
  readonly deletes: number
  readonly compacted: boolean
  readonly again: boolean
  readonly last: number
}

describe.skipIf(process.platform === 'win32')('a disk that is full', () => {
  const directory = mkdtempSync(join(tmpdir(), 'weft-full-disk-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  it('rejects what it cannot keep, shows nothing of it, and goes on', { timeout: 60_000 }, async () => {
    // A limit on file sizes behaves as a full disk does, and needs no rights: some 8 MB (the unit differs between shells).
    const script = 'ulimit -f 8192; exec "$0" --import tsx "$1" "$2"'
    const { stdout } = await promisify(execFile)('sh', ['-c', script, process.execPath, FIXTURE, directory])
    const report = JSON.parse(stdout) as Report

    // The write that reaches the limit is cut short; unlike with a full disk, nothing tells why.
    expect(report.failures).toEqual(['Failed'])
    expect(report.acknowledged.length).toBeGreaterThan(20)
    const revisions = Array.from({ length: report.revision }, (_, i) => i + 1)
    expect(
      report.acknowledged.toSorted((a, b) => a - b),
      'acknowledged is what is visible',
    ).toEqual(revisions)
    expect(report.entries).toBe(report.revision)
    expect(report.delivered, 'also the deletes and the write after them').toEqual(Array.from({ length: report.last }, (_, i) => i + 1))
    expect(report.deletes).toBeGreaterThan(0)
    expect(report.compacted, 'room is made by deleting').toBe(true)
    expect(report.again).toBe(true)

    const storage = await openLmdbStorage({ directory })
    expect(storage.revision).toBe(report.last)
    expect(storage.get('again')?.value).toHaveLength(30_000)
    await storage.close()
  })
})
