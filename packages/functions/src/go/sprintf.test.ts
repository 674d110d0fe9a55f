import { describe, expect, test } from 'vitest'
import { parseDuration } from './duration.ts'
import { formatFloat } from './float.ts'
import { parseFloat64 } from './parse-number.ts'
import { quantityFloat } from './quantity.ts'
import { sprintf } from './sprintf.ts'
import type { GoValue } from './value.ts'

describe('what Go prints', () => {
  test.each<[format: string, args: readonly GoValue[], out: string]>([
    ['%v', [{ b: 1n, a: [1.5, null] }], 'map[a:[1.5 <nil>] b:1]'],
    ['%#v', [{ a: [1n, 2.5, 'x', null] }], 'map[string]interface {}{"a":[]interface {}{1, 2.5, "x", interface {}(nil)}}'],
    ['%d', ['x'], '%!d(string=x)'],
    ['%d', [[1n, 'x']], '[1 %!d(string=x)]'],
    ['%s', [null], '%!s(<nil>)'],
    ['%s and %s', ['a'], 'a and %!s(MISSING)'],
    ['%s', ['a', 1n, null], 'a%!(EXTRA int64=1, <nil>)'],
    ['%[2]s %[1]s', ['a', 'b'], 'b a'],
    ['%[3]s', ['a'], '%!s(BADINDEX)'],
    ['%', ['a'], '%!(NOVERB)%!(EXTRA string=a)'],
    ['%*d|%-5d|%05d|%+d', [5n, 42n, 42n, -42n, 42n], '   42|42   |-0042|+42'],
    ['%.*f', ['x', 1.5], '%!(BADPREC)1.500000'],
    ['%x %X %# x', ['hé', 255n, 'ab'], '68c3a9 FF 0x61 0x62'],
    ['%q %+q %#q', ['a"\u00e9\u2028', 'é', 'a`b'], '"a\\"é\\u2028" "\\u00e9" "a`b"'],
    ['%c %U %#U %q', [0x1f680n, 0x41n, 0x41n, 0x41n], "🚀 U+0041 U+0041 'A' 'A'"],
    ['%t %v', [true, false], 'true false'],
    ['%T %T %T', [1n, 1, [1n]], 'int64 float64 []interface {}'],
    ['%6.2f|%e|%g|%G', [3.24159, 1e6, 1e21, 1e-7], '  3.24|1.000000e+06|1e+21|1E-07'],
    ['%x %b %o %O', [1.5, 5n, 8n, 8n], '0x1.8p+00 101 10 0o10'],
    ['%08.3f %+.2e', [-1.5, 12345.678], '-001.500 +1.23e+04'],
  ])('%s', (format, args, out) => {
    expect(sprintf(format, ...args)).toBe(out)
  })
})

test('floats round halves of their exact value to even', () => {
  expect([0.125, 0.375, 2.5, 1e22].map((value) => formatFloat(value, 'f', value < 1 ? 2 : 0))).toEqual([
    '0.12',
    '0.38',
    '2',
    '10000000000000000000000',
  ])
  expect(formatFloat(5e-324, 'e', -1)).toBe('5e-324')
})

test('numbers that Go reads and JavaScript does not', () => {
  expect(parseFloat64('0x1.8p1')).toEqual({ value: 3 })
  expect(parseFloat64('-Infinity')).toEqual({ value: Number.NEGATIVE_INFINITY })
  expect(parseFloat64('1__0')).toEqual({ error: 'strconv.ParseFloat: parsing "1__0": invalid syntax' })
  expect(parseFloat64('1e999')).toEqual({ error: 'strconv.ParseFloat: parsing "1e999": value out of range' })
})

test('quantities are never slow, however large their exponent', () => {
  expect(quantityFloat('1.5Gi')).toEqual({ value: 1610612736 })
  expect(quantityFloat('0.1n')).toEqual({ value: 1e-9 })
  expect(quantityFloat('123456789012345678901e2000000000')).toEqual({ value: Number.POSITIVE_INFINITY })
  expect(quantityFloat('1Zi')).toHaveProperty('error')
})

test('durations', () => {
  expect(parseDuration('1h1.5s')).toEqual({ value: 3_601_500_000_000n })
  expect(parseDuration('1d')).toEqual({ error: 'time: unknown unit "d" in duration "1d"' })
  expect(parseDuration('5')).toEqual({ error: 'time: missing unit in duration "5"' })
})
