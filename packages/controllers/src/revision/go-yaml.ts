import { isJsonObject } from '@weft/api'

/**
 * A value as sigs.k8s.io/yaml prints it: block style, keys sorted, lists not indented, lines folded at 80 columns. Crossplane names revisions by a
 * hash of this text, so that it must be the same to the byte for a revision to get the same name.
 */
export function goYaml(value: unknown): string {
  const writer = new Writer()
  writer.node(value, 0, 'root')
  return writer.text
}

const WIDTH = 80

type Place = 'root' | 'key' | 'item'

class Writer {
  text = ''

  node(value: unknown, indent: number, place: Place): void {
    if (Array.isArray(value)) this.#list(value, place === 'item' ? indent : Math.max(indent - 2, 0), place)
    else if (isJsonObject(value)) this.#map(value, indent, place)
    else this.#scalarLine(value, indent, place)
  }

  #map(value: Record<string, unknown>, indent: number, place: Place): void {
    const keys = Object.keys(value).sort(byGoYaml)
    if (keys.length === 0) {
      this.text += place === 'root' || place === 'item' ? '{}\n' : ' {}\n'
      return
    }
    if (place === 'key') this.text += '\n'
    keys.forEach((key, i) => {
      if (!(place === 'item' && i === 0)) this.text += ' '.repeat(indent)
      this.text += `${scalar(key, indent, 0, true)}:`
      this.node(value[key], indent + 2, 'key')
    })
  }

  #list(value: readonly unknown[], indent: number, place: Place): void {
    if (value.length === 0) {
      this.text += place === 'root' || place === 'item' ? '[]\n' : ' []\n'
      return
    }
    if (place === 'key') this.text += '\n'
    value.forEach((item, i) => {
      if (!(place === 'item' && i === 0)) this.text += ' '.repeat(indent)
      this.text += '- '
      this.node(item, indent + 2, 'item')
    })
  }

  #scalarLine(value: unknown, indent: number, place: Place): void {
    if (place === 'key') this.text += ' '
    const column = this.text.length - (this.text.lastIndexOf('\n') + 1)
    this.text += `${scalar(value, place === 'root' ? 0 : indent, column, false)}\n`
    // A literal ends its own last line.
    this.text = this.text.replace(/\n\n$/, (ending) => (isLiteral(value) ? '\n' : ending))
  }
}

const isLiteral = (value: unknown): boolean => typeof value === 'string' && value.includes('\n')

/** Keys sort by their letters and digits as people count: digits by number. */
function byGoYaml(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  let digits = false
  for (let i = 0; i < left.length && i < right.length; i++) {
    const [x, y] = [left[i] as string, right[i] as string]
    if (x === y) {
      digits = /\p{Nd}/u.test(x)
      continue
    }
    const [xLetter, yLetter] = [/\p{L}/u.test(x), /\p{L}/u.test(y)]
    if (xLetter && yLetter) return x < y ? -1 : 1
    if (xLetter || yLetter) return digits ? (xLetter ? -1 : 1) : yLetter ? -1 : 1
    const [xRun, yRun] = [left, right].map((runes) => /^\d*/.exec(runes.slice(i).join(''))?.[0] ?? '') as [string, string]
    if (xRun !== '' && yRun !== '' && Number(xRun) !== Number(yRun)) return Number(xRun) - Number(yRun)
    if (xRun.length !== yRun.length && xRun !== '' && yRun !== '') return xRun.length - yRun.length
    return x < y ? -1 : 1
  }
  return left.length - right.length
}

function scalar(value: unknown, indent: number, column: number, isKey: boolean): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return number(value)
  if (typeof value !== 'string') return String(value)
  if (value.includes('\n') && !isKey && blockAllowed(value)) return literal(value, indent)
  if (!value.includes('\n') && !resolvesElsewhere(value)) {
    if (plainAllowed(value) && !(value === '' && isKey)) return isKey ? value : folded(value, indent, column)
    if (!/[^\x20-\x7e\u00a0-\uffff]/.test(value) && !/^ | $/.test(value.trim() === '' ? '' : ''))
      return isKey ? single(value) : folded(single(value), indent, column)
  }
  return double(value, indent, column, isKey)
}

