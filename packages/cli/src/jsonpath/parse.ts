/**
 * kubectl's JSONPath: a template of text and `{…}` actions. Actions are paths (`{.a.b[0]['c']}`), text (`{"\n"}`),
 * loops (`{range .items[*]}…{end}`) and filters (`{.items[?(@.a=="b")]}`).
 */
export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'path'; readonly path: Path }
  | { readonly type: 'range'; readonly path: Path; readonly body: readonly TemplateNode[] }

/** `$` and `.` at the beginning mean the same in a template; within a filter `@` is the element. */
export interface Path {
  readonly from: 'current' | 'root'
  readonly steps: readonly Step[]
}

export type Step =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'slice'; readonly start?: number; readonly end?: number; readonly step?: number }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'union'; readonly steps: readonly Step[] }
  | { readonly type: 'filter'; readonly left: Operand; readonly operator: Operator; readonly right?: Operand }

export type Operator = 'exists' | '==' | '!=' | '<' | '<=' | '>' | '>='

export type Operand = { readonly type: 'value'; readonly value: string | number | boolean } | { readonly type: 'path'; readonly path: Path }

/** The template cannot be read. The message quotes what is wrong. */
export class JsonPathError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'JsonPathError'
  }
}

export function parseTemplate(template: string): readonly TemplateNode[] {
  return new TemplateParser(template).parse()
}

/** A single path as `--sort-by` and `--for=jsonpath` take it: braces and the leading dot may be missing. */
export function parseRelaxedPath(text: string): readonly TemplateNode[] {
  const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text
  const path = /^[.[$@]/.test(inner) ? inner : `.${inner}`
  const nodes = parseTemplate(`{${path}}`)
  if (nodes.length !== 1 || nodes[0]?.type !== 'path') throw new JsonPathError(`${text} is not a path: write it as {.spec.field}`)
  return nodes
}

type Block = { readonly nodes: TemplateNode[]; readonly path?: Path }

class TemplateParser {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  parse(): readonly TemplateNode[] {
    const blocks: Block[] = [{ nodes: [] }]
    let at = 0
    while (at < this.#text.length) {
      const open = this.#text.indexOf('{', at)
      const text = open < 0 ? this.#text.slice(at) : this.#text.slice(at, open)
      if (text !== '') blocks.at(-1)?.nodes.push({ type: 'text', text })
      if (open < 0) break
      const close = this.#closing(open)
      this.#action(this.#text.slice(open + 1, close), blocks)
      at = close + 1
    }
    if (blocks.length > 1) throw new JsonPathError('{range} without {end}')
    return blocks[0]?.nodes ?? []
  }

  /** The brace that ends an action; braces in quotes do not count. */
  #closing(open: number): number {
    let quote = ''
    for (let at = open + 1; at < this.#text.length; at++) {
      const char = this.#text[at] ?? ''
      if (quote !== '' && char === '\\') at++
      else if (quote !== '') quote = char === quote ? '' : quote
      else if (char === '"' || char === "'") quote = char
      else if (char === '}') return at
    }
    throw new JsonPathError(`unclosed action: ${this.#text.slice(open)}`)
  }

  #action(action: string, blocks: Block[]): void {
    const parser = new ActionParser(action.trim() === '' ? '@' : action)
    for (;;) {
      parser.space()
      if (parser.done) return
      if (parser.word('range')) {
        const path = parser.path()
        blocks.push({ nodes: [], path })
      } else if (parser.word('end')) {
        const { nodes, path } = blocks.length > 1 ? (blocks.pop() ?? { nodes: [] }) : { nodes: [], path: undefined }
        if (path === undefined) throw new JsonPathError('{end} without {range}')
        blocks.at(-1)?.nodes.push({ type: 'range', path, body: nodes })
      } else blocks.at(-1)?.nodes.push(parser.node())
    }
  }
}

