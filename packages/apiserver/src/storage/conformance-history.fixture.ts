import { expect, it } from 'vitest'
import { bytes, keysOf, text } from './conformance-harness.fixture.ts'
import { KEYSPACE_END } from './key.ts'
import { CompactedError, FutureRevisionError } from './storage.ts'
import type { Change, Storage } from './storage.ts'

const summary = ({ type, key, revision, value, previous }: Change): unknown[] => [
  type,
  key,
  revision,
  value && Buffer.from(value).toString(),
  previous && `${previous.key} ${text(previous)}@${previous.revision}`,
]

/** Revision 1..5: a created, b created, a updated, b deleted, c created. */
async function writeSome(storage: Storage): Promise<void> {
  await Promise.all([storage.write('a', 0, bytes('a1')), storage.write('b', 0, bytes('b2'))])
  await Promise.all([storage.write('a', 1, bytes('a3')), storage.write('b', 2, null), storage.write('c', 0, bytes('c5'))])
}

const some = [
  ['created', 'a', 1, 'a1', undefined],
  ['created', 'b', 2, 'b2', undefined],
  ['updated', 'a', 3, 'a3', 'a a1@1'],
  ['deleted', 'b', 4, undefined, 'b b2@2'],
  ['created', 'c', 5, 'c5', undefined],
]

