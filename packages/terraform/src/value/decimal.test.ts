import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal } from './decimal.ts'

describe('Decimal', () => {
  test.each([
    { given: '1.10', text: '1.1', reason: 'trailing zeros mean nothing' },
    { given: 1.1, text: '1.1', reason: 'T68: a float is the shortest decimal that means it' },
    { given: 9007199254740993n, text: '9007199254740993', reason: 'beyond 2^53' },
    { given: '1e3', text: '1000', reason: 'T188: an exponent is no other number' },
    { given: '-0', text: '0', reason: 'there is one zero' },
    { given: -0, text: '0', reason: 'there is one zero' },
    { given: '.5', text: '0.5', reason: 'no digit before the point' },
    { given: '-0.0012', text: '-0.0012', reason: 'zeros behind the point' },
    { given: 5e-324, text: Decimal.of('5e-324').toString(), reason: 'the smallest float' },
    { given: '1e400', text: `1${'0'.repeat(400)}`, reason: 'beyond what a float holds' },
  ])('$given is $text: $reason', ({ given, text }) => {
    expect(Decimal.of(given).toString()).toBe(text)
  })

  test.each(['', '.', '-', 'x', '1e', '0x10', '1 ', 'Infinity', '1e999999999', '1'.repeat(20_000)])('%.20s is no number', (text) => {
    expect(() => Decimal.of(text)).toThrow('number')
  })

  test('T200: equal numbers are equal in every form, and keep their order', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.integer({ min: -30, max: 30 }), (a, b, exponent) => {
        const [x, y] = [Decimal.of(`${a}e${exponent}`), Decimal.of(`${b}e${exponent}`)]
        expect(Decimal.of(x.toString()).equals(x)).toBe(true)
        expect(x.equals(y)).toBe(a === b)
        expect(x.compare(y)).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })

  test('T200: a float survives', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(Decimal.of(number).exactNumber()).toBe(number + 0)
        expect(Decimal.of(Decimal.of(number).toString()).toNumber()).toBe(number + 0)
      }),
    )
  })
})
