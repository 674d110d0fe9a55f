import { goQuote } from '@weft/api'

/** Go's strconv: texts and runes as literals. */
const SHORT: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
}

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u
const lone = /[\uD800-\uDFFF]/u

/** strconv.IsPrint */
export const isPrintable = (rune: string): boolean => printable.test(rune)

/** `%q` of a string; with `ascii`, `%+q`. */
export function quote(text: string, ascii = false): string {
  if (!ascii && !lone.test(text)) return goQuote(text)
  let out = '"'
  for (const rune of text) out += escapeRune(rune, '"', ascii)
  return `${out}"`
}

/** `%q` of a rune; with `ascii`, `%+q`. */
export const quoteRune = (rune: string, ascii = false): string => `'${escapeRune(rune, "'", ascii)}'`

function escapeRune(rune: string, mark: string, ascii: boolean): string {
  const code = rune.codePointAt(0) as number
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`
  if (rune === mark) return `\\${mark}`
  const short = SHORT[rune]
  if (short !== undefined) return short
  if (isPrintable(rune) && !(ascii && code >= 0x80)) return rune
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** strconv.CanBackquote */
export const canBackquote = (text: string): boolean => !/[\0-\x08\x0A-\x1F\x7F`\uFEFF]|[\uD800-\uDFFF]/u.test(text)
