import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeHistory } from './conformance-history.fixture.ts'
import { describeModel } from './conformance-model.fixture.ts'
import { bytes, keysOf, text } from './conformance-harness.fixture.ts'
import type { ConformanceOptions, StorageHarness } from './conformance-harness.fixture.ts'
import { InvalidWriteError, StorageUnavailableError } from './errors.ts'
import { KEYSPACE_END, MAX_KEY_BYTES, MAX_VALUE_BYTES } from './key.ts'
import { ConflictError } from './storage.ts'
import type { Storage, Version } from './storage.ts'

/** What every storage driver must do. Call it from a driver's test file. */
export function describeStorage(name: string, options: ConformanceOptions): void {
  describe(`${name} storage`, () => {
    let harness: StorageHarness
    let storage: Storage
    beforeEach(async () => {
      harness = await options.create()
      storage = harness.storage
    })
    afterEach(() => harness.dispose())

    describeWrites(() => storage)
    describeReads(() => storage)
    describeHistory(() => storage)

    it('starts empty', () => {
      expect(storage).toMatchObject({ revision: 0, compactedRevision: 0 })
      expect(storage.get('a')).toBeUndefined()
      expect([...storage.range('', KEYSPACE_END)]).toEqual([])
      expect(storage.stats()).toMatchObject({ entries: 0, historyEntries: 0, historyBytes: 0 })
    })

    it('finishes the writes in flight when it is closed, and takes no more', async () => {
      const inFlight = [storage.write('a', 0, bytes('1')), storage.write('b', 0, bytes('2'))]
      const closed = storage.close()
      await expect(storage.write('c', 0, bytes('3'))).rejects.toMatchObject({ name: 'StorageUnavailableError', code: 'Closed' })
      expect(await Promise.all(inFlight)).toEqual([1, 2])
      await closed
      await storage.close()
      expect(() => storage.get('a')).toThrow(StorageUnavailableError)
      expect(() => storage.subscribe('', 0, () => {})).toThrow(StorageUnavailableError)
      await expect(storage.compact(1)).rejects.toThrow(StorageUnavailableError)
    })

    it('ends an iterator that is still open when it is closed, without harm', async () => {
      await Promise.all(['a', 'b', 'c'].map((key) => storage.write(key, 0, bytes(key))))
      const iterator = storage.range('', KEYSPACE_END)[Symbol.iterator]()
      expect(iterator.next().value).toMatchObject({ key: 'a' })
      await storage.close()
      try {
        iterator.next()
      } catch (error) {
        expect(error).toBeInstanceOf(StorageUnavailableError)
      }
      iterator.return?.()
    })
  })
  describeModel(name, options)
}

