import { GoError } from '../go-error.ts'
import { quote } from '../quote.ts'
import { byteOffset } from '../text.ts'

/** A field name, or an index. The wildcard is the name `*`. */
export type Segment = string | number

/**
 * The field paths of crossplane-runtime. They differ from the engine's: quotes are stripped wherever they stand, digits in brackets are an index
 * up to 2^32, a bracket may be followed by a name without a dot, no leading dot, and a path may be empty.
 */
export function parseSegments(path: string): readonly Segment[] {
  let segments = known.get(path)
  if (segments !== undefined) return segments
  segments = parse(path)
  if (path.length <= LONGEST) {
    if (known.size >= MOST) known.clear()
    known.set(path, segments)
  }
  return segments
}

/** The paths of compositions are few, and asked for at every reconcile. */
const known = new Map<string, readonly Segment[]>()
const MOST = 2048
const LONGEST = 256

function parse(path: string): readonly Segment[] {
  const segments: Segment[] = []
  const fail = (what: string, at: number): never => {
    throw new GoError(`cannot parse path ${quote(path)}: ${what} at position ${byteOffset(path, at)}`)
  }
  let at = 0
  for (;;) {
    const end = endOfName(path, at)
    if (path[end] === ']') return fail("unexpected ']'", end)
    if (end > at) segments.push(unquoted(path.slice(at, end)))
    if (end === path.length) return segments
    if (path[end] === '.') {
      if (end === 0 || end === path.length - 1) fail("unexpected '.'", end)
      at = end + 1
      if (path[at] === '.' || path[at] === '[') fail(`unexpected '${path[at]}'`, at)
      continue
    }
    const close = path.indexOf(']', end)
    if (close < 0) fail("unterminated '['", end)
    const content = path.slice(end + 1, close)
    if (content === '') fail("unexpected ']'", end + 1)
    const nested = content.indexOf('[')
    if (nested >= 0) fail("unexpected '['", end + 1 + nested)
    segments.push(fieldOrIndex(content))
    at = close + 1
  }
}

function endOfName(path: string, start: number): number {
  for (let i = start; i < path.length; i++) {
    const c = path[i]
    if (c === '.' || c === '[' || c === ']') return i
  }
  return path.length
}

/** Quotes go wherever they stand at the ends, paired or not. */
export const unquoted = (name: string): string => name.replace(/^['"]+|['"]+$/g, '')

function fieldOrIndex(text: string): Segment {
  const digits = /^0*(\d{1,10})$/.exec(text)?.[1]
  return digits !== undefined && Number(digits) < 2 ** 32 ? Number(digits) : unquoted(text)
}

export function segmentsText(segments: readonly Segment[]): string {
  let text = ''
  for (const segment of segments) {
    if (typeof segment === 'number') text += `[${segment}]`
    else text += segment === '*' || segment.includes('.') ? `[${segment}]` : `.${segment}`
  }
  return text.startsWith('.') ? text.slice(1) : text
}
