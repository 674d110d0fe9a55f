import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openEnvironment } from './environment.ts'
import { PageFile, PageFileError } from './page-file.ts'

const PAGE = 4096
const FLAGS = 18
const LOWER = 20
const HEADER = 24
const [BRANCH, LEAF, OVERFLOW] = [1, 2, 4]

let directory: string
let file: string
let pristine: Buffer
/** Several levels of branches, and values that need pages of their own. */
const written = new Map(
  Array.from({ length: 3_000 }, (_, i) => [`key-${String(i).padStart(4, '0')}`, `value ${i} `.repeat(i % 500 === 0 ? 2_000 : 3)]),
)
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'weft-pages-'))
  file = join(directory, 'data.mdb')
  const { root, keys, meta } = openEnvironment(file)
  root.transactionSync(() => {
    for (const [key, value] of written) keys.put(key, Buffer.from(value))
    meta.put('one', Buffer.from('1'))
    meta.put('two', Buffer.from('2'))
  })
  await root.close()
  pristine = readFileSync(file)
})
afterAll(() => rmSync(directory, { recursive: true }))
beforeEach(() => writeFileSync(file, pristine))

function withPages<T>(work: (pages: PageFile) => T): T {
  const pages = new PageFile(file)
  try {
    return work(pages)
  } finally {
    pages.close()
  }
}
/** The table of keys as far as it can be read, and what was said of the rest. */
function scanned(table = 'keys'): { readonly records: ReadonlyMap<string, string>; readonly said: readonly string[] } {
  const said: string[] = []
  const records = withPages(
    (pages) =>
      new Map(
        Array.from(
          pages.scan(table, (message) => void said.push(message)),
          ({ key, data }) => [String(key), String(data)],
        ),
      ),
  )
  return { records, said }
}
const verified = (): string | undefined => {
  try {
    withPages((pages) => pages.verify())
    return undefined
  } catch (error) {
    if (!(error instanceof PageFileError)) throw error
    return error.message
  }
}
/** The pages of one kind that hold this text, or lead to what does. */
const pagesWith = (flag: number, text: string): readonly number[] =>
  Array.from({ length: pristine.length / PAGE }, (_, i) => i).filter(
    (i) => i > 1 && pristine.readUInt16LE(i * PAGE + FLAGS) === flag && pristine.subarray(i * PAGE, (i + 1) * PAGE).includes(text),
  )
const spoil = (page: number, change: (bytes: Buffer) => void): void => {
  const copy = Buffer.from(pristine)
  change(copy.subarray(page * PAGE, (page + 1) * PAGE))
  writeFileSync(file, copy)
}

/** Where a page's first record is, by the list that follows its header. */
const firstNode = (page: Buffer): number => HEADER + page.readUInt16LE(HEADER)

describe('a data file that is whole', () => {
  it('is read in order, with the values that have pages of their own', () => {
    expect(verified()).toBeUndefined()
    const { records, said } = scanned()
    expect(said).toEqual([])
    expect([...records]).toEqual([...written])
    expect(pagesWith(BRANCH, 'key-').length, 'there are branches').toBeGreaterThan(0)
    expect(pagesWith(OVERFLOW, 'value ').length, 'there are values with pages of their own').toBe(6)
  })

  it('is read table by table', () => {
    expect(withPages((pages) => pages.readTable('meta'))).toEqual(
      new Map([
        ['one', Buffer.from('1')],
        ['two', Buffer.from('2')],
      ]),
    )
    expect(withPages((pages) => pages.readTable('nothing'))).toBeUndefined()
    expect(withPages((pages) => pages.readTable('log'))).toEqual(new Map())
    expect(scanned('nothing').records.size).toBe(0)
    expect(scanned('log').records.size).toBe(0)
  })

  it('is complete until its last page is cut', () => {
    expect(withPages(({ isComplete }) => isComplete)).toBe(true)
    const { length } = pristine
    truncateSync(file, length - 1)
    expect(withPages(({ isComplete }) => isComplete)).toBe(false)
  })
})

