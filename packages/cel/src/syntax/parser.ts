import { NodeFactory, type Expr, type MapEntryExpr, type StructFieldExpr } from './ast.ts'
import { tokenize, type Token } from './lexer.ts'
import { bytesLiteral, doubleLiteral, intLiteral, stringLiteral, uintLiteral, type Literal } from './literals.ts'
import type { Macro } from './macro.ts'
import { Source, type Issue } from './source.ts'

export interface ParseOptions {
  readonly macros: readonly Macro[]
  /** Accept `a.?b`, `a[?b]`, `[?e]` and `{?k: v}`. */
  readonly optionalSyntax?: boolean
}

export type ParseResult = { readonly expr: Expr; readonly issues?: undefined } | { readonly issues: readonly Issue[] }

/** Longest expression, in code points, and deepest nesting; both are cel-go's limits and keep every pass off the stack's end. */
export const MAX_SOURCE_SIZE = 100_000
export const MAX_DEPTH = 250

const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
)
const KEYWORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null'])
const START = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
const RELATIONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=', 'in'])

export function parse(text: string, options: ParseOptions): ParseResult {
  const source = new Source(text)
  const size = [...text].length
  if (size > MAX_SOURCE_SIZE) {
    return {
      issues: [{ line: -1, column: 0, message: `expression code point size exceeds limit: size: ${size}, limit ${MAX_SOURCE_SIZE}` }],
    }
  }
  const { tokens, errors } = tokenize(text)
  const lexical = errors.map((error) => ({ ...source.locate(error.at), message: error.message }))
  try {
    const expr = new Parser(tokens, options).whole()
    return lexical.length > 0 ? { issues: lexical } : { expr }
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error
    const at = error.at === undefined ? { line: -1, column: 0 } : source.locate(error.at)
    const syntax = { ...at, message: error.message }
    return { issues: [...lexical, syntax].sort((a, b) => a.line - b.line || a.column - b.column) }
  }
}

class SyntaxFault extends Error {
  readonly at: number | undefined
  constructor(at: number | undefined, message: string) {
    super(message)
    this.at = at
  }
}