/** The part of the conformance suite about history: `rangeAt`, `subscribe` and `compact`. */
export function describeHistory(current: () => Storage): void {
  it('reads ranges as they were at any revision', async () => {
    const storage = current()
    await writeSome(storage)
    const at = (revision: number): unknown[] => Array.from(storage.rangeAt(revision, '', KEYSPACE_END), (e) => `${text(e)}@${e.revision}`)
    expect([0, 1, 2, 3, 4, 5].map(at)).toEqual([[], ['a1@1'], ['a1@1', 'b2@2'], ['a3@3', 'b2@2'], ['a3@3'], ['a3@3', 'c5@5']])
    expect(() => storage.rangeAt(6, '', KEYSPACE_END)).toThrow(FutureRevisionError)
  })

  it('replays recorded changes on the calling tick, then delivers live ones', async () => {
    const storage = current()
    await writeSome(storage)
    for (const after of [0, 1, 3, 5]) {
      const seen: unknown[] = []
      const cancel = storage.subscribe('', after, (changes) => seen.push(...changes.map(summary)))
      expect(seen).toEqual(some.slice(after))
      cancel()
    }
    const seen: unknown[] = []
    const cancel = storage.subscribe('a', 1, (changes) => seen.push(...changes.map(summary)))
    await Promise.all([storage.write('a', 3, null), storage.write('b', 0, bytes('b7')), storage.write('ab', 0, bytes('ab8'))])
    expect(seen).toEqual([some[2], ['deleted', 'a', 6, undefined, 'a a3@3'], ['created', 'ab', 8, 'ab8', undefined]])
    cancel()
    await storage.write('a', 0, bytes('a9'))
    expect(seen).toHaveLength(3)
  })

  it('dispatches once for each commit, and knows values that were replaced within it', async () => {
    const storage = current()
    const batches: unknown[][] = []
    storage.subscribe('a', 0, (changes) => batches.push(changes.map(summary)))
    await Promise.all([
      storage.write('a', 0, bytes('1')),
      storage.write('x', 0, bytes('x')),
      storage.write('a', 1, bytes('3')),
      storage.write('a', 3, null),
    ])
    expect(batches).toEqual([
      [
        ['created', 'a', 1, '1', undefined],
        ['updated', 'a', 3, '3', 'a 1@1'],
        ['deleted', 'a', 4, undefined, 'a 3@3'],
      ],
    ])
  })

  it('lets subscribers read, write, subscribe and cancel', async () => {
    const storage = current()
    const seen: string[] = []
    const writes: Promise<number>[] = []
    const cancels: (() => void)[] = []
    cancels.push(
      storage.subscribe('a', 0, (changes) => {
        for (const { key, revision } of changes) {
          seen.push(`first ${revision}`)
          expect(storage.revision, 'visible').toBeGreaterThanOrEqual(revision)
          expect(storage.get(key)?.revision).toBe(revision)
          if (revision === 1) writes.push(storage.write('b', 0, bytes('from inside')))
          const cancel = storage.subscribe('a', 0, (inner) => seen.push(`inner ${inner.map((change) => change.revision).join()}`))
          cancels.push(cancel)
        }
      }),
    )
    storage.subscribe('a', 0, () => cancels.forEach((cancel) => cancel()))
    await storage.write('a', 0, bytes('1'))
    await Promise.all(writes)
    await storage.write('a', 1, bytes('2'))
    expect(seen).toEqual(['first 1', 'inner 1'])
    expect(text(storage.get('b'))).toBe('from inside')
  })

  it('allows to subscribe from a revision that is yet to come', async () => {
    const storage = current()
    const seen: unknown[] = []
    storage.subscribe('', 2, (changes) => seen.push(...changes.map((change) => change.revision)))
    for (const key of ['a', 'b', 'c', 'd']) await storage.write(key, 0, bytes(key))
    expect(seen).toEqual([3, 4])
  })

  it('replays a long history in batches of bounded size', async () => {
    const storage = current()
    await Promise.all(Array.from({ length: 600 }, (_, i) => storage.write(`k${i}`, 0, bytes(''))))
    const batches: number[] = []
    storage.subscribe('', 0, (changes) => batches.push(changes.length))
    expect(batches.reduce((sum, length) => sum + length, 0)).toBe(600)
    expect(batches.length).toBeGreaterThan(1)
    expect(batches.length, 'and not one by one').toBeLessThan(60)
  })

  it('drops history up to the compacted revision and keeps what is live', async () => {
    const storage = current()
    await writeSome(storage)
    const before = storage.stats()
    await storage.compact(3)
    expect(storage.compactedRevision).toBe(3)
    expect(storage.revision).toBe(5)
    expect(storage.stats()).toMatchObject({ entries: 2, historyEntries: 2 })
    expect(storage.stats().historyBytes).toBeLessThan(before.historyBytes)
    expect(keysOf(storage.range('', KEYSPACE_END))).toEqual(['a', 'c'])

    expect(() => storage.rangeAt(2, '', KEYSPACE_END)).toThrow(CompactedError)
    expect(() => storage.subscribe('', 2, () => {})).toThrow(CompactedError)
    expect(keysOf(storage.rangeAt(3, '', KEYSPACE_END)), 'the boundary itself is readable').toEqual(['a', 'b'])
    const seen: unknown[] = []
    storage.subscribe('', 3, (changes) => seen.push(...changes.map(summary)))
    expect(seen, 'with previous values from before the boundary').toEqual(some.slice(3))

    await storage.compact(2)
    await storage.compact(3)
    expect(storage.compactedRevision, 'never goes back').toBe(3)
    await expect(storage.compact(6)).rejects.toBeInstanceOf(FutureRevisionError)
    await storage.compact(5)
    expect(storage.stats()).toMatchObject({ entries: 2, historyEntries: 0, historyBytes: 0 })
    expect(storage.stats().oldestHistoryTime).toBeUndefined()
    expect(text(storage.get('a'))).toBe('a3')
    expect(await storage.write('a', 3, bytes('a6'))).toBe(6)
  })

  it('knows when revisions were made, as far back as history goes', async () => {
    const storage = current()
    const before = Date.now()
    await writeSome(storage)
    expect(storage.revisionAt(before - 1)).toBe(0)
    expect(storage.revisionAt(Date.now())).toBe(5)
    const oldest = storage.stats().oldestHistoryTime ?? 0
    expect(storage.revisionAt(oldest - 1)).toBe(0)
    expect(storage.revisionAt(oldest)).toBeGreaterThanOrEqual(1)
    await storage.compact(3)
    expect(storage.revisionAt(before - 1)).toBe(3)
    await storage.compact(5)
    expect(storage.revisionAt(Date.now())).toBe(5)
  })

  it('compacts a long history in steps, while it is written to', async () => {
    const storage = current()
    let revision = 0
    for (let round = 0; round < 30; round++) {
      const writes: Promise<number>[] = []
      for (let i = 0; i < 100; i++) writes.push(storage.write('hot', revision++, bytes(`v${revision}`)))
      await Promise.all(writes)
    }
    const compaction = Promise.all([storage.compact(2900), storage.compact(1000)])
    const writes = Array.from({ length: 50 }, (_, i) => storage.write(`new/${i}`, 0, bytes('')))
    await Promise.all([compaction, ...writes])
    expect(storage.compactedRevision).toBe(2900)
    expect(storage.stats()).toMatchObject({ entries: 51, historyEntries: 150 })
    expect(Array.from(storage.rangeAt(2950, '', KEYSPACE_END), text)).toEqual(['v2950'])
  })
}
