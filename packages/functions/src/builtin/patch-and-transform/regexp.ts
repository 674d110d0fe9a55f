import { messageOf } from '@weft/api'
import { RE2JS } from 're2js'

/** Compiled patterns of users. The same few are asked for again and again, at every reconcile of every composite. */
const compiled = new Map<string, { readonly value: RE2JS } | { readonly error: string }>()
const MOST = 256

/** regexp.Compile: RE2, so linear in its input whatever a user writes. */
export function compileRegexp(pattern: string): { readonly value: RE2JS } | { readonly error: string } {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  let result: { readonly value: RE2JS } | { readonly error: string }
  try {
    result = { value: RE2JS.compile(pattern) }
  } catch (error) {
    result = { error: messageOf(error) }
  }
  if (compiled.size >= MOST) compiled.clear()
  compiled.set(pattern, result)
  return result
}

export const matches = (pattern: RE2JS, text: string): boolean => pattern.matcher(text).find()

/** FindStringSubmatch: the match and its groups, a group that took no part empty; undefined without a match. */
export function submatches(pattern: RE2JS, text: string): readonly string[] | undefined {
  const matcher = pattern.matcher(text)
  if (!matcher.find()) return undefined
  return Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? '')
}
