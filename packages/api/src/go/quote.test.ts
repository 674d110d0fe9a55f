import { expect, test } from 'vitest'
import { goQuote, goQuoteAscii, goQuoteList } from './quote.ts'

test.each([
  ['plain', '"plain"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['tab\tnul\0del\x7f', '"tab\\tnul\\x00del\\x7f"'],
  ['Zoë', '"Zoë"'],
  ['a\u2028b\u00a0c', '"a\\u2028b\\u00a0c"'],
  ['\u{1F600} \u{E0001}', '"\u{1F600} \\U000e0001"'],
  ['half \ud83d pair', '"half \ufffd pair"'],
  ['bell\x07 feed\v', '"bell\\a feed\\v"'],
])('quotes as Go does: %j', (text, quoted) => {
  expect(goQuote(text)).toBe(quoted)
})

test.each([
  ['a"b\\c\n', '"a\\"b\\\\c\\n"'],
  ['Zoë', '"Zo\\u00eb"'],
  ['\u{1F600} \u{E0001}', '"\\U0001f600 \\U000e0001"'],
  ['half \ud83d pair', '"half \\ufffd pair"'],
])('quotes in ASCII as Go does: %j', (text, quoted) => {
  expect(goQuoteAscii(text)).toBe(quoted)
})

test('lists', () => {
  expect(goQuoteList(['a', 'b'])).toBe('["a" "b"]')
})
