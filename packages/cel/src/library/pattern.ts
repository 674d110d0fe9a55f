import { RE2JS } from 're2js'
import { Fault } from '../eval/fault.ts'

/** Regular expressions in linear time. Patterns are mostly constants of rules, so a few hundred compiled ones are kept. */
const compiled = new Map<string, RE2JS>()
const KEPT = 500

export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  let regex: RE2JS
  try {
    regex = RE2JS.compile(pattern)
  } catch (error) {
    throw new Fault(
      `error parsing regexp: ${error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)}`,
    )
  }
  if (compiled.size >= KEPT) {
    const oldest = compiled.keys().next()
    if (oldest.done !== true) compiled.delete(oldest.value)
  }
  compiled.set(pattern, regex)
  return regex
}

export const matchesPattern = (text: string, pattern: string): boolean => compilePattern(pattern).test(text)