function describeWrites(current: () => Storage): void {
  it('numbers writes in order, and tells the value its revision', async () => {
    const storage = current()
    const seen: number[] = []
    const value = (revision: number): Uint8Array => {
      seen.push(revision)
      return Buffer.from(`at ${revision}`)
    }
    const revisions = [storage.write('a', 0, value), storage.write('b', 0, value), storage.write('a', 1, value)]
    expect(seen, 'synchronously').toEqual([1, 2, 3])
    expect(await Promise.all(revisions)).toEqual([1, 2, 3])
    expect(text(storage.get('a'))).toBe('at 3')
    expect(storage.get('a')).toMatchObject({ key: 'a', revision: 3 })
    expect(storage.revision).toBe(3)
    expect(await storage.write('a', 3, null)).toBe(4)
    expect(storage.get('a')).toBeUndefined()
    expect(await storage.write('a', 0, value)).toBe(5)
    expect(storage.stats()).toMatchObject({ entries: 2, historyEntries: 5 })
  })

  it('shows nothing before it is durable', async () => {
    const storage = current()
    const changes: number[] = []
    storage.subscribe('', 0, (batch) => changes.push(...batch.map((change) => change.revision)))
    const write = storage.write('a', 0, bytes('1'))
    expect(storage.revision).toBe(0)
    expect(storage.get('a')).toBeUndefined()
    expect(keysOf(storage.range('', KEYSPACE_END))).toEqual([])
    expect(changes).toEqual([])
    await write
    expect(storage.revision).toBe(1)
    expect(text(storage.get('a'))).toBe('1')
    expect(changes, 'subscribers hear of it before the writer does').toEqual([1])
  })

  it('refuses a write that expects another revision, writes in flight included', async () => {
    const storage = current()
    const first = storage.write('a', 0, bytes('1'))
    const cases = [
      { reason: 'created by a write in flight', expected: 0, actual: 1 },
      { reason: 'a revision that never was', expected: 7, actual: 1 },
    ]
    for (const { reason, expected, actual } of cases) {
      const error = await storage.write('a', expected, bytes('x')).catch((e: unknown) => e)
      expect(error, reason).toBeInstanceOf(ConflictError)
      expect(error, reason).toMatchObject({ actual })
    }
    const deleted = storage.write('a', 1, null)
    await expect(storage.write('a', 1, bytes('x'))).rejects.toMatchObject({ actual: 0 })
    expect(await Promise.all([first, deleted])).toEqual([1, 2])
    await expect(storage.write('a', 1, null)).rejects.toMatchObject({ name: 'ConflictError', actual: 0 })
    expect(storage.revision, 'a refused write takes no revision').toBe(2)
  })

  it('gives the revision of a write whose value throws to the next one', async () => {
    const storage = current()
    const failing = (): Uint8Array => {
      throw new RangeError('no value')
    }
    const [refused, written] = await Promise.allSettled([storage.write('a', 0, failing), storage.write('a', 0, bytes('1'))])
    expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'RangeError' } })
    expect(written).toEqual({ status: 'fulfilled', value: 1 })
  })

  it.each([
    { reason: 'an empty key', key: '', code: 'InvalidKey' },
    { reason: 'U+0000', key: 'a\0b', code: 'InvalidKey' },
    { reason: 'a lone surrogate, which has no UTF-8', key: 'a\ud800', code: 'InvalidKey' },
    { reason: 'the end of the key space', key: `${KEYSPACE_END}a`, code: 'InvalidKey' },
    { reason: 'too many bytes', key: 'é'.repeat(MAX_KEY_BYTES / 2) + 'x', code: 'KeyTooLong' },
    { reason: 'too large a value', key: 'a', size: MAX_VALUE_BYTES + 1, code: 'ValueTooLarge' },
    { reason: 'a delete of nothing', key: 'a', size: null, code: 'NothingToDelete' },
  ])('refuses $reason', async ({ key, size = 1, code }) => {
    const storage = current()
    const error = await storage.write(key, 0, size === null ? null : () => new Uint8Array(size)).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(InvalidWriteError)
    expect(error).toMatchObject({ code })
    expect(storage.get(key)).toBeUndefined()
    expect(await storage.write('good', 0, bytes(''))).toBe(1)
  })

  it.each([
    { reason: 'an empty value', key: 'a', size: 0 },
    { reason: 'the longest key', key: 'é'.repeat(MAX_KEY_BYTES / 2), size: 1 },
    { reason: 'a value of exactly a page', key: 'a', size: 4096 },
    { reason: 'the largest value', key: 'a', size: MAX_VALUE_BYTES },
    { reason: 'a key of every plane', key: 'a/é/€/\u{1f600}/\u{10fffe}', size: 3 },
    { reason: 'a key from Object.prototype', key: '__proto__', size: 3 },
  ])('keeps $reason', async ({ key, size }) => {
    const storage = current()
    const value = Buffer.alloc(size, 'v')
    await storage.write(key, 0, () => value)
    expect(value.equals(storage.get(key)?.value ?? Buffer.from('?'))).toBe(true)
    expect(keysOf(storage.range('', KEYSPACE_END))).toEqual([key])
    expect(keysOf(storage.range(key, `${key}\0`))).toEqual([key])
  })

  it('groups many concurrent writes, large ones too, without mixing them up', async () => {
    const storage = current()
    const sizes = Array.from({ length: 300 }, (_, i) => (i % 50 === 0 ? 200_000 : i * 7))
    await Promise.all(sizes.map((size, i) => storage.write(`key/${i}`, 0, () => Buffer.alloc(size, `${i} `))))
    for (const [i, size] of sizes.entries()) {
      expect(Buffer.alloc(size, `${i} `).equals(storage.get(`key/${i}`)?.value ?? Buffer.from('?'))).toBe(true)
    }
    expect(storage.revision).toBe(300)
  })
}

