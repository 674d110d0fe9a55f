import type { Schema } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { compileRulesOf } from '../rules/compile-rule.ts'
import { declTypeFromSchema } from '../types/decl-type.ts'

/** The worst case of one rule on a schema, as Kubernetes' tests state it: without limits in the schema, and with. */
type Make = (max?: number) => Schema

const item = (type: string): Schema =>
  type === 'int-or-string'
    ? { 'x-kubernetes-int-or-string': true }
    : ['duration', 'date', 'date-time'].includes(type)
      ? { type: 'string', format: type }
      : { type }
const limit = (key: 'maxItems' | 'maxLength' | 'maxProperties', max: number | undefined): Schema =>
  max === undefined ? {} : { [key]: max }
const array =
  (type: string): Make =>
  (max) => ({ type: 'array', items: item(type), ...limit('maxItems', max) })
const arrayOf =
  (items: Schema): Make =>
  (max) => ({ type: 'array', items, ...limit('maxItems', max) })
const map =
  (type: string): Make =>
  (max) => ({ type: 'object', additionalProperties: item(type), ...limit('maxProperties', max) })
const mapOf =
  (elem: Schema): Make =>
  (max) => ({ type: 'object', additionalProperties: elem, ...limit('maxProperties', max) })
const string: Make = (max) => ({ type: 'string', ...limit('maxLength', max) })
const bytes: Make = (max) => ({ type: 'string', format: 'byte', ...limit('maxLength', max) })
const strings: Make = (max) => ({ type: 'array', items: string(max), ...limit('maxItems', max) })
const object: Schema = {
  type: 'object',
  required: ['required'],
  properties: { required: { type: 'string' }, optional: { type: 'string' } },
}
const fields = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties })

const CASES: readonly (readonly [name: string, schema: Make, rule: string, open: number, max: number, set: number])[] = [
  ['number array', array('number'), 'self.all(x, true)', 4718591, 10, 32],
  ['string array', array('string'), 'self.all(x, true)', 3145727, 20, 62],
  ['boolean array', array('boolean'), 'self.all(x, true)', 1887437, 5, 17],
  ['array of number arrays', arrayOf(array('number')()), 'self.all(x, true)', 3145727, 100, 302],
  ['array of objects', arrayOf(object), 'self.all(x, true)', 555128, 50, 152],
  ['map of numbers', map('number'), 'self.all(x, true)', 1348169, 10, 32],
  ['map of strings', map('string'), 'self.all(x, true)', 1179647, 3, 11],
  ['map of booleans', map('boolean'), 'self.all(x, true)', 943718, 100, 302],
  ['string contains', string, "self.contains('test')", 314574, 10, 5],
  ['string startsWith', string, "self.startsWith('test')", 2, 15, 2],
  ['concatenation', string, 'size(self + "hello") > size("hello")', 314578, 4, 7],
  ['index of numbers', array('number'), 'self[1] == 0.0', 2, 5000, 2],
  ['index of strings', array('string'), 'self[1] == self[1]', 314577, 8, 314577],
  ['regular expression', string, 'self.matches("x")', 314574, 50, 22],
  ['regular expression on nothing', string, '"".matches("(((((((((())))))))))[0-9]")', 7, 10, 7],
  ['empty regular expression', string, 'self.matches("")', 1, 100, 1],
  ['map values', (max) => ({ ...mapOf(string(max))(max) }), 'self.all(x, x.contains(self[x]))', 2752507, 10, 72],
  ['empty array', array('number'), 'self[3] == 0.0', 2, 0, 2],
  ['empty string', string, 'self == "x"', 2, 0, 1],
  ['empty bytes', bytes, 'self == b"x"', 2, 0, 1],
  ['more than fits a request', array('number'), 'self.all(x, x == 0.0)', 6291454, 3 * 1024 * 2048, 25165826],
  ['objects in maps in lists', (max) => arrayOf({ ...mapOf(object)(max) })(max), 'self.all(x, x["y"].required == "z")', 7340027, 10, 72],
  ['int-or-string array', array('int-or-string'), 'self.all(x, true)', 4718591, 10, 32],
  ['index of int-or-string', array('int-or-string'), 'self[0] == 5', 3, 10, 3],
  ['index of objects', arrayOf(object), 'self[0] == null', 2, 422, 2],
  ['index of arrays', arrayOf(array('number')()), 'self[0][0] == -1.0', 3, 51, 3],
  ['array of maps', arrayOf(map('number')()), 'self.all(x, x.y == 25.2)', 6291452, 12, 74],
  ['index of maps', arrayOf(map('number')()), 'self[0].x > 2.0', 4, 3000, 4],
  ['durations', array('duration'), 'self.all(x, true)', 2359295, 5, 17],
  ['index of durations', array('duration'), 'self[0].getHours() == 2', 4, 525, 4],
  ['dates', array('date'), 'self.all(x, true)', 725936, 15, 47],
  ['date-times', array('date-time'), 'self.all(x, true)', 428963, 25, 77],
  ['map of objects', mapOf(object), 'self.all(x, true)', 428963, 20, 62],
  ['map of date-times', map('date-time'), 'self.all(x, true)', 349526, 25, 77],
  ['find', string, "self.find('[0-9]+') == ''", 629147, 10, 11],
  ['join', strings, "self.join(' ') == 'aa bb'", 329853068905, 10, 43],
  ['isSorted', strings, 'self.isSorted() == true', 329854432052, 10, 52],
  [
    'replace',
    (max) => fields({ str: string(max), before: string(2), after: string(4) }),
    "self.str.replace(self.before, self.after) == 'does not matter'",
    629154,
    4,
    12,
  ],
  ['split', (max) => fields({ str: string(max), separator: string(max) }), 'self.str.split(self.separator) == []', 629160, 10, 22],
  ['lowerAscii', string, "self.lowerAscii() == 'lower!'", 314575, 10, 6],
  ['size', map('integer'), 'oldSelf.size() == self.size()', 5, 10, 5],
  ['timestamps', map('date-time'), 'self["a"] == self["b"]', 8, 7, 8],
  ['durations of a map', map('duration'), 'self["c"] == self["d"]', 8, 42, 8],
  ['enum', (max) => ({ ...string(max), enum: ['A', 'B', 'C', 'LongValue'] }), "self.contains('A')", 2, 1000, 401],
]

function cost(schema: Schema, rule: string): number {
  const type = declTypeFromSchema(schema)
  if (type === undefined) throw new Error('no type')
  const [compiled] = compileRulesOf([{ rule }], schema, type)
  expect(compiled?.problem).toBeUndefined()
  return Number(compiled?.cost)
}

describe('static cost of rules', () => {
  test.each(CASES)('%s', (_, schema, rule, open, max, set) => {
    expect(cost(schema(), rule)).toBe(open)
    expect(cost(schema(max), rule)).toBe(set)
  })

  test('nested loops exceed the limit without limits in the schema', () => {
    expect(cost(array('number')(), 'self.all(x, self.all(y, true))')).toBeGreaterThan(10_000_000)
    expect(cost(array('number')(10), 'self.all(x, self.all(y, true))')).toBe(352)
    expect(cost(array('number')(10), 'self.all(x, self.all(y, self.all(z, true)))')).toBe(3552)
  })
})