describe('a page that is not what it should be', () => {
  it.each([
    {
      reason: 'the number of another',
      change: (page: Buffer) => void page.writeBigUInt64LE(3n, 0),
      says: /page \d+ has another page's number/,
    },
    { reason: 'of no kind', change: (page: Buffer) => void page.writeUInt16LE(0, FLAGS), says: /is neither a branch nor a leaf/ },
    { reason: 'more records than it has room for', change: (page: Buffer) => void page.writeUInt16LE(0xfffe, LOWER), says: /is garbled/ },
    { reason: 'a record beyond its end', change: (page: Buffer) => void page.writeUInt16LE(PAGE - 4, HEADER), says: /is garbled/ },
    {
      reason: 'a key that goes beyond its end',
      change: (page: Buffer) => void page.writeUInt16LE(PAGE, firstNode(page) + 6),
      says: /is garbled/,
    },
    {
      reason: 'a record that is longer than it',
      change: (page: Buffer) => void page.writeUInt32LE(PAGE, firstNode(page)),
      says: /a record is longer than its page/,
    },
  ])('is told, and what is elsewhere is read: $reason', ({ change, says }) => {
    const [page = 0] = pagesWith(LEAF, 'key-1234')
    spoil(page, change)
    const { records, said } = scanned()
    expect(said).toEqual([expect.stringMatching(says)])
    expect(records.size).toBeLessThan(written.size)
    expect(records.size).toBeGreaterThan(written.size - 200)
    for (const [key, value] of records) expect(value).toBe(written.get(key))
  })

  it('is told of the pages of a value', () => {
    const [page = 0] = pagesWith(OVERFLOW, 'value 500 ')
    spoil(page, (bytes) => void bytes.writeUInt16LE(LEAF, FLAGS))
    expect(verified()).toMatch(/is not an overflow page/)
    const { records, said } = scanned()
    expect(said).toEqual([`page ${page} is not an overflow page`])
    expect([...written.keys()].filter((key) => !records.has(key))).toEqual(['key-0500'])
  })

  it('is not read twice, whoever leads to it', () => {
    const [branch = 0] = pagesWith(BRANCH, 'key-')
    // The second child is the first once more.
    spoil(branch, (bytes) => {
      const [first, second] = [firstNode(bytes), HEADER + bytes.readUInt16LE(HEADER + 2)]
      bytes.writeUInt32LE(bytes.readUInt32LE(first), second)
    })
    expect(verified()).toMatch(/^page \d+ is used twice$/)
    expect(scanned().said).toEqual([expect.stringMatching(/is used twice/)])
  })

  it('is missing when the file was cut', () => {
    truncateSync(file, Math.floor(pristine.length / PAGE / 2) * PAGE)
    expect(verified()).toMatch(/^it ends at byte \d+, but a page is expected at \d+$|ends beyond the end of the file/)
    expect(scanned, 'the list of tables is at the end').toThrow(PageFileError)
  })
})

describe('a file that is no data file', () => {
  it.each([
    { reason: 'empty', content: () => Buffer.alloc(0) },
    { reason: 'another magic number', content: () => changed((copy) => void copy.writeUInt32LE(1, HEADER)) },
    { reason: 'no meta page', content: () => changed((copy) => void copy.writeUInt16LE(2, FLAGS)) },
    { reason: 'no second meta page', content: () => changed((copy) => void copy.fill(0, PAGE, 2 * PAGE)) },
    ...[0, 256, 5_000, 131_072].map((size) => ({
      reason: `pages of ${size} bytes`,
      content: () => changed((copy) => void copy.writeUInt32LE(size, HEADER + 24)),
    })),
  ])('is refused: $reason', ({ content }) => {
    writeFileSync(file, content())
    expect(() => new PageFile(file)).toThrow(PageFileError)
  })

  it('goes by the meta page that was written last', () => {
    const [first, second] = [0, 1].map((page) => pristine.readBigUInt64LE(page * PAGE + HEADER + 24 + 2 * 48 + 8))
    expect(first).not.toBe(second)
    const newer = (first as bigint) > (second as bigint) ? 0 : 1
    // The older one leads nowhere: nobody looks.
    writeFileSync(
      file,
      changed((copy) => void copy.writeBigUInt64LE(999_999n, (1 - newer) * PAGE + HEADER + 24 + 48 + 40)),
    )
    expect(scanned().records.size).toBe(written.size)
  })

  it('counts transactions beyond 32 bits', () => {
    const TRANSACTION = HEADER + 24 + 2 * 48 + 8
    const [first = 0n, second = 0n] = [0, 1].map((page) => pristine.readBigUInt64LE(page * PAGE + TRANSACTION))
    const older = first > second ? 1 : 0
    // It is now the newer one, and leads nowhere.
    const copy = changed((bytes) => {
      bytes.writeBigUInt64LE(1n << 32n, older * PAGE + TRANSACTION)
      bytes.writeBigUInt64LE(999_999n, older * PAGE + HEADER + 24 + 48 + 40)
    })
    writeFileSync(file, copy)
    expect(() => scanned()).toThrow(PageFileError)
  })
})

function changed(change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(pristine)
  change(copy)
  return copy
}
