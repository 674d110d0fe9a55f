/** Messages of Kubernetes and Crossplane quote with Go's `%q`, and programs and people compare them: one writer of it for everybody. */

const SHORT: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
}
const needsCare = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u
const careful = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu

/** A text in double quotes: what Go calls printable stays, the rest is escaped; half a surrogate pair is no character (U+FFFD). */
export const goQuote = (text: string): string => (needsCare.test(text) ? `"${text.replace(careful, escape)}"` : `"${text}"`)

/** `%+q`: everything beyond ASCII is escaped, too. */
export const goQuoteAscii = (text: string): string => goQuote(text).replace(/[^ -~]/gu, escape)

/** `["a" "b"]`: `%q` of a list. */
export const goQuoteList = (items: readonly string[]): string => `[${items.map(goQuote).join(' ')}]`

function escape(rune: string): string {
  const short = SHORT[rune]
  if (short !== undefined) return short
  const code = rune.codePointAt(0) ?? 0
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd'
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
}
