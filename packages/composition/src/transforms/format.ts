import { compareText, getOwn, goQuote, goQuoteAscii } from '@weft/api'
import { utf8Bytes } from '../encoding/text.ts'
import { type CompositionError, failure, type Result, success } from '../result.ts'
import { aKind, exponentialText, fixedText, floatText, kindOf, MAX_TEXT_LENGTH, plainText } from './value.ts'

/**
 * A subset of Go's fmt: verbs s v d q x X f e g t, flags `-`, `+`, `#` (x only), `0` and space, width, precision, `%[n]v` argument indexes and
 * `%%`. Where Go would print `%!d(string=x)` into a name, a mismatch is an error here; `%s` accepts numbers (002:978).
 */
export interface Format {
  readonly text: string
  /** Go's Sprintf. Too few or too many arguments are errors too. */
  render(args: readonly unknown[]): Result<string>
}

interface Verb {
  readonly verb: string
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
  readonly argument: number
  /** As written, for messages. */
  readonly text: string
}

const VERBS = 'svdqxXfegt'
/** Padding is memory on request. */
const MAX_WIDTH = 1024

/** Compiles a format once; the answer says what is wrong with the format itself, and where. */
export function compileFormat(text: string): Result<Format> {
  const pieces: (string | Verb)[] = []
  let next = 0
  let indexed = false
  const pattern = /%([-+# 0]*)(\d*)(?:\.(\d*))?(?:\[(\d+)\])?(.?)/gsu
  let end = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [whole, flags = '', width = '', precision, index, verb = ''] = match
    pieces.push(text.slice(end, match.index))
    end = match.index + whole.length
    if (verb === '%') {
      pieces.push('%')
      continue
    }
    const where = `in format ${JSON.stringify(text)} at position ${match.index}`
    if (verb === '') return invalid(`"%" without a verb ${where}; write "%%" for a percent sign`)
    if (!VERBS.includes(verb))
      return invalid(
        `unsupported verb "${whole}" ${where}; supported are ${VERBS.split('')
          .map((v) => `%${v}`)
          .join(' ')} %%`,
      )
    if (flags.includes('#') && verb !== 'x' && verb !== 'X')
      return invalid(`the flag "#" of "${whole}" ${where} is supported for %x and %X only`)
    if (Number(width) > MAX_WIDTH || Number(precision ?? 0) > MAX_WIDTH) return invalid(`width or precision above ${MAX_WIDTH} ${where}`)
    if (index !== undefined) {
      if (Number(index) < 1) return invalid(`argument index [${index}] ${where}; the first is [1]`)
      indexed = true
      next = Number(index) - 1
    }
    pieces.push({
      verb,
      flags,
      width: Number(width),
      precision: precision === undefined ? undefined : Number(precision),
      argument: next,
      text: whole,
    })
    next++
  }
  pieces.push(text.slice(end))
  const verbs = pieces.filter((piece) => typeof piece !== 'string')
  const needed = verbs.reduce((most, verb) => Math.max(most, verb.argument + 1), 0)
  return success({
    text,
    render(args) {
      if (args.length < needed) return invalid(`format ${JSON.stringify(text)} wants ${needed} values, but there are ${args.length}`)
      // With explicit indexes a format may leave values out on purpose; so does Go.
      if (args.length > needed && !indexed) return invalid(`format ${JSON.stringify(text)} uses ${needed} of ${args.length} values`)
      let out = ''
      for (const piece of pieces) {
        if (typeof piece === 'string') {
          out += piece
          continue
        }
        const printed = print(piece, args[piece.argument])
        if (!printed.ok) return printed
        out += printed.value
        if (out.length > MAX_TEXT_LENGTH) return tooLong()
      }
      return success(out)
    },
  })
}

/** Every transform that can make a text grow checks before it does. */
export const tooLong = (): { readonly ok: false; readonly error: CompositionError } =>
  failure('TransformFailed', `the text would be longer than ${MAX_TEXT_LENGTH} characters`)

const invalid = (message: string) => failure('TransformFailed', message)

const mismatch = (verb: Verb, value: unknown, wants: string) =>
  invalid(`"${verb.text}" takes ${wants}, but the value is ${aKind(value)}: ${shorten(plainText(value))}`)

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text)

