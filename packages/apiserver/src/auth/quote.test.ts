import { expect, test } from 'vitest'
import { quote, quoteList } from './quote.ts'

test.each([
  ['plain', '"plain"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['tab\tnul\0del\x7f', '"tab\\tnul\\x00del\\x7f"'],
  ['Zoë', '"Zoë"'],
])('quotes as Go does: %j', (text, quoted) => {
  expect(quote(text)).toBe(quoted)
})

test('lists', () => {
  expect(quoteList(['a', 'b'])).toBe('["a" "b"]')
})
