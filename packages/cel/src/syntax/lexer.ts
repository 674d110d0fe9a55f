import { MAX_ISSUES } from './source.ts'

/** Cuts an expression into tokens. Every token keeps its offset; an unknown character is an issue, not an exception. */
export type TokenKind = 'ident' | 'escaped' | 'int' | 'uint' | 'float' | 'string' | 'bytes' | 'op' | 'eof'

export interface Token {
  readonly kind: TokenKind
  /** The source text; for `escaped` the text between the backticks. */
  readonly text: string
  readonly at: number
}

export interface LexicalError {
  readonly at: number
  readonly message: string
}

const SPACE = /[\t\n\f\r ]+|\/\/[^\n]*/y
const IDENT = /[A-Za-z_][A-Za-z0-9_]*/y
const ESCAPED = /`[A-Za-z0-9_.\-/ ]+`/y
const FLOAT = /[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y
const INT = /0x[0-9a-fA-F]+|[0-9]+/y
const OPERATOR = /&&|\|\||==|!=|<=|>=|[-+*/%!<>?:.,()[\]{}]/y
const QUOTE_PREFIX = /(?:[rR][bB]?|[bB][rR]?)?(?="|')/y
// One repetition per character or escape and no overlap between the alternatives: linear time.
const ESCAPE =
  String.raw`\\(?:[abfnrtv"'\\?` + '`' + String.raw`]|x[0-9a-fA-F]{2}|X[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`
const BODIES: Readonly<Record<string, readonly [cooked: RegExp, raw: RegExp]>> = {
  '"': [new RegExp(`"(?:[^"\\\\\\n\\r]|${ESCAPE})*"`, 'y'), /"[^"\n\r]*"/y],
  "'": [new RegExp(`'(?:[^'\\\\\\n\\r]|${ESCAPE})*'`, 'y'), /'[^'\n\r]*'/y],
}

export function tokenize(text: string): { readonly tokens: readonly Token[]; readonly errors: readonly LexicalError[] } {
  const tokens: Token[] = []
  const errors: LexicalError[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  while (at < text.length) {
    const space = take(SPACE)
    if (space !== undefined) {
      at += space.length
      continue
    }
    const token = stringAt(text, at) ?? simpleToken(take, at)
    if (token === undefined) {
      const char = String.fromCodePoint(text.codePointAt(at) ?? 0)
      // Half of `&&` or `||` takes the character along that should have been the other half.
      const bad = char === '&' || char === '|' ? text.slice(at, at + 2) : char === '"' || char === "'" ? unclosed(text, at) : char
      if (errors.length < MAX_ISSUES) errors.push({ at, message: `Syntax error: token recognition error at: '${bad.slice(0, 200)}'` })
      at += bad.length
      continue
    }
    tokens.push(token.token)
    at += token.length
  }
  tokens.push({ kind: 'eof', text: '<EOF>', at: text.length })
  return { tokens, errors }
}

/** The rest of the line: looking for an end from every quote in it would take quadratic time. */
function unclosed(text: string, at: number): string {
  const triple = text.startsWith('"""', at) || text.startsWith("'''", at)
  const end = triple ? -1 : text.indexOf('\n', at)
  return text.slice(at, end < 0 ? undefined : end)
}

interface Lexed {
  readonly token: Token
  readonly length: number
}

function simpleToken(take: (pattern: RegExp) => string | undefined, at: number): Lexed | undefined {
  const lexed = (kind: TokenKind, text: string, length = text.length): Lexed => ({ token: { kind, text, at }, length })
  const ident = take(IDENT)
  if (ident !== undefined) return lexed('ident', ident)
  const escaped = take(ESCAPED)
  if (escaped !== undefined) return lexed('escaped', escaped.slice(1, -1), escaped.length)
  const float = take(FLOAT)
  if (float !== undefined) return lexed('float', float)
  const int = take(INT)
  if (int !== undefined) {
    const suffix = take(UINT)
    return suffix === undefined ? lexed('int', int) : lexed('uint', suffix)
  }
  const operator = take(OPERATOR)
  return operator === undefined ? undefined : lexed('op', operator)
}
const UINT = /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/y

function stringAt(text: string, at: number): Lexed | undefined {
  QUOTE_PREFIX.lastIndex = at
  const prefix = QUOTE_PREFIX.exec(text)?.[0]
  if (prefix === undefined) return undefined
  const open = at + prefix.length
  const quote = text[open] ?? ''
  const raw = /r/i.test(prefix)
  const kind = /b/i.test(prefix) ? 'bytes' : 'string'
  const end = text.startsWith(quote.repeat(3), open) ? tripleEnd(text, open + 3, quote.repeat(3), raw) : singleEnd(text, open, quote, raw)
  if (end === undefined) return undefined
  return { token: { kind, text: text.slice(at, end), at }, length: end - at }
}

function singleEnd(text: string, open: number, quote: string, raw: boolean): number | undefined {
  const pattern = BODIES[quote]?.[raw ? 1 : 0]
  if (pattern === undefined) return undefined
  pattern.lastIndex = open
  const match = pattern.exec(text)?.[0]
  return match === undefined ? undefined : open + match.length
}

function tripleEnd(text: string, from: number, close: string, raw: boolean): number | undefined {
  for (let i = from; i < text.length; i++) {
    if (!raw && text[i] === '\\') i++
    else if (text.startsWith(close, i)) return i + 3
  }
  return undefined
}