function print(verb: Verb, value: unknown): Result<string> {
  const kind = kindOf(value)
  switch (verb.verb) {
    case 'v':
      return success(printAny(verb, value))
    case 's':
      if (kind === 'string') return success(pad(verb, cut(verb, value as string)))
      if (kind === 'integer' || kind === 'number') return success(pad(verb, plainText(value), kind === 'integer' ? kind : 'float'))
      return mismatch(verb, value, 'a string or a number')
    case 'q':
      return kind === 'string'
        ? success(pad(verb, (verb.flags.includes('+') ? goQuoteAscii : goQuote)(cut(verb, value as string))))
        : mismatch(verb, value, 'a string')
    case 't':
      return kind === 'boolean' ? success(pad(verb, String(value))) : mismatch(verb, value, 'a boolean')
    case 'd':
      return kind === 'integer' ? success(pad(verb, signed(verb, digits(verb, value, 10)), 'integer')) : mismatch(verb, value, 'an integer')
    case 'x':
    case 'X':
      return printHex(verb, value)
    default:
      return kind === 'integer' || kind === 'number'
        ? success(pad(verb, signed(verb, float(verb, Number(value))), 'float'))
        : mismatch(verb, value, 'a number')
  }
}

/** `%v`: anything. In lists and objects each part is printed by the same verb. */
function printAny(verb: Verb, value: unknown): string {
  const part = (item: unknown): string => (kindOf(item) === 'null' ? '<nil>' : printAny(verb, item))
  switch (kindOf(value)) {
    case 'string':
      return pad(verb, cut(verb, value as string))
    case 'number':
      return pad(verb, signed(verb, floatText(value as number, verb.precision)), 'float')
    case 'integer':
      return pad(verb, signed(verb, digits(verb, value, 10)), 'integer')
    case 'list':
      return `[${(value as readonly unknown[]).map(part).join(' ')}]`
    case 'object': {
      const keys = Object.keys(value as object).sort(compareText)
      return `map[${keys.map((key) => `${part(key)}:${part(getOwn(value as object, key))}`).join(' ')}]`
    }
    default:
      return pad(verb, plainText(value))
  }
}

function printHex(verb: Verb, value: unknown): Result<string> {
  const kind = kindOf(value)
  let text: string
  if (kind === 'string') {
    const bytes = Array.from(utf8Bytes(value as string).slice(0, verb.precision), (byte) => byte.toString(16).padStart(2, '0'))
    text = (verb.flags.includes('#') && bytes.length > 0 ? '0x' : '') + bytes.join(verb.flags.includes(' ') ? ' ' : '')
  } else if (kind === 'integer') {
    text = digits(verb, value, 16)
    if (verb.flags.includes('#') && text !== '') text = text.startsWith('-') ? `-0x${text.slice(1)}` : `0x${text}`
    text = signed(verb, text)
  } else return mismatch(verb, value, 'a string or an integer')
  return success(pad(verb, verb.verb === 'X' ? text.toUpperCase() : text, kind === 'integer' ? kind : undefined))
}

/** Digits of an integer; a precision is the least number of digits, and none at all will do for zero. */
function digits(verb: Verb, value: unknown, radix: number): string {
  const text = (value as number | bigint).toString(radix)
  if (verb.precision === 0 && text === '0') return ''
  const bare = text.startsWith('-') ? text.slice(1) : text
  return (text.startsWith('-') ? '-' : '') + bare.padStart(verb.precision ?? 0, '0')
}

function float(verb: Verb, value: number): string {
  const places = Math.min(verb.precision ?? 6, 40)
  if (verb.verb === 'f') return fixedText(value, places)
  if (verb.verb === 'e') return exponentialText(value, places).replace(/e([+-])(\d)$/, 'e$10$2')
  return floatText(value, verb.precision)
}

function signed(verb: Verb, text: string): string {
  if (text === '' || text.startsWith('-')) return text
  // For %v a plus does not ask for a sign.
  if (verb.flags.includes('+') && verb.verb !== 'v') return `+${text}`
  return verb.flags.includes(' ') ? ` ${text}` : text
}

/** A precision on text is the most characters to print. */
const cut = (verb: Verb, text: string): string => (verb.precision === undefined ? text : Array.from(text).slice(0, verb.precision).join(''))

function pad(verb: Verb, text: string, number?: 'integer' | 'float'): string {
  const missing = verb.width - Array.from(text).length
  if (missing <= 0) return text
  if (verb.flags.includes('-')) return text + ' '.repeat(missing)
  // Go ignores the zero flag for integers that also have a precision.
  if (!verb.flags.includes('0') || (number === 'integer' && verb.precision !== undefined)) return ' '.repeat(missing) + text
  // Zeros go after the sign of a number.
  const sign = number !== undefined && /^[-+ ]/.test(text) ? text.slice(0, 1) : ''
  return sign + '0'.repeat(missing) + text.slice(sign.length)
}
