import { messageOf } from '@weft/api'
import { RE2JS } from 're2js'
import { remembering } from './remembering.ts'

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
    return { test: () => false, error: messageOf(error) }
  }
  return { test: remembering((text) => expression.test(text)) }
}
