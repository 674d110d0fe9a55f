import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLmdbStorage } from './open.ts'
import { checkFile, isWholeFile, repairStore } from './repair.ts'

/** Prime, so that it is another place in each page. */
const STEP = 1021
let directory: string
let file: string
let pristine: Buffer

/** Objects small and large, written again and deleted, some history compacted. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'weft-whole-'))
  file = join(directory, 'data.mdb')
  const storage = await openLmdbStorage({ directory })
  const value = (i: number): Buffer => Buffer.from(`value ${i} `.repeat(i % 9 === 0 ? 700 : 10))
  const write = (i: number, expected: number): Promise<number> => storage.write(`/registry/things/${i}`, expected, () => value(i))
  const created = await Promise.all(Array.from({ length: 150 }, (_, i) => write(i, 0)))
  const updated = await Promise.all(created.slice(0, 60).map((revision, i) => write(i, revision)))
  await storage.compact(170)
  for (const [i, revision] of updated.slice(30, 40).entries()) await storage.write(`/registry/things/${30 + i}`, revision, null)
  await storage.write('/registry/things/35', 0, () => Buffer.alloc(0))
  await storage.close()
  pristine = readFileSync(file)
})
afterAll(() => rmSync(directory, { recursive: true }))

/** What both say; a file that cannot be read at all is damaged. */
function verdicts(): { readonly whole: boolean; readonly examined: boolean } {
  const judged = (judge: () => boolean): boolean => {
    try {
      return judge()
    } catch {
      return false
    }
  }
  return { whole: judged(() => isWholeFile(file)), examined: judged(() => checkFile(file).damages.length === 0) }
}

describe('whether a store is whole', () => {
  it('is known of one with history, and of one that was repaired', async () => {
    expect(verdicts()).toEqual({ whole: true, examined: true })
    await repairStore(directory)
    expect(verdicts()).toEqual({ whole: true, examined: true })
    writeFileSync(file, pristine)
  })

  it('is never said of one in which an examination finds something, whichever bit has changed', { timeout: 300_000 }, () => {
    let [damaged, harmless] = [0, 0]
    for (let offset = 3; offset < pristine.length; offset += STEP) {
      const bytes = Buffer.from(pristine)
      bytes[offset] = (bytes[offset] as number) ^ (1 << (offset % 8))
      writeFileSync(file, bytes)
      const { whole, examined } = verdicts()
      if (whole) expect(examined, `byte ${offset}`).toBe(true)
      if (examined) harmless++
      else damaged++
    }
    expect(damaged).toBeGreaterThan(10)
    expect(harmless).toBeGreaterThan(10)
  })
})
