import { Fault } from '../eval/fault.ts'
import { checkTextSize } from '../eval/size-limit.ts'
import { codePoints } from '../eval/value.ts'

/** Positions in CEL count code points; JavaScript's count UTF-16 units. The two agree for most texts. */
export function isBasic(text: string): boolean {
  return codePoints(text) === text.length
}

export function charAt(text: string, index: number | bigint): string {
  const chars = isBasic(text) ? text : [...text]
  if (index < 0 || index > chars.length) throw new Fault(`index out of range: ${index}`)
  return chars[Number(index)] ?? ''
}

export function substring(text: string, start: number | bigint, end?: number | bigint): string {
  const chars = isBasic(text) ? text : [...text]
  const last = end ?? chars.length
  if (start < 0 || start > chars.length) throw new Fault(`index out of range: ${start}`)
  if (last < 0 || last > chars.length) throw new Fault(`index out of range: ${last}`)
  if (start > last) throw new Fault(`invalid substring range. start: ${start}, end: ${last}`)
  const part = chars.slice(Number(start), Number(last))
  return typeof part === 'string' ? part : part.join('')
}

export function indexOf(text: string, part: string, from: number | bigint = 0): number {
  const length = codePoints(text)
  if (part === '') return Number(from)
  if (from < 0) throw new Fault(`index out of range: ${from}`)
  if (from >= length) {
    // At or past the end there is nothing to find.
    if (from > length) throw new Fault(`index out of range: ${from}`)
    return -1
  }
  return pointIndex(text, text.indexOf(part, unitIndex(text, Number(from))))
}

export function lastIndexOf(text: string, part: string, from?: number | bigint): number {
  const length = codePoints(text)
  if (part === '') return from === undefined ? length : Number(from)
  if (from !== undefined && (from < 0 || from > length)) throw new Fault(`index out of range: ${from}`)
  if (text === '') return -1
  return pointIndex(text, text.lastIndexOf(part, from === undefined ? undefined : unitIndex(text, Number(from))))
}

const unitIndex = (text: string, index: number): number => (isBasic(text) ? index : [...text].slice(0, index).join('').length)
const pointIndex = (text: string, index: number): number => (index < 0 ? -1 : codePoints(text.slice(0, index)))

export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase())
export const upperAscii = (text: string): string => text.replace(/[a-z]+/g, (part) => part.toUpperCase())

/** Unicode white space, as Go's TrimSpace has it (U+0085 too, U+FEFF not). */
const SPACES = String.raw`[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`
const LEADING = new RegExp(`^${SPACES}+`, 'u')
const SPACE = new RegExp(SPACES, 'u')

export function trim(text: string): string {
  let end = text.length
  while (end > 0 && SPACE.test(text[end - 1] ?? '')) end--
  return text.slice(0, end).replace(LEADING, '')
}

export const reverse = (text: string): string => [...text].reverse().join('')

/** Replaces at most `limit` times; all when negative. An empty `old` matches between all characters. */
export function replace(text: string, old: string, replacement: string, limit: number | bigint = -1): string {
  if (limit === 0 || old === replacement) return text
  const all = limit < 0
  if (old === '') {
    const chars = [...text]
    const count = all ? chars.length + 1 : Math.min(Number(limit), chars.length + 1)
    checkTextSize(text.length + count * replacement.length)
    return chars.map((char, i) => (i < count ? replacement + char : char)).join('') + (count > chars.length ? replacement : '')
  }
  const parts = text.split(old)
  checkTextSize(text.length + (parts.length - 1) * Math.max(0, replacement.length - old.length))
  if (all || parts.length - 1 <= Number(limit)) return parts.join(replacement)
  const head = parts.slice(0, Number(limit) + 1).join(replacement)
  return [head, ...parts.slice(Number(limit) + 1)].join(old)
}

export function split(text: string, separator: string, limit: number | bigint = -1): string[] {
  if (limit === 0) return []
  const parts = separator === '' ? [...text] : text.split(separator)
  if (limit < 0 || parts.length <= limit) return parts
  const kept = parts.slice(0, Number(limit) - 1)
  return [...kept, parts.slice(Number(limit) - 1).join(separator)]
}

const QUOTED: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}

/** A text as a CEL literal. */
export const quote = (text: string): string => `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (char) => QUOTED[char] ?? char)}"`
