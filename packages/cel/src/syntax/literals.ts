import { Double, Uint, intFromBigInt, type Value } from '../eval/value.ts'

/** The value of a literal token, or why it has none. */
export type Literal = { readonly value: Value } | { readonly error: string }

const INT_MIN = -(2n ** 63n)
const INT_MAX = 2n ** 63n - 1n
const UINT_MAX = 2n ** 64n - 1n

export function intLiteral(text: string, negative: boolean): Literal {
  const magnitude = BigInt(text)
  const value = negative ? -magnitude : magnitude
  return value < INT_MIN || value > INT_MAX ? { error: 'invalid int literal' } : { value: intFromBigInt(value) }
}

export function uintLiteral(text: string): Literal {
  const value = BigInt(text.slice(0, -1))
  return value > UINT_MAX ? { error: 'invalid uint literal' } : { value: new Uint(intFromBigInt(value)) }
}

export function doubleLiteral(text: string, negative: boolean): Literal {
  const value = Number(text)
  return Number.isFinite(value) ? { value: new Double(negative ? -value : value) } : { error: 'invalid double literal' }
}

export function stringLiteral(text: string): Literal {
  const { body, raw } = unquote(text)
  if (raw) return { value: body }
  const parts: string[] = []
  const error = unescape(
    body,
    (plain) => parts.push(plain),
    (code) => parts.push(String.fromCodePoint(code)),
  )
  return error === undefined ? { value: parts.join('') } : { error }
}

const encoder = new TextEncoder()

export function bytesLiteral(text: string): Literal {
  const { body, raw } = unquote(text)
  if (raw) return { value: encoder.encode(body) }
  const bytes: number[] = []
  const error = unescape(
    body,
    (plain) => bytes.push(...encoder.encode(plain)),
    (code, octet) => (octet ? bytes.push(code) : bytes.push(...encoder.encode(String.fromCodePoint(code)))),
  )
  return error === undefined ? { value: Uint8Array.from(bytes) } : { error }
}

function unquote(text: string): { readonly body: string; readonly raw: boolean } {
  const prefix = /^[rRbB]*/.exec(text)?.[0] ?? ''
  const quoted = text.slice(prefix.length)
  const width = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''")) ? 3 : 1
  // Line ends inside a literal are newlines whatever the file uses.
  return { body: quoted.slice(width, -width).replaceAll('\r\n', '\n').replaceAll('\r', '\n'), raw: /r/i.test(prefix) }
}

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '?': '?',
  '`': '`',
}

function unescape(body: string, plain: (text: string) => void, code: (code: number, octet: boolean) => void): string | undefined {
  let i = 0
  while (i < body.length) {
    const slash = body.indexOf('\\', i)
    if (slash < 0) {
      plain(body.slice(i))
      return undefined
    }
    if (slash > i) plain(body.slice(i, slash))
    const kind = body[slash + 1] ?? ''
    const simple = Object.hasOwn(SIMPLE, kind) ? SIMPLE[kind] : undefined
    if (simple !== undefined) {
      plain(simple)
      i = slash + 2
      continue
    }
    const numeric = numericEscape(body, slash, kind)
    if (numeric === undefined) return 'unable to unescape string'
    if (numeric.code > 0x10ffff || (numeric.code >= 0xd800 && numeric.code <= 0xdfff)) return 'invalid unicode code point'
    code(numeric.code, numeric.octet)
    i = numeric.end
  }
  return undefined
}

function numericEscape(body: string, slash: number, kind: string): { code: number; octet: boolean; end: number } | undefined {
  const width = kind === 'x' || kind === 'X' ? 2 : kind === 'u' ? 4 : kind === 'U' ? 8 : 0
  if (width > 0) {
    const digits = body.slice(slash + 2, slash + 2 + width)
    if (digits.length !== width || !/^[0-9a-fA-F]+$/.test(digits)) return undefined
    return { code: Number.parseInt(digits, 16), octet: width === 2, end: slash + 2 + width }
  }
  const digits = body.slice(slash + 1, slash + 4)
  return /^[0-3][0-7]{2}$/.test(digits) ? { code: Number.parseInt(digits, 8), octet: true, end: slash + 4 } : undefined
}
