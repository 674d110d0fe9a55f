import { RE2JS } from 're2js'

/**
 * A pattern written by a user. RE2 matches in linear time, so no pattern can hang the server; what RE2 cannot
 * express (look-around, back-references) is `error`.
 */
export interface Pattern {
  /** Does the pattern occur in `text`? Always false when `error` is set. */
  readonly test: (text: string) => boolean
  /** RE2's reason, worded as Go's `regexp` words it. */
  readonly error?: string
}

// Updates revalidate mostly unchanged strings, and a match costs about a microsecond: remember the last answers.
const MEMO_ENTRIES = 256
const MEMO_TEXT_LENGTH = 256
const MAX_PATTERNS = 4096

const patterns = new Map<string, Pattern>()

export function compilePattern(source: string): Pattern {
  const known = patterns.get(source)
  if (known !== undefined) return known
  if (patterns.size >= MAX_PATTERNS) patterns.clear()
  const pattern = build(source)
  patterns.set(source, pattern)
  return pattern
}

function build(source: string): Pattern {
  let expression: RE2JS
  try {
    expression = RE2JS.compile(source)
  } catch (error) {
    return { test: () => false, error: (error as Error).message }
  }
  const memo = new Map<string, boolean>()
  const test = (text: string): boolean => {
    if (text.length > MEMO_TEXT_LENGTH) return expression.test(text)
    const remembered = memo.get(text)
    if (remembered !== undefined) return remembered
    if (memo.size >= MEMO_ENTRIES) memo.clear()
    const answer = expression.test(text)
    memo.set(text, answer)
    return answer
  }
  return { test }
}