/** Recursive descent; one method for each level of the grammar. */
class Parser {
  readonly #tokens: readonly Token[]
  readonly #options: ParseOptions
  readonly #nodes = new NodeFactory()
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[], options: ParseOptions) {
    this.#tokens = tokens
    this.#options = options
  }

  whole(): Expr {
    const expr = this.#expression()
    if (this.#token().kind !== 'eof') this.#unexpected('<EOF>')
    return expr
  }

  #expression(): Expr {
    if (++this.#depth > MAX_DEPTH) throw new SyntaxFault(undefined, `expression recursion limit exceeded: ${MAX_DEPTH}`)
    const condition = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()))
    let expr = condition
    if (this.#is('?')) {
      const at = this.#take().at
      const yes = this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()))
      this.#expect(':')
      expr = this.#nodes.call(at, '_?_:_', [condition, yes, this.#expression()])
    }
    this.#depth--
    return expr
  }

  /** Chains of one logical operator become a balanced tree: long ones are common, and deep trees are refused. */
  #logical(operator: string, fn: string, operand: () => Expr): Expr {
    const first = operand()
    if (!this.#is(operator)) return first
    const terms = [first]
    const places: number[] = []
    while (this.#is(operator)) {
      places.push(this.#take().at)
      terms.push(operand())
    }
    const build = (low: number, high: number): Expr => {
      const middle = (low + high + 1) >> 1
      const left = middle === low ? terms[middle] : build(low, middle - 1)
      const right = middle === high ? terms[middle + 1] : build(middle + 1, high)
      return this.#nodes.call(places[middle] ?? 0, fn, [left as Expr, right as Expr])
    }
    return build(0, places.length - 1)
  }

  #relation(): Expr {
    let left = this.#sum()
    for (let chain = 0; ; chain++) {
      const token = this.#token()
      const relation = (token.kind === 'op' || token.kind === 'ident') && RELATIONS.has(token.text)
      if (!relation) return left
      this.#limitChain(chain)
      this.#take()
      left = this.#nodes.call(token.at, token.text === 'in' ? '@in' : `_${token.text}_`, [left, this.#sum()])
    }
  }

  #sum(): Expr {
    let left = this.#product()
    for (let chain = 0; this.#is('+') || this.#is('-'); chain++) {
      this.#limitChain(chain)
      const { text, at } = this.#take()
      left = this.#nodes.call(at, `_${text}_`, [left, this.#product()])
    }
    return left
  }

  #product(): Expr {
    let left = this.#unary()
    for (let chain = 0; this.#is('*') || this.#is('/') || this.#is('%'); chain++) {
      this.#limitChain(chain)
      const { text, at } = this.#take()
      left = this.#nodes.call(at, `_${text}_`, [left, this.#unary()])
    }
    return left
  }

  #unary(): Expr {
    const operator = this.#token()
    if (operator.kind !== 'op' || (operator.text !== '!' && operator.text !== '-')) return this.#member()
    let count = 0
    while (this.#is(operator.text)) {
      // The minus next to a number belongs to the literal, so that the smallest int can be written.
      if (operator.text === '-' && this.#numberFollows()) break
      this.#take()
      count++
    }
    const operand = this.#member()
    return count % 2 === 0 ? operand : this.#nodes.call(operator.at, operator.text === '!' ? '!_' : '-_', [operand])
  }

  #numberFollows(): boolean {
    const kind = this.#tokens[this.#next + 1]?.kind
    return kind === 'int' || kind === 'float'
  }

  #member(): Expr {
    let operand = this.#primary()
    for (let chain = 0; this.#is('.') || this.#is('['); chain++) {
      this.#limitChain(chain)
      operand = this.#is('.') ? this.#selection(operand) : this.#index(operand)
    }
    return operand
  }

  #selection(operand: Expr): Expr {
    const dot = this.#take()
    if (this.#is('?')) {
      if (this.#options.optionalSyntax !== true) throw new SyntaxFault(dot.at, "unsupported syntax '.?'")
      this.#take()
      const field = this.#fieldName()
      return this.#nodes.call(dot.at, '_?._', [operand, this.#nodes.constant(field.at, field.text)])
    }
    const field = this.#fieldName()
    if (field.kind === 'ident' && this.#is('(')) {
      const at = this.#take().at
      return this.#callOrMacro(at, field.text, this.#arguments(), operand)
    }
    return this.#nodes.select(dot.at, operand, field.text)
  }

  #index(operand: Expr): Expr {
    const open = this.#take()
    const optional = this.#is('?')
    if (optional) {
      if (this.#options.optionalSyntax !== true) throw new SyntaxFault(open.at, "unsupported syntax '[?'")
      this.#take()
    }
    const index = this.#expression()
    this.#expect(']')
    return this.#nodes.call(open.at, optional ? '_[?_]' : '_[_]', [operand, index])
  }

  #fieldName(): Token {
    const token = this.#token()
    if (token.kind === 'escaped') return this.#take()
    if (token.kind !== 'ident' || KEYWORDS.has(token.text)) this.#unexpected('IDENTIFIER')
    return this.#take()
  }

  #primary(): Expr {
    const token = this.#token()
    if (token.kind === 'op') return this.#bracketed(token)
    if (token.kind === 'ident') return this.#named(token, '')
    const literal = this.#literal(token, false)
    if (literal === undefined) return this.#unexpected(START)
    this.#take()
    return literal
  }

  #literal(token: Token, negative: boolean, at = token.at): Expr | undefined {
    let literal: Literal | undefined
    if (token.kind === 'int') literal = intLiteral(token.text, negative)
    else if (token.kind === 'float') literal = doubleLiteral(token.text, negative)
    else if (token.kind === 'uint') literal = uintLiteral(token.text)
    else if (token.kind === 'string') literal = stringLiteral(token.text)
    else if (token.kind === 'bytes') literal = bytesLiteral(token.text)
    if (literal === undefined) return undefined
    if ('error' in literal) throw new SyntaxFault(at, literal.error)
    return this.#nodes.constant(at, literal.value)
  }

  #bracketed(token: Token): Expr {
    switch (token.text) {
      case '(': {
        this.#take()
        const inner = this.#expression()
        this.#expect(')')
        return inner
      }
      case '[':
        return this.#list()
      case '{':
        return this.#map()
      case '-': {
        this.#take()
        const number = this.#take()
        return this.#literal(number, true, token.at) ?? this.#unexpected(START)
      }
      case '.': {
        this.#take()
        const name = this.#token()
        if (name.kind !== 'ident' || KEYWORDS.has(name.text)) return this.#unexpected('IDENTIFIER')
        return this.#named(name, '.')
      }
      default:
        return this.#unexpected(START)
    }
  }

  #named(token: Token, prefix: '' | '.'): Expr {
    if (token.text === 'in') return this.#unexpected(START)
    if (prefix === '' && KEYWORDS.has(token.text)) {
      this.#take()
      return this.#nodes.constant(token.at, token.text === 'null' ? null : token.text === 'true')
    }
    const struct = this.#structName()
    if (struct !== undefined) return this.#struct(prefix + struct)
    this.#take()
    if (RESERVED.has(token.text)) throw new SyntaxFault(token.at, `reserved identifier: ${token.text}`)
    if (!this.#is('(')) return this.#nodes.ident(token.at, prefix + token.text)
    const at = this.#take().at
    return this.#callOrMacro(at, prefix + token.text, this.#arguments(), undefined)
  }

  /** `a.b.C` when a `{` follows; the tokens up to it are then taken. */
  #structName(): string | undefined {
    const names: string[] = []
    for (let i = this.#next; ; i += 2) {
      const name = this.#tokens[i]
      if (name?.kind !== 'ident' || KEYWORDS.has(name.text)) return undefined
      names.push(name.text)
      const after = this.#tokens[i + 1]
      if (after?.kind !== 'op') return undefined
      if (after.text === '{') {
        this.#next = i + 1
        return names.join('.')
      }
      if (after.text !== '.') return undefined
    }
  }

  #arguments(): readonly Expr[] {
    const args: Expr[] = []
    if (!this.#is(')')) {
      args.push(this.#expression())
      while (this.#is(',')) {
        this.#take()
        args.push(this.#expression())
      }
    }
    this.#expect(')')
    return args
  }

  #callOrMacro(at: number, fn: string, args: readonly Expr[], target: Expr | undefined): Expr {
    for (const macro of this.#options.macros) {
      if (macro.name !== fn || macro.member !== (target !== undefined)) continue
      if (macro.args !== 'any' && macro.args !== args.length) continue
      const fail = (place: number, message: string): never => {
        throw new SyntaxFault(place, message)
      }
      const expanded = macro.expand({ nodes: this.#nodes, at, target, args, fail })
      if (expanded !== undefined) return expanded
    }
    return this.#nodes.call(at, fn, args, target)
  }

  #list(): Expr {
    const at = this.#take().at
    const elements: Expr[] = []
    const optional = new Set<number>()
    while (!this.#is(']')) {
      if (this.#optionalMark()) optional.add(elements.length)
      elements.push(this.#expression())
      if (!this.#is(',')) break
      this.#take()
    }
    this.#expect(']')
    return this.#nodes.list(at, elements, optional)
  }

  #map(): Expr {
    const at = this.#take().at
    const entries: MapEntryExpr[] = []
    while (!this.#is('}')) {
      const optional = this.#optionalMark()
      const key = this.#expression()
      const colon = this.#expect(':')
      entries.push({ id: this.#nodes.id(), at: colon.at, key, value: this.#expression(), optional })
      if (!this.#is(',')) break
      this.#take()
    }
    this.#expect('}')
    return this.#nodes.map(at, entries)
  }

  #struct(name: string): Expr {
    const at = this.#take().at
    const fields: StructFieldExpr[] = []
    while (!this.#is('}')) {
      const optional = this.#optionalMark()
      const field = this.#fieldName()
      const colon = this.#expect(':')
      fields.push({ id: this.#nodes.id(), at: colon.at, field: field.text, value: this.#expression(), optional })
      if (!this.#is(',')) break
      this.#take()
    }
    this.#expect('}')
    return this.#nodes.struct(at, name, fields)
  }

  #optionalMark(): boolean {
    if (!this.#is('?')) return false
    const { at } = this.#take()
    if (this.#options.optionalSyntax !== true) throw new SyntaxFault(at, "unsupported syntax '?'")
    return true
  }

  #token(): Token {
    return this.#tokens[this.#next] ?? (this.#tokens.at(-1) as Token)
  }
  #is(text: string): boolean {
    const token = this.#token()
    return token.kind === 'op' && token.text === text
  }
  #take(): Token {
    const token = this.#token()
    if (this.#next < this.#tokens.length - 1) this.#next++
    return token
  }
  #expect(text: string): Token {
    if (!this.#is(text)) this.#unexpected(`'${text}'`)
    return this.#take()
  }
  #unexpected(expected: string): never {
    const token = this.#token()
    const text = token.kind === 'escaped' ? `\`${token.text}\`` : token.text
    // One token too many before the end is called by another name.
    const extra = expected === '<EOF>' && this.#tokens[this.#next + 1]?.kind === 'eof'
    throw new SyntaxFault(token.at, `Syntax error: ${extra ? 'extraneous' : 'mismatched'} input '${text}' expecting ${expected}`)
  }
  #limitChain(length: number): void {
    if (length >= MAX_DEPTH) throw new SyntaxFault(undefined, 'max recursion depth exceeded')
  }
}
