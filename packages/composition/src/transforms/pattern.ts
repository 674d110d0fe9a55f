import { field, messageOf } from '@weft/api'
import { RE2JS } from 're2js'
import type { Errors } from '../document.ts'

/** A user's regular expression, in RE2 syntax (linear time), compiled once. */
export interface Pattern {
  readonly text: string
  test(input: string): boolean
  /** Group zero is the whole match; a group that took no part is empty. Undefined when there is no match. */
  groups(input: string): readonly string[] | undefined
}

export function compilePattern(text: string, path: string, errors: Errors): Pattern | undefined {
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(text)
  } catch (error) {
    errors.push(field.invalid(path, text, `not a regular expression (RE2): ${messageOf(error)}`))
    return undefined
  }
  return {
    text,
    test: (input) => compiled.matcher(input).find(),
    groups(input) {
      const matcher = compiled.matcher(input)
      if (!matcher.find()) return undefined
      return Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? '')
    },
  }
}
