/** One thing wrong with an expression. Line and column count from 1; the column counts code points. */
export interface Issue {
  readonly message: string
  readonly line: number
  readonly column: number
}

/** Only so many issues of one expression are reported. */
export const MAX_ISSUES = 100
const LONGEST_SHOWN = 2000

/** The text of an expression, able to say where an offset (in UTF-16 units) is. */
export class Source {
  readonly text: string
  readonly #lineStarts: readonly number[]

  constructor(text: string) {
    this.text = text
    const starts = [0]
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
    this.#lineStarts = starts
  }

  locate(offset: number): { readonly line: number; readonly column: number } {
    const starts = this.#lineStarts
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const start = starts[low] ?? 0
    return { line: low + 1, column: [...this.text.slice(start, offset)].length + 1 }
  }

  line(number: number): string {
    const start = this.#lineStarts[number - 1]
    if (start === undefined) return ''
    const next = this.#lineStarts[number]
    return this.text.slice(start, next === undefined ? undefined : next - 1)
  }
}

/** Issues as cel-go prints them, each with the line it is on and a caret under the place. */
export function formatIssues(text: string, issues: readonly Issue[]): string {
  const source = new Source(text)
  return issues.map((issue) => formatIssue(source, issue)).join('\n')
}

function formatIssue(source: Source, issue: Issue): string {
  const head = `ERROR: <input>:${issue.line}:${issue.column}: ${issue.message}`
  if (issue.line < 1) return head
  const text = source.line(issue.line).replaceAll('\t', ' ')
  // Showing a line this long helps nobody, and an expression can have many issues on it.
  if (text.length > LONGEST_SHOWN) return head
  const chars = [...text]
  const marks = chars.slice(0, issue.column - 1).map((char) => (isWide(char) ? '．' : '.'))
  return `${head}\n | ${text}\n | ${marks.join('')}${isWide(chars[issue.column - 1] ?? '') ? '＾' : '^'}`
}

/** Wide characters get wide marks, so that the caret stays under its place in a fixed-width font. */
const isWide = (char: string): boolean => (char.codePointAt(0) ?? 0) > 0x7f