function describeReads(current: () => Storage): void {
  it('orders keys bytewise by UTF-8', async () => {
    const storage = current()
    const ordered = ['A', 'a', 'a/', 'a/b', 'a0', 'é', '\ud7ff', '\ue000', '\uffee', '\u{10000}', '\u{1f600}']
    await Promise.all(ordered.toReversed().map((key) => storage.write(key, 0, bytes(key))))
    expect(keysOf(storage.range('', KEYSPACE_END))).toEqual(ordered)
    expect(keysOf(storage.range('\ue000', '\u{1f600}'))).toEqual(['\ue000', '\uffee', '\u{10000}'])
  })

  it.each([
    { reason: 'start is inclusive, end is not', start: 'b', end: 'd', expected: ['b', 'c'] },
    { reason: 'bounds need not exist', start: 'aa', end: 'cc', expected: ['b', 'c'] },
    { reason: 'key + U+0000 goes on after the key', start: 'b\0', end: KEYSPACE_END, expected: ['c', 'd'] },
    { reason: 'limit', start: '', end: KEYSPACE_END, limit: 2, expected: ['a', 'b'] },
    { reason: 'a limit of 0', start: '', end: KEYSPACE_END, limit: 0, expected: [] },
    { reason: 'an empty range', start: 'b', end: 'b', expected: [] },
    { reason: 'a range that runs backwards', start: 'd', end: 'a', expected: [] },
    { reason: 'nothing there', start: 'x', end: 'z', expected: [] },
  ])('reads ranges: $reason', async ({ start, end, limit, expected }) => {
    const storage = current()
    await Promise.all(['a', 'b', 'c', 'd'].map((key) => storage.write(key, 0, bytes(key))))
    expect(keysOf(storage.range(start, end, limit))).toEqual(expected)
    expect(keysOf(storage.rangeAt(4, start, end, limit))).toEqual(expected)
  })

  // A character of three bytes: what counts is UTF-8, not UTF-16.
  const bound = (bytes: number): string => `${'€'.repeat(100)}${'x'.repeat(bytes - 300)}`
  it.each([
    { reason: 'range', read: (storage: Storage, start: string, end: string) => storage.range(start, end) },
    { reason: 'rangeAt', read: (storage: Storage, start: string, end: string) => storage.rangeAt(0, start, end) },
    { reason: 'versions', read: (storage: Storage, start: string, end: string) => storage.versions(start, end) },
  ])('takes bounds a little longer than any key, and refuses others: $reason', ({ read }) => {
    const longest = bound(MAX_KEY_BYTES + 16)
    const tooLong = bound(MAX_KEY_BYTES + 17)
    expect([...read(current(), longest, longest)]).toEqual([])
    for (const [start, end] of [
      [tooLong, KEYSPACE_END],
      ['', tooLong],
    ] as const)
      expect(() => [...read(current(), start, end)]).toThrow(expect.objectContaining({ name: 'InvalidWriteError', code: 'KeyTooLong' }))
  })

  it('tells versions without their bytes, and reads the bytes of each until it is compacted', async () => {
    const storage = current()
    for (const key of ['a', 'b', 'c']) await storage.write(key, 0, bytes(`${key} first`))
    const before = [...storage.versions('a', 'c')]
    expect(before.map(({ key, revision, size }) => ({ key, revision, size }))).toEqual([
      { key: 'a', revision: 1, size: 7 },
      { key: 'b', revision: 2, size: 7 },
    ])
    await storage.write('a', 1, bytes('a second'))
    await storage.write('b', 2, null)
    const read = (version: Version): string => Buffer.from(storage.read(version)).toString()
    expect(before.map(read), 'superseded and deleted').toEqual(['a first', 'b first'])
    expect([...storage.versions('', KEYSPACE_END)].map(read)).toEqual(['a second', 'c first'])
    // Without the checksum: whoever wrote a version does not know it.
    expect(read({ key: 'a', revision: 4, size: 8 })).toBe('a second')
    await storage.compact(storage.revision)
    expect(read({ key: 'a', revision: 4, size: 8 })).toBe('a second')
    for (const { key, revision, size } of before) expect(() => read({ key, revision, size })).toThrow('is missing')
  })

  it('iterates a snapshot taken at the call, whatever happens meanwhile', async () => {
    const storage = current()
    const keys = Array.from({ length: 700 }, (_, i) => `k${String(i).padStart(4, '0')}`)
    await Promise.all(keys.map((key) => storage.write(key, 0, bytes('old'))))
    const untouched = storage.range('', KEYSPACE_END)
    const started = storage.range('', KEYSPACE_END)[Symbol.iterator]()
    started.next()
    await Promise.all(keys.map((key, i) => storage.write(key, i + 1, i % 2 ? bytes('new') : null)))
    await storage.write('k', 0, bytes('new'))
    await storage.compact(storage.revision)
    expect(Array.from(untouched, (entry) => [entry.key, text(entry)])).toEqual(keys.map((key) => [key, 'old']))
    const rest: (string | undefined)[] = []
    for (let next = started.next(); !next.done; next = started.next()) rest.push(text(next.value))
    expect(rest).toEqual(keys.slice(1).map(() => 'old'))
    expect(keysOf(storage.range('', KEYSPACE_END))).toHaveLength(351)
  })

  it('lets iterators be left at any point', async () => {
    const storage = current()
    await Promise.all(['a', 'b', 'c'].map((key) => storage.write(key, 0, bytes(key))))
    for (const stopAt of ['a', 'b', 'c']) {
      for (const entry of storage.range('', KEYSPACE_END)) if (entry.key === stopAt) break
      for (const entry of storage.rangeAt(1, '', KEYSPACE_END)) if (entry.key === stopAt) break
    }
    const used = storage.range('', KEYSPACE_END)
    expect(keysOf(used)).toHaveLength(3)
    expect(keysOf(used), 'once only').toEqual([])
  })
}
