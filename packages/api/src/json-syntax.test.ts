import { describe, expect, it } from 'vitest'
import { jsonSyntaxError } from './json-syntax.ts'

const BEGIN = 'looking for beginning of value'

const cases: readonly [text: string, message: string][] = [
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['5.', "invalid character ' ' after decimal point in numeric literal"],
  ['{"a":-', "invalid character ' ' in numeric literal"],
  ['[tru', "invalid character ' ' in literal true (expecting 'e')"],
  ['"a', 'unexpected end of JSON input'],
  ['"\\', "invalid character ' ' in string escape code"],
  ['{"a":}', `invalid character '}' ${BEGIN}`],
  ['{"a":1}x', "invalid character 'x' after top-level value"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1,]', `invalid character ']' ${BEGIN}`],
  ['nonsense', "invalid character 'o' in literal null (expecting 'u')"],
  ['tru1', "invalid character '1' in literal true (expecting 'e')"],
  ['-x', "invalid character 'x' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
  ['"\n"', "invalid character '\\n' in string literal"],
  ['\u0000', `invalid character '\\x00' ${BEGIN}`],
  ['é', `invalid character 'Ã' ${BEGIN}`],
  ['['.repeat(10_001), "invalid character '[' exceeded max depth"],
  ['{}x', "invalid character 'x' after top-level value"],
  ['[]]', "invalid character ']' after top-level value"],
]

describe('jsonSyntaxError', () => {
  it.each(cases)('of %j says what Go says', (text, message) => {
    expect(jsonSyntaxError(Buffer.from(text))).toBe(message)
  })
})
