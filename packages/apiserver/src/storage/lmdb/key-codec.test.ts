import { expect, it } from 'vitest'
import { revisionKeys, textKeys } from './key-codec.ts'

const written = <K>(codec: { writeKey(key: K, target: Buffer, start: number): number }, key: K): Buffer => {
  const target = Buffer.alloc(64, 0xee)
  const end = codec.writeKey(key, target, 3)
  expect(target.subarray(0, 3), 'what is before it is not its own').toEqual(Buffer.alloc(3, 0xee))
  return target.subarray(3, end)
}

it('revisions are 8 bytes whose order is that of the numbers', () => {
  const revisions = [0, 1, 255, 256, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 33, 2 ** 52, Number.MAX_SAFE_INTEGER]
  const keys = revisions.map((revision) => written(revisionKeys, revision))
  expect(keys.map(({ length }) => length)).toEqual(revisions.map(() => 8))
  expect(keys.toSorted(Buffer.compare)).toEqual(keys)
  expect(keys.map((key) => revisionKeys.readKey(Buffer.concat([Buffer.from('xyz'), key]), 3))).toEqual(revisions)
})

it('keys are their text as UTF-8; no text is below every key', () => {
  for (const key of ['a', '/registry/ä', '\u{1f41f}']) {
    expect(written(textKeys, key)).toEqual(Buffer.from(key))
    expect(textKeys.readKey(Buffer.from(`xy${key}z`), 2, 2 + Buffer.byteLength(key))).toBe(key)
  }
  expect(written(textKeys, '')).toEqual(Buffer.from([0]))
})
