import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonSyntaxError, parseJson, stringifyJson } from './json.ts'

describe('parseJson', () => {
  test.each([
    { reason: 'plain object', text: '{"a":1,"b":[true,null,"x:y"]}', value: { a: 1, b: [true, null, 'x:y'] }, duplicates: [] },
    { reason: 'int64 beyond 2^53 survives', text: '{"a":9007199254740993}', value: { a: 9007199254740993n }, duplicates: [] },
    { reason: 'safe 16 digits stay a number', text: '{"a":1234567890123456}', value: { a: 1234567890123456 }, duplicates: [] },
    { reason: '1.0 is stored as 1', text: '[1.0,1e3]', value: [1, 1000], duplicates: [] },
    {
      reason: 'duplicate keys are reported, the last wins',
      text: '{"s":{"a":1,"a":2},"l":[{"b":1,"b":1}]}',
      value: { s: { a: 2 }, l: [{ b: 1 }] },
      duplicates: ['s.a', 'l[0].b'],
    },
    { reason: 'colons and quotes inside strings do not confuse', text: '{"a\\":":"\\\\"}', value: { 'a":': '\\' }, duplicates: [] },
    { reason: 'beyond int64 falls back to a double', text: '[99999999999999999999]', value: [1e20], duplicates: [] },
  ])('$reason', ({ text, value, duplicates }) => {
    expect(parseJson(text)).toEqual({ value, duplicates })
  })

  test('__proto__ is data, not a prototype', () => {
    for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":12345678901234567}}']) {
      const value = parseJson(text).value as object
      expect(Object.hasOwn(value, '__proto__')).toBe(true)
      expect((value as { x?: unknown }).x).toBeUndefined()
    }
  })

  test.each(['', '{', '{"a"}', '[1,]', '{"a":1}x', '"abc', 'nul', '{"a":01}', '[12345678901234567', '{"a":1,"a":}'])(
    'rejects %j',
    (text) => {
      expect(() => parseJson(text)).toThrow(JsonSyntaxError)
    },
  )

  test('deep nesting is refused before it is parsed', () => {
    expect(() => parseJson('['.repeat(100_000) + ']'.repeat(100_000))).toThrow(JsonSyntaxError)
  })

  test('agrees with JSON.parse on any JSON, and round-trips', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const { value, duplicates } = parseJson(text)
        expect(stringifyJson(value)).toBe(JSON.stringify(JSON.parse(text)))
        expect(duplicates).toEqual([])
      }),
    )
  })

  test('bigints round-trip', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => {
        const text = `{"a":[${n}]}`
        expect(stringifyJson(parseJson(text).value)).toBe(text)
      }),
    )
  })

  test('refuses a number that is too large for any', () => {
    for (const text of ['{"a":1e999}', `[${'9'.repeat(400)}]`, '{"a":-1E+1000}']) expect(() => parseJson(text), text).toThrow('float64')
  })
})