const NAME_END = /[\s.[\]|,(){}@=!<>&~+*/%^'"]/

/** Inside of one pair of braces, or inside of a filter. */
class ActionParser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get done(): boolean {
    return this.#at >= this.#text.length
  }

  space(): void {
    while (/\s/.test(this.#peek())) this.#at++
  }

  word(word: string): boolean {
    const rest = this.#text.slice(this.#at)
    if (!rest.startsWith(word) || /^[\w-]/.test(rest.slice(word.length))) return false
    this.#at += word.length
    return true
  }

  node(): TemplateNode {
    const char = this.#peek()
    if (char === '"' || char === "'") return { type: 'text', text: this.#quoted() }
    const literal = /^[+-]?\d+(\.\d+)?(?=[\s}]|$)/.exec(this.#text.slice(this.#at))?.[0]
    if (literal !== undefined) {
      this.#at += literal.length
      return { type: 'text', text: String(Number(literal)) }
    }
    return { type: 'path', path: this.path() }
  }

  path(): Path {
    this.space()
    let from: Path['from'] = 'current'
    if (this.#take('$')) from = 'root'
    else this.#take('@')
    const steps: Step[] = []
    for (;;) {
      const char = this.#peek()
      if (char === '.') steps.push(...this.#dotted())
      else if (char === '[') steps.push(this.#bracket())
      else if (steps.length === 0 && /[\w-]/.test(char)) throw this.#unexpected(`start a path with a dot: .${this.#text.slice(this.#at)}`)
      else break
    }
    const next = this.#peek()
    if (next !== '' && !NAME_END.test(next)) throw this.#unexpected()
    if (steps.length === 0 && next !== '' && !/\s/.test(next) && from === 'current' && this.#text[this.#at - 1] !== '@')
      throw this.#unexpected()
    return { from, steps }
  }

  #dotted(): Step[] {
    this.#at++
    if (this.#take('.')) {
      const steps: Step[] = [{ type: 'recursive' }]
      if (this.#peek() !== '[') steps.push(...this.#member())
      return steps
    }
    return this.#member()
  }

  #member(): Step[] {
    if (this.#take('*')) return [{ type: 'wildcard' }]
    let name = ''
    for (let char = this.#peek(); char !== '' && !NAME_END.test(char); char = this.#peek()) {
      // A dot in a key is escaped: .metadata.annotations.example\.org/x
      if (char === '\\') {
        name += this.#text[this.#at + 1] ?? ''
        this.#at += 2
      } else {
        name += char
        this.#at++
      }
      if (this.#peek() === '/') {
        name += '/'
        this.#at++
      }
    }
    // A lone dot is the thing itself.
    return name === '' ? [] : [{ type: 'field', name }]
  }

  #bracket(): Step {
    this.#at++
    this.space()
    if (this.#take('?')) return this.#filter()
    const steps: Step[] = []
    do {
      this.space()
      steps.push(this.#subscript())
      this.space()
    } while (this.#take(','))
    if (!this.#take(']')) throw this.#unexpected('expected ]')
    return steps.length === 1 && steps[0] !== undefined ? steps[0] : { type: 'union', steps }
  }

  #subscript(): Step {
    const char = this.#peek()
    if (char === '"' || char === "'") return { type: 'field', name: this.#quoted() }
    if (this.#take('*')) return { type: 'wildcard' }
    const match = /^(-?\d+)?(?:(:)(-?\d+)?(?::(-?\d+)?)?)?(?=\s*[\],])/.exec(this.#text.slice(this.#at))
    if (match === null || match[0] === '') throw this.#unexpected('invalid array index')
    this.#at += match[0].length
    const [, first, colon, end, step] = match
    if (colon === undefined) return { type: 'index', index: Number(first) }
    return {
      type: 'slice',
      ...(first !== undefined && { start: Number(first) }),
      ...(end !== undefined && { end: Number(end) }),
      ...(step !== undefined && { step: Number(step) }),
    }
  }

  #filter(): Step {
    this.space()
    if (!this.#take('(')) throw this.#unexpected('a filter is written [?(@.field=="value")]')
    const left = this.#operand()
    this.space()
    const operator = /^(==|!=|<=|>=|<|>)/.exec(this.#text.slice(this.#at))?.[0] as Operator | undefined
    let right: Operand | undefined
    if (operator !== undefined) {
      this.#at += operator.length
      right = this.#operand()
      this.space()
    }
    if (!this.#take(')')) throw this.#unexpected('a filter compares two things: [?(@.field=="value")]')
    this.space()
    if (!this.#take(']')) throw this.#unexpected('expected ]')
    return { type: 'filter', left, operator: operator ?? 'exists', ...(right !== undefined && { right }) }
  }

  #operand(): Operand {
    this.space()
    const char = this.#peek()
    if (char === '"' || char === "'") return { type: 'value', value: this.#quoted() }
    const number = /^[+-]?\d+(\.\d+)?/.exec(this.#text.slice(this.#at))?.[0]
    if (number !== undefined) {
      this.#at += number.length
      return { type: 'value', value: Number(number) }
    }
    if (this.word('true')) return { type: 'value', value: true }
    if (this.word('false')) return { type: 'value', value: false }
    return { type: 'path', path: this.path() }
  }

  #quoted(): string {
    const quote = this.#peek()
    let text = ''
    for (this.#at++; this.#peek() !== quote; this.#at++) {
      if (this.done) throw new JsonPathError(`unterminated quoted string: ${this.#text}`)
      if (this.#peek() !== '\\') text += this.#peek()
      else text += unescape(this.#text[++this.#at] ?? '')
    }
    this.#at++
    return text
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false
    this.#at++
    return true
  }

  #unexpected(hint = 'unrecognized character'): JsonPathError {
    return new JsonPathError(`${hint} in {${this.#text}} at ${JSON.stringify(this.#text.slice(this.#at))}`)
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
const unescape = (char: string): string => ESCAPES[char] ?? char
