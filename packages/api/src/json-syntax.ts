/**
 * What Go's encoding/json says of text that is not JSON. Clients show these sentences to their users, so we say the
 * same. Only called for text that failed to parse; walks it once, iteratively.
 */
export function jsonSyntaxError(bytes: Uint8Array): string {
  const open: ('key' | 'value' | 'item')[] = []
  let state: State = beginValue
  for (const byte of bytes) {
    const next = state(byte, open)
    if (typeof next === 'string') return `invalid character ${quoted(byte)} ${next}`
    if (open.length > GO_MAX_DEPTH) return `invalid character ${quoted(byte)} exceeded max depth`
    state = next
  }
  // Go asks whether a space could follow: what is broken off within a number or a word is told of that space.
  const end = state(0x20, open)
  return typeof end === 'string' ? `invalid character ' ' ${end}` : 'unexpected end of JSON input'
}

const GO_MAX_DEPTH = 10_000

/** Takes a byte, answers what may follow, or the rest of the message when it may not stand here. */
type State = (byte: number, open: ('key' | 'value' | 'item')[]) => State | string

const code = (c: string): number => c.charCodeAt(0)
const isSpace = (b: number): boolean => b === 0x20 || b === 0x0a || b === 0x0d || b === 0x09
const isDigit = (b: number): boolean => b >= 0x30 && b <= 0x39

const beginValue: State = (b, open) => {
  if (isSpace(b)) return beginValue
  switch (b) {
    case code('{'):
      open.push('key')
      return beginKeyOrEmpty
    case code('['):
      open.push('item')
      return beginValueOrEmpty
    case code('"'):
      return inString
    case code('-'):
      return afterMinus
    case code('0'):
      return afterZero
    case code('t'):
      return literal('true', 1)
    case code('f'):
      return literal('false', 1)
    case code('n'):
      return literal('null', 1)
    default:
      return isDigit(b) ? inInteger : 'looking for beginning of value'
  }
}

const beginValueOrEmpty: State = (b, open) => (isSpace(b) ? beginValueOrEmpty : b === code(']') ? endValue(b, open) : beginValue(b, open))

const beginKeyOrEmpty: State = (b, open) => {
  if (isSpace(b)) return beginKeyOrEmpty
  if (b !== code('}')) return beginKey(b, open)
  open[open.length - 1] = 'value'
  return endValue(b, open)
}

const beginKey: State = (b) => (isSpace(b) ? beginKey : b === code('"') ? inString : 'looking for beginning of object key string')

const endValue: State = (b, open) => {
  if (open.length === 0) return isSpace(b) ? endValue : 'after top-level value'
  if (isSpace(b)) return endValue
  switch (open.at(-1)) {
    case 'key':
      if (b !== code(':')) return 'after object key'
      open[open.length - 1] = 'value'
      return beginValue
    case 'value':
      if (b === code(',')) {
        open[open.length - 1] = 'key'
        return beginKey
      }
      if (b !== code('}')) return 'after object key:value pair'
      open.pop()
      return endValue
    default:
      if (b === code(',')) return beginValue
      if (b !== code(']')) return 'after array element'
      open.pop()
      return endValue
  }
}

const inString: State = (b) => (b === code('"') ? endValue : b === code('\\') ? inEscape : b < 0x20 ? 'in string literal' : inString)

const inEscape: State = (b) => {
  if ('bfnrt\\/"'.includes(String.fromCharCode(b))) return inString
  return b === code('u') ? hexDigits(4) : 'in string escape code'
}

const hexDigits =
  (left: number): State =>
  (b) =>
    /[0-9a-fA-F]/.test(String.fromCharCode(b)) ? (left === 1 ? inString : hexDigits(left - 1)) : 'in \\u hexadecimal character escape'

const afterMinus: State = (b) => (b === code('0') ? afterZero : isDigit(b) ? inInteger : 'in numeric literal')
const inInteger: State = (b, open) => (isDigit(b) ? inInteger : afterZero(b, open))
const afterZero: State = (b, open) => (b === code('.') ? afterPoint : b === code('e') || b === code('E') ? afterE : endValue(b, open))
const afterPoint: State = (b) => (isDigit(b) ? inFraction : 'after decimal point in numeric literal')
const inFraction: State = (b, open) => (isDigit(b) ? inFraction : b === code('e') || b === code('E') ? afterE : endValue(b, open))
const afterE: State = (b, open) => (b === code('+') || b === code('-') ? afterSign : afterSign(b, open))
const afterSign: State = (b) => (isDigit(b) ? inExponent : 'in exponent of numeric literal')
const inExponent: State = (b, open) => (isDigit(b) ? inExponent : endValue(b, open))

const literal =
  (word: string, at: number): State =>
  (b) => {
    if (b !== word.charCodeAt(at)) return `in literal ${word} (expecting '${word[at] ?? ''}')`
    return at === word.length - 1 ? endValue : literal(word, at + 1)
  }

function quoted(byte: number): string {
  if (byte === code("'")) return `'\\''`
  if (byte === code('"')) return `'"'`
  if (byte === code('\\')) return `'\\\\'`
  const named = new Map([
    [0x07, '\\a'],
    [0x08, '\\b'],
    [0x0c, '\\f'],
    [0x0a, '\\n'],
    [0x0d, '\\r'],
    [0x09, '\\t'],
    [0x0b, '\\v'],
  ]).get(byte)
  if (named !== undefined) return `'${named}'`
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`
  // Go takes the byte for a character of Latin-1.
  if ((byte >= 0x80 && byte < 0xa1) || byte === 0xad) return `'\\u00${byte.toString(16)}'`
  return `'${String.fromCharCode(byte)}'`
}
