/** The steps of a path. A filter holds paths of its own, relative to the item. */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | {
      readonly kind: 'slice'
      readonly start: number | undefined
      readonly end: number | undefined
      readonly step: number
      readonly single: boolean
    }
  | { readonly kind: 'union'; readonly branches: readonly (readonly Step[])[] }
  | { readonly kind: 'filter'; readonly left: readonly Step[]; readonly operator: string; readonly right: readonly Step[] }
  | { readonly kind: 'literal'; readonly value: unknown }

export type Parsed = { readonly steps: readonly Step[] } | { readonly error: string }

export function parseJsonPath(text: string): Parsed {
  try {
    return { steps: new Parser(text).steps() }
  } catch (error) {
    if (error instanceof PathSyntaxError) return { error: error.message }
    throw error
  }
}

class PathSyntaxError extends Error {}

const TERMINATORS = ' \t\r\n.,[]$@{}'

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  steps(): Step[] {
    const steps: Step[] = []
    while (this.#at < this.#text.length) this.#step(steps)
    return steps
  }

  #step(steps: Step[]): void {
    const rest = this.#text.slice(this.#at)
    const char = rest.charAt(0)
    if (rest.startsWith('[?(')) steps.push(this.#filter())
    else if (rest.startsWith('..')) this.#recursive(steps)
    else if (char === ' ' || char === '@' || char === '$') this.#at++
    else if (char === '[') steps.push(...this.#brackets())
    else if (char === '"' || char === "'") steps.push({ kind: 'literal', value: this.#quoted(char) })
    else if (char === '.') {
      this.#at++
      steps.push(this.#field())
    } else if (/[-+0-9]/.test(char)) steps.push(this.#number())
    else if (/[\p{L}\p{N}_]/u.test(char)) steps.push(this.#word())
    else
      throw new PathSyntaxError(
        char === '\n' || char === '\r' ? 'unclosed action' : `unrecognized character in action: ${describeRune(rest)}`,
      )
  }

  #recursive(steps: Step[]): void {
    if (steps.at(-1)?.kind === 'recursive') throw new PathSyntaxError('invalid multiple recursive descent')
    this.#at += 2
    steps.push({ kind: 'recursive' })
    if (/^[\p{L}\p{N}_]/u.test(this.#text.slice(this.#at))) steps.push(this.#field())
  }

  /** A backslash makes the next character part of the name: `.metadata.labels.app\.kubernetes\.io/name`. */
  #field(): Step {
    let name = ''
    while (this.#at < this.#text.length) {
      let char = this.#text.charAt(this.#at)
      if (char === '\\') {
        this.#at++
        char = this.#text.charAt(this.#at)
        if (char !== '\\') name += char
      } else if (TERMINATORS.includes(char)) break
      else name += char
      this.#at++
    }
    return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name }
  }

  #word(): Step {
    const start = this.#at
    while (this.#at < this.#text.length && !TERMINATORS.includes(this.#text.charAt(this.#at))) this.#at++
    const word = this.#text.slice(start, this.#at)
    if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' }
    throw new PathSyntaxError(`unrecognized identifier ${word}`)
  }

  #number(): Step {
    const text = /^[-+]?[0-9.]*/.exec(this.#text.slice(this.#at))?.[0] ?? ''
    this.#at += text.length
    const value = Number(text)
    if (text === '' || Number.isNaN(value) || !/[0-9]/.test(text)) throw new PathSyntaxError(`cannot parse number ${text}`)
    return { kind: 'literal', value }
  }

  #quoted(mark: string): string {
    const start = this.#at
    this.#at++
    while (this.#at < this.#text.length && !(this.#text.charAt(this.#at) === mark && this.#text.charAt(this.#at - 1) !== '\\')) this.#at++
    if (this.#at >= this.#text.length) throw new PathSyntaxError('unterminated quoted string')
    this.#at++
    return unescape(this.#text.slice(start + 1, this.#at - 1))
  }

  #brackets(): Step[] {
    const close = this.#text.indexOf(']', this.#at)
    if (close < 0) throw new PathSyntaxError('unterminated array')
    const inside = this.#text.slice(this.#at + 1, close)
    this.#at = close + 1
    const parts = inside.split(',')
    if (parts.length > 1) return [{ kind: 'union', branches: parts.map((part) => new Parser(`[${part.trim()}]`).steps()) }]
    const key = /^'([^']*)'$/.exec(inside)
    if (key !== null) return new Parser(`.${key[1] ?? ''}`).steps()
    return [parseSlice(inside === '*' ? ':' : inside)]
  }

  #filter(): Step {
    let end = this.#at + 3
    let mark = ''
    for (; ; end++) {
      const char = this.#text.charAt(end)
      if (char === '' || char === '\n') throw new PathSyntaxError('unterminated filter')
      if (mark !== '') {
        if (char === mark && this.#text.charAt(end - 1) !== '\\') mark = ''
      } else if (char === '"' || char === "'") mark = char
      else if (char === ')') break
    }
    const inside = this.#text.slice(this.#at + 3, end)
    if (this.#text.charAt(end + 1) !== ']') throw new PathSyntaxError('unclosed array expect ]')
    this.#at = end + 2
    const match = /^([^!<>=]+)([!<>=]+)(.+?)$/s.exec(inside)
    if (match === null) return { kind: 'filter', left: new Parser(inside).steps(), operator: 'exists', right: [] }
    const [, left = '', operator = '', right = ''] = match
    return { kind: 'filter', left: new Parser(left).steps(), operator, right: new Parser(right).steps() }
  }
}

function parseSlice(text: string): Step {
  const match = /^(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?$/.exec(text)
  if (match === null) throw new PathSyntaxError(`invalid array index ${text}`)
  const number = (part: string | undefined): number | undefined => {
    const digits = part?.replace(':', '') ?? ''
    if (digits === '-') throw new PathSyntaxError(`array index ${digits} is not a number`)
    return digits === '' ? undefined : Number(digits)
  }
  const single = match[2] === undefined
  const start = number(match[1])
  const step = number(match[3]) ?? 1
  return { kind: 'slice', start, end: single ? (start ?? 0) + 1 : number(match[2]), step, single }
}

function unescape(text: string): string {
  return text.replace(/\\(["'\\abfnrtv])/g, (_escape, char: string) => ESCAPES[char] ?? char)
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function describeRune(text: string): string {
  const char = String.fromCodePoint(text.codePointAt(0) ?? 0)
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} '${char}'`
}