const number = (value: number): string => {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value)
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2')
}

/** Would it be read as something else than text? */
const resolvesElsewhere = (text: string): boolean =>
  text === '' ||
  /^(~|null|Null|NULL|true|True|TRUE|false|False|FALSE|y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|<<|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/.test(
    text,
  ) ||
  /^[-+]?(\d[\d_]*)$/.test(text) ||
  /^[-+]?(\.\d+|\d[\d_]*(\.[\d_]*)?)([eE][-+]?\d+)?$/.test(text) ||
  /^[-+]?0x[\da-fA-F_]+$/.test(text) ||
  /^[-+]?0o?[0-7_]+$/.test(text) ||
  /^[-+]?0b[01_]+$/.test(text) ||
  /^\d{4}-\d{1,2}-\d{1,2}([Tt ]\s*\d{1,2}:\d{1,2}:\d{1,2}.*)?$/.test(text) ||
  /^[-+]?\d[\d_]*(:[0-5]?\d)+(\.[\d_]*)?$/.test(text)

function plainAllowed(text: string): boolean {
  if (text === '') return false
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[-?:](\s|$)/.test(text) || /^(---|\.\.\.)/.test(text)) return false
  if (/:(\s|$)/.test(text) || /\s#/.test(text) || /^\s|\s$/.test(text)) return false
  return !/[^\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufffd]/.test(text)
}

const blockAllowed = (text: string): boolean => !/ \n|^ +$|^\n* |[^\x20-\x7e\n\u0085\u00a0-\ud7ff\ue000-\ufffd]| $/.test(text)

const single = (text: string): string => `'${text.replaceAll("'", "''")}'`

function literal(text: string, indent: number): string {
  const ending = text.endsWith('\n\n') || text === '\n' ? '|+' : text.endsWith('\n') ? '|' : '|-'
  const pad = ' '.repeat(indent)
  const lines = text.replace(/\n$/, '').split('\n')
  return `${ending}\n${lines.map((line) => (line === '' ? '' : pad + line)).join('\n')}`
}

/** Breaks after a space once a line is full; never inside a run of spaces. */
function folded(text: string, indent: number, column: number): string {
  let out = ''
  let at = column
  const body = [...text]
  for (let i = 0; i < body.length; i++) {
    const char = body[i] as string
    const isBreak = char === ' ' && at > WIDTH && i > 0 && i < body.length - 1 && body[i - 1] !== ' ' && body[i + 1] !== ' '
    if (isBreak) {
      out += `\n${' '.repeat(indent)}`
      at = indent
    } else {
      out += char
      at++
    }
  }
  return out
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
}

function double(text: string, indent: number, column: number, isKey: boolean): string {
  let out = '"'
  let at = column + 1
  const body = [...text]
  let afterBreak = false
  for (let i = 0; i < body.length; i++) {
    const char = body[i] as string
    if (char === ' ' && !isKey && !afterBreak && at > WIDTH && i > 0 && i < body.length - 1) {
      out += `\n${' '.repeat(indent)}${body[i + 1] === ' ' ? '\\' : ''}`
      at = indent
      afterBreak = true
      continue
    }
    const printed = ESCAPES[char] ?? (/[\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]|[\u{10000}-\u{10ffff}]/u.test(char) ? char : escaped(char))
    out += printed
    at += printed.length
    afterBreak = false
  }
  return `${out}"`
}

function escaped(char: string): string {
  const code = char.codePointAt(0) ?? 0
  if (code <= 0xff) return `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`
  return code <= 0xffff
    ? `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`
    : `\\U${code.toString(16).toUpperCase().padStart(8, '0')}`
}
