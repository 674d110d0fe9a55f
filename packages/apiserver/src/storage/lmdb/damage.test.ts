import { copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEYSPACE_END } from '../key.ts'
import type { DataDirectoryError } from '../errors.ts'
import { openLmdbStorage } from './open.ts'
import { checkStore, repairStore } from './repair.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'weft-damage-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const dataFile = (): string => join(directory, 'data.mdb')
const KEYS = 218
const PAGE = 4096

/** Small and large values, some of them updated, some history compacted. */
async function makeStore(): Promise<Map<string, string>> {
  const storage = await openLmdbStorage({ directory })
  const value = (i: number): string => `value ${i} `.repeat(i % 7 === 0 ? 900 : 20)
  const created = await Promise.all(
    Array.from({ length: KEYS }, (_, i) => storage.write(`/registry/things/${i}`, 0, () => Buffer.from(value(i)))),
  )
  await storage.compact(50)
  await storage.write('/registry/things/3', created[3] as number, () => Buffer.from('updated'))
  const expected = new Map(Array.from(storage.range('', KEYSPACE_END), (entry) => [entry.key, Buffer.from(entry.value).toString()]))
  await storage.close()
  return expected
}

function flip(file: string, offset: number): void {
  const bytes = readFileSync(file)
  bytes[offset] = (bytes[offset] as number) ^ 0x40
  writeFileSync(file, bytes)
}

const refusal = async (): Promise<DataDirectoryError> =>
  (await openLmdbStorage({ directory }).then(
    async (storage) => (await storage.close(), undefined),
    (error: unknown) => error,
  )) as DataDirectoryError

describe('a damaged store', () => {
  it('is never opened as if it were whole: a flipped bit is found, or is where nothing is kept', { timeout: 300_000 }, async () => {
    const expected = await makeStore()
    const pristine = readFileSync(dataFile())
    let found = 0
    for (let offset = 17; offset < pristine.length; offset += 1531) {
      writeFileSync(dataFile(), pristine)
      flip(dataFile(), offset)
      const error = await refusal()
      if (error !== undefined) {
        expect(error, `byte ${offset}`).toMatchObject({ name: 'DataDirectoryError' })
        found++
        continue
      }
      const storage = await openLmdbStorage({ directory })
      const read = new Map(Array.from(storage.range('', KEYSPACE_END), (entry) => [entry.key, Buffer.from(entry.value).toString()]))
      await storage.close()
      expect(read, `byte ${offset}`).toEqual(expected)
    }
    expect(found).toBeGreaterThan(20)
  })

  it('names the object in the refusal and in the check; repair keeps the rest, and the damaged file', async () => {
    const expected = await makeStore()
    const bytes = readFileSync(dataFile())
    // In the middle of the text of a large value.
    const offset = bytes.indexOf('value 14 value 14 ') + 500
    flip(dataFile(), offset)
    const damaged = readFileSync(dataFile())

    const error = await refusal()
    expect(error).toMatchObject({ code: 'Damaged' })
    expect(error.message).toContain('/registry/things/14')
    const report = checkStore(directory)
    expect(report.damages.filter(({ kind }) => kind === 'object')).toEqual([
      { kind: 'object', key: '/registry/things/14', message: 'its value is damaged or missing' },
    ])
    expect(report.wholeObjects).toBe(KEYS - 1)
    expect(readFileSync(dataFile()).equals(damaged), 'a check changes nothing').toBe(true)

    const { keptAs } = await repairStore(directory)
    expect(readFileSync(keptAs).equals(damaged)).toBe(true)
    expect(statSync(dataFile()).mode & 0o777, 'nobody else reads it').toBe(0o600)
    expect(checkStore(directory).damages).toEqual([])
    const storage = await openLmdbStorage({ directory })
    const read = new Map(Array.from(storage.range('', KEYSPACE_END), (entry) => [entry.key, Buffer.from(entry.value).toString()]))
    expected.delete('/registry/things/14')
    expect(read).toEqual(expected)
    expect(storage.revision, 'clients that saw lost revisions list again').toBeGreaterThan(1e9)
    expect(await storage.write('/registry/things/14', 0, () => Buffer.from('again'))).toBe(storage.revision)
    await storage.close()
  })

  it('counts what is lost when a page of the tree is gone', async () => {
    await makeStore()
    const bytes = readFileSync(dataFile())
    // Leaf pages of the keys: those with short records and the keys in them.
    const pages = Array.from({ length: bytes.length / PAGE }, (_, i) => i).filter((i) => {
      const page = bytes.subarray(i * PAGE, (i + 1) * PAGE)
      return i > 1 && page.readUInt16LE(18) === 2 && page.includes('/registry/things/') && !page.includes('value ')
    })
    let counted = 0
    for (const page of pages) {
      const spoiled = Buffer.from(bytes)
      spoiled.fill(0, page * PAGE, (page + 1) * PAGE)
      writeFileSync(dataFile(), spoiled)
      const report = checkStore(directory)
      if (!report.damages.some(({ kind }) => kind === 'object')) continue
      counted++
      await repairStore(directory)
      const storage = await openLmdbStorage({ directory })
      expect(Array.from(storage.range('', KEYSPACE_END)).length).toBe(report.wholeObjects)
      await storage.close()
    }
    expect(counted).toBeGreaterThan(0)
  })

  it('is not made anew when its data file is missing', async () => {
    await makeStore()
    const elsewhere = `${dataFile()}.elsewhere`
    renameSync(dataFile(), elsewhere)
    expect(await refusal()).toMatchObject({ code: 'Missing' })
    expect(readdirSync(directory)).not.toContain('data.mdb')
    renameSync(elsewhere, dataFile())
    expect(await refusal()).toBeUndefined()
    await expect(openLmdbStorage({ directory: join(directory, 'other'), mustExist: true })).rejects.toMatchObject({ code: 'Missing' })
  })
})

it('a store of format 1 is read, and rewritten with checksums', async () => {
  const fixture = new URL('format-1.fixture.mdb', import.meta.url)
  copyFileSync(fixture, dataFile())
  expect(checkStore(directory)).toMatchObject({ format: 1, hasChecksums: false, damages: [] })
  const storage = await openLmdbStorage({ directory })
  const entries = Array.from(
    storage.range('', KEYSPACE_END),
    ({ key, value, revision }) => `${key}@${revision} ${Buffer.from(value).toString()}`,
  )
  expect(entries).toEqual(['a@4 a4', 'c@6 c6'])
  const changes: string[] = []
  storage.subscribe('', 2, (batch) =>
    changes.push(...batch.map(({ type, key, previous }) => `${type} ${key} ${previous?.revision ?? '-'}`)),
  )
  expect(changes).toEqual(['created c -', 'updated a 1', 'deleted b 2', 'updated c 3'])
  expect(await storage.write('d', 0, () => Buffer.from('d'))).toBe(7)
  await storage.close()
  expect(checkStore(directory)).toMatchObject({ format: 2, hasChecksums: true, wholeObjects: 3, damages: [] })
})
