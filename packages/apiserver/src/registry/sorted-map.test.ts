import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SortedMap } from './sorted-map.ts'

test('agrees with a sorted plain map under any sequence of operations', () => {
  const key = fc.stringMatching(/^[ab]\/[a-e]{0,4}$/)
  const operation = fc.record({ remove: fc.boolean(), key })
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), fc.constantFrom('', 'a/', 'b/', 'a/c'), key, (operations, prefix, start) => {
      const map = new SortedMap<string>()
      const model = new Map<string, string>()
      for (const { remove, key: k } of operations) {
        if (remove) expect(map.delete(k)).toBe(model.delete(k))
        else {
          map.set(k, k)
          model.set(k, k)
        }
      }
      const expected = [...model.keys()].sort().filter((k) => k.startsWith(prefix))
      expect(map.scan(prefix)).toEqual(expected)
      expect(map.scan(prefix, start)).toEqual(expected.filter((k) => k >= start))
      expect(map.count(prefix, start)).toBe(expected.filter((k) => k >= start).length)
      expect(map.scan(prefix, start, 3)).toEqual(expected.filter((k) => k >= start).slice(0, 3))
      expect(map.size).toBe(model.size)
    }),
  )
})

test('splits chunks and stays in order with many keys', () => {
  const map = new SortedMap<number>()
  const keys = Array.from({ length: 5000 }, (_, i) => `k/${String((i * 7919) % 5000).padStart(5, '0')}`)
  keys.forEach((key, i) => map.set(key, i))
  expect(map.scan('k/').map((i) => keys[i])).toEqual([...keys].sort())
  for (const key of keys.slice(0, 4990)) map.delete(key)
  expect(map.scan('').length).toBe(10)
})
