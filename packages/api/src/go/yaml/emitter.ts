import { isBom, isBreak, isPrintable } from './characters.ts'

/** From here on a line is broken at the next space. */
const WIDTH = 80

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\xa0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
}

interface IndicatorOptions {
  readonly needsSpace?: boolean
  /** What follows may stand on this line as if it were indented. */
  readonly isIndention?: boolean
}

/** Where the pen is, and how scalars are written from there: the lower half of libyaml's emitter, which Go's yaml has from it. */
export class Emitter {
  text = ''
  #column = 0
  /** The last that was written is white space. */
  #whitespace = true
  /** Nothing but indentation and indicators stands on this line. */
  #indention = true

  get isIndention(): boolean {
    return this.#indention
  }

  /** `- `, `?`, `:`; a space goes before it where one is needed. */
  indicator(text: string, { needsSpace = false, isIndention = false }: IndicatorOptions = {}): void {
    if (needsSpace && !this.#whitespace) this.#put(' ')
    this.#put(text)
    this.#whitespace = false
    this.#indention = this.#indention && isIndention
  }

  /** To the given column, on a new line unless this one is still free. */
  indent(column: number): void {
    if (!this.#indention || this.#column > column || (this.#column === column && !this.#whitespace)) this.#break()
    while (this.#column < column) this.#put(' ')
    this.#whitespace = true
    this.#indention = true
  }

  plain(value: string, indent: number, mayBreak: boolean): void {
    if (value !== '' && !this.#whitespace) this.#put(' ')
    const body = [...value]
    let spaces = false
    body.forEach((char, i) => {
      if (char !== ' ') {
        this.#put(char)
        this.#indention = false
      } else if (mayBreak && !spaces && this.#column > WIDTH && body[i + 1] !== ' ') this.indent(indent)
      else this.#put(char)
      spaces = char === ' '
    })
    this.#whitespace = false
    this.#indention = false
  }

  singleQuoted(value: string, indent: number, mayBreak: boolean): void {
    this.indicator("'", { needsSpace: true })
    const body = [...value]
    let spaces = false
    let breaks = false
    body.forEach((char, i) => {
      if (char === ' ') {
        if (mayBreak && !spaces && this.#column > WIDTH && i > 0 && i < body.length - 1 && body[i + 1] !== ' ') this.indent(indent)
        else this.#put(char)
      } else if (isBreak(char)) this.#breakOf(char)
      else {
        if (breaks) this.indent(indent)
        this.#put(char === "'" ? "''" : char)
        this.#indention = false
      }
      spaces = char === ' '
      breaks = isBreak(char)
    })
    this.indicator("'")
  }

  doubleQuoted(value: string, indent: number, mayBreak: boolean): void {
    this.indicator('"', { needsSpace: true })
    const body = [...value]
    // A mark at the start makes the Go program escape all that follows it, too.
    const isMarked = isBom(body[0])
    let spaces = false
    body.forEach((char, i) => {
      if (isMarked || !isPrintable(char) || isBreak(char) || char === '"' || char === '\\') {
        this.#put(escaped(char))
        spaces = false
        return
      }
      if (char === ' ' && mayBreak && !spaces && this.#column > WIDTH && i > 0 && i < body.length - 1) {
        this.indent(indent)
        if (body[i + 1] === ' ') this.#put('\\')
      } else this.#put(char)
      spaces = char === ' '
    })
    this.indicator('"')
  }

  literal(value: string, indent: number): void {
    this.indicator(`|${hintsOf(value)}`, { needsSpace: true })
    this.#break()
    this.#indention = true
    this.#whitespace = true
    let breaks = true
    for (const char of value) {
      if (isBreak(char)) this.#breakOf(char)
      else {
        if (breaks) this.indent(indent)
        this.#put(char)
        this.#indention = false
      }
      breaks = isBreak(char)
    }
  }

  #put(text: string): void {
    this.text += text
    this.#column += [...text].length
  }

  #break(): void {
    this.text += '\n'
    this.#column = 0
  }

  /** A break of the text itself: not all are new lines. */
  #breakOf(char: string): void {
    this.text += char
    this.#column = 0
    this.#indention = true
  }
}

/** How far a literal is indented, where its first line does not show it; and what becomes of the breaks at its end. */
function hintsOf(value: string): string {
  const body = [...value]
  const [first, last, before] = [body[0], body.at(-1), body.at(-2)]
  const indentation = first === ' ' || isBreak(first) ? '2' : ''
  if (!isBreak(last)) return `${indentation}-`
  return body.length === 1 || isBreak(before) ? `${indentation}+` : indentation
}

function escaped(char: string): string {
  if (Object.hasOwn(ESCAPES, char)) return `\\${ESCAPES[char] ?? ''}`
  const code = char.codePointAt(0) ?? 0
  const [letter, digits] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8]
  return `\\${letter}${code
    .toString(16)
    .toUpperCase()
    .padStart(digits as number, '0')}`
}
