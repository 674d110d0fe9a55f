import { failure, type Result, success } from '../result.ts'
import { type FieldPath, MAX_ARRAY_INDEX, MAX_PATH_DEPTH, pathOf, type Segment, WILDCARD } from './path.ts'

/**
 * Parses the text of a field path. Between dots everything is a field name; between brackets digits are an index, `*` is
 * the wildcard and anything else is a key, quoted or not. A key that holds brackets, or that is digits or `*`, must be quoted.
 */
export function parseFieldPath(text: string): Result<FieldPath> {
  const segments: Segment[] = []
  let at = text.startsWith('.') ? 1 : 0
  if (at === text.length) return syntax(text, 0, 'a field path may not be empty')
  let separated = true
  while (at < text.length) {
    const c = text[at]
    if (c === '[') {
      const bracket = readBracket(text, at)
      if (!bracket.ok) return bracket
      segments.push(bracket.value.segment)
      at = bracket.value.end
    } else if (c === '.' && !separated) {
      at++
      const next = text[at]
      if (next === undefined || next === '.' || next === '[') return syntax(text, at - 1, "unexpected '.'")
      separated = true
      continue
    } else if (separated && c !== '.' && c !== ']') {
      const end = endOfName(text, at)
      segments.push(text.slice(at, end))
      at = end
    } else {
      return syntax(text, at, `unexpected '${c ?? ''}'`)
    }
    separated = false
    if (segments.length > MAX_PATH_DEPTH)
      return failure('FieldPathLimit', `field path is deeper than ${MAX_PATH_DEPTH} levels`, { path: text, position: at })
  }
  return success(pathOf(...segments))
}

function endOfName(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const c = text[i]
    if (c === '.' || c === '[' || c === ']') return i
  }
  return text.length
}

type Bracket = { readonly segment: Segment; readonly end: number }

function readBracket(text: string, open: number): Result<Bracket> {
  const first = text[open + 1]
  if (first === "'" || first === '"') return readQuoted(text, open, first)
  const close = text.indexOf(']', open)
  if (close < 0) return syntax(text, open, "unterminated '['")
  const content = text.slice(open + 1, close)
  if (content === '') return syntax(text, close, "unexpected ']'")
  const nested = content.indexOf('[')
  if (nested >= 0) return syntax(text, open + 1 + nested, "unexpected '['")
  if (content === '*') return success({ segment: WILDCARD, end: close + 1 })
  if (!/^\d+$/.test(content)) return success({ segment: content, end: close + 1 })
  const index = Number(content)
  if (index > MAX_ARRAY_INDEX) {
    const message = `array index ${content} is above the limit of ${MAX_ARRAY_INDEX}; if it is a key, quote it: ['${content}']`
    return failure('FieldPathLimit', `${describe(text)}: ${message}`, { path: text, position: open + 1 })
  }
  return success({ segment: index, end: close + 1 })
}

function readQuoted(text: string, open: number, mark: string): Result<Bracket> {
  let name = ''
  for (let i = open + 2; i < text.length; i++) {
    const c = text[i] as string
    const next = text[i + 1]
    if (c === '\\' && (next === '\\' || next === "'" || next === '"')) {
      name += next
      i++
    } else if (c === mark) {
      if (next !== ']') return syntax(text, i + 1, "expected ']' after the quoted key")
      return success({ segment: name, end: i + 2 })
    } else name += c
  }
  return syntax(text, open + 1, `unterminated ${mark}`)
}

const describe = (text: string): string => `cannot parse field path ${JSON.stringify(text)}`

const syntax = (text: string, position: number, why: string) =>
  failure('FieldPathSyntax', `${describe(text)}: ${why} at position ${position}`, { path: text, position })
