import { describe, expect, it } from 'vitest'
import { formatQuantity, isKeptAsWritten, minus, plus, quantityOf, readQuantity, toMilli } from './quantity.ts'

const canonical = (text: string): string => formatQuantity(quantityOf(text))

describe('quantities', () => {
  it.each([
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['1000', '1k'],
    ['0.5', '500m'],
    ['1024Ki', '1Mi'],
    ['2048Mi', '2Gi'],
    ['1023', '1023'],
    ['1.5Gi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['512Ki', '512Ki'],
    ['1e3', '1e3'],
    ['100e1', '1e3'],
    ['1E', '1E'],
    ['0', '0'],
    ['-2000', '-2k'],
    ['12345678901234567890', '12345678901234567890'],
    ['9Ei', '9223372036854775807'],
    ['1e9000', '1e9000'],
  ])('%s is written as %s', (text, written) => {
    expect(canonical(text)).toBe(written)
  })

  it.each([
    ['007', true],
    ['+5', true],
    ['1.500', true],
    ['1500m', true],
    ['01Ki', true],
    ['1E3', true],
    ['0', false],
    ['1000', false],
    ['1.5', false],
    ['0.500', false],
    ['8Ki', false],
    ['1.5Gi', false],
    ['1234567890123456789', false],
  ])('%s is kept as it was written: %s', (text, kept) => {
    expect(isKeptAsWritten(text)).toBe(kept)
  })

  it('sums are written like their first part', () => {
    expect(formatQuantity(plus(quantityOf('1Gi'), quantityOf('1024M')))).toBe('2048576Ki')
    expect(formatQuantity(plus(quantityOf('0'), quantityOf('1Gi')))).toBe('1Gi')
    expect(formatQuantity(minus(quantityOf('1500m'), quantityOf('500m')))).toBe('1')
  })

  it('rounds up to thousandths', () => {
    expect(formatQuantity(toMilli(quantityOf('100u')))).toBe('1m')
    expect(formatQuantity(toMilli(quantityOf('2')))).toBe('2')
  })

  it.each(['', 'x', '1x', '1.2.3', '1Kii', 'e3'])('%j is no quantity', (text) => {
    expect(readQuantity(text)).toHaveProperty('error')
  })
})
