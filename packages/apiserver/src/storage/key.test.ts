import { compareText } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkBound, checkKey, MAX_KEY_BYTES, prefixEnd } from './key.ts'
import { SortedMap } from './memory/sorted-map.ts'

const key = fc.string({ unit: 'binary', maxLength: 6 })

describe('prefixEnd', () => {
  it('separates the keys with the prefix from those after them', () => {
    fc.assert(
      fc.property(key, key, (prefix, other) => {
        const end = prefixEnd(prefix)
        const within = compareText(other, prefix) >= 0 && compareText(other, end) < 0
        expect(within).toBe(other.startsWith(prefix) && compareText(other, '\u{10ffff}') < 0)
      }),
      {
        seed: 1,
        numRuns: 2000,
        examples: [
          ['a/', 'a0'],
          ['\ud7ff', '\ue000'],
          ['', 'x'],
          ['a\u{10ffff}', 'b'],
        ],
      },
    )
  })
})

describe('a key that is too long', () => {
  const long = `start${'x'.repeat(MAX_KEY_BYTES)}`
  it('is told by its beginning alone, as a key and as a bound', () => {
    const beginning = /^[a-z ]+ startx{75}… has /
    expect(checkKey(long)?.message).toMatch(beginning)
    expect(() => checkBound(`${long}${'x'.repeat(16)}`)).toThrow(beginning)
    expect(checkKey(long.slice(0, MAX_KEY_BYTES))).toBeUndefined()
  })
})

describe('SortedMap', () => {
  it('agrees with a plain map, and leaves older versions as they were', () => {
    const operation = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.boolean())
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 2000, size: 'max' }), (operations) => {
        let map = new SortedMap<string>()
        const plain = new Map<string, string>()
        let halfway: { map: SortedMap<string>; values: string[] } | undefined
        for (const [i, [number, keep]] of operations.entries()) {
          const at = `k${number}`
          map = keep ? map.set(at, `${at}#${i}`) : map.delete(at)
          if (keep) plain.set(at, `${at}#${i}`)
          else plain.delete(at)
          if (i === operations.length >> 1) halfway = { map, values: [...map.range('', 'z')] }
        }
        const expected = [...plain].toSorted(([a], [b]) => compareText(a, b)).map(([, v]) => v)
        expect([...map.range('', 'z')]).toEqual(expected)
        expect([...map.range('k3', 'k5')]).toEqual(expected.filter((v) => v >= 'k3' && v < 'k5'))
        expect(map.get('k500')).toBe(plain.get('k500'))
        expect([...(halfway?.map.range('', 'z') ?? [])]).toEqual(halfway?.values)
      }),
      { seed: 1, numRuns: 30 },
    )
  })
})
