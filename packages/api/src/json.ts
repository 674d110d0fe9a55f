import { messageOf } from './message-of.ts'
import { getOwn, isJsonObject, type JsonValue, setOwn } from './meta.ts'

/**
 * JSON as an API server needs it: integers beyond 2^53 survive (as bigint), duplicate keys are noticed, nesting is
 * bounded, and `__proto__` is data. The common document takes the engine's own parser; only one that shows a long
 * number or a repeated key pays for the slow exact one.
 */
export interface ParsedJson {
  readonly value: JsonValue
  /** Paths of keys that occurred more than once in one object, e.g. `spec.a`. */
  readonly duplicates: readonly string[]
}

export class JsonSyntaxError extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.name = 'JsonSyntaxError'
    this.offset = offset
  }
}

/** The text is JSON, but it holds what nobody can. */
export class JsonValueError extends JsonSyntaxError {}

/** Deeper documents are refused: every later stage walks them recursively. */
export const MAX_JSON_DEPTH = 512

/** As many as Go's decoder tells of. */
const MAX_DUPLICATES = 100

/** Of a 64-bit integer, with its sign. */
const MAX_INTEGER_DIGITS = 20

const longNumber = /\d{16}/

export function parseJson(text: string): ParsedJson {
  const { colons, depth } = survey(text)
  if (depth > MAX_JSON_DEPTH) throw new JsonSyntaxError(`exceeded max depth of ${MAX_JSON_DEPTH}`, 0)
  if (!longNumber.test(text)) {
    let value: JsonValue
    try {
      value = JSON.parse(text) as JsonValue
    } catch (error) {
      throw new JsonSyntaxError(messageOf(error), 0)
    }
    // Every key of the text has exactly one colon; fewer keys than colons in the value means that one was overwritten.
    if (countKeys(value) === colons) return { value, duplicates: [] }
  }
  return new ExactParser(text).document()
}

/** Of text that `stringifyJson` made: no key occurs twice in it, and nothing was too deep to be written. */
export function parseOwnJson(text: string): JsonValue {
  return longNumber.test(text) ? new ExactParser(text).document().value : (JSON.parse(text) as JsonValue)
}

/** Tells of every key of JSON text that parses, in its order: where it is, and whether its object had it before. */
export function eachJsonKey(text: string, tell: (path: string, isAgain: boolean) => void): void {
  new ExactParser(text, tell).document()
}

/** Counts colons outside strings and the deepest nesting, without building anything. */
function survey(text: string): { colons: number; depth: number } {
  let colons = 0
  let depth = 0
  let deepest = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: // a string: skip to its closing quote
        i = text.indexOf('"', i + 1)
        while (i > 0 && isEscaped(text, i)) i = text.indexOf('"', i + 1)
        if (i < 0) return { colons, depth: deepest }
        break
      case 0x3a:
        colons++
        break
      case 0x7b:
      case 0x5b:
        if (++depth > deepest) deepest = depth
        break
      case 0x7d:
      case 0x5d:
        depth--
        break
      default:
    }
  }
  return { colons, depth: deepest }
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++
  return backslashes % 2 === 1
}

function countKeys(value: JsonValue): number {
  // What is too large for a number has to be refused in words.
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) count += countKeys(item)
    return count
  }
  for (const key of Object.keys(value)) {
    count += 1 + countKeys(getOwn(value, key) as JsonValue)
  }
  return count
}

/** A plain recursive-descent parser; strings and short numbers are handed to JSON.parse. */
class ExactParser {
  readonly #text: string
  readonly #duplicates: string[] = []
  readonly #tell: ((path: string, isAgain: boolean) => void) | undefined
  #at = 0

  constructor(text: string, tell?: (path: string, isAgain: boolean) => void) {
    this.#text = text
    this.#tell = tell
  }

  document(): ParsedJson {
    const value = this.#value('')
    this.#space()
    if (this.#at < this.#text.length) this.#fail('invalid character after top-level value')
    return { value, duplicates: this.#duplicates }
  }

  #value(path: string): JsonValue {
    this.#space()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(path)
      case '[':
        return this.#array(path)
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #object(path: string): JsonValue {
    const result: Record<string, unknown> = {}
    this.#at++
    this.#space()
    if (this.#take('}')) return result as JsonValue
    do {
      this.#space()
      if (this.#text[this.#at] !== '"') this.#fail('looking for beginning of object key string')
      const key = this.#string()
      const child = path === '' ? key : `${path}.${key}`
      const isAgain = Object.hasOwn(result, key)
      if (isAgain && this.#duplicates.length < MAX_DUPLICATES) this.#duplicates.push(child)
      this.#tell?.(child, isAgain)
      this.#space()
      if (!this.#take(':')) this.#fail('expected a colon after object key')
      setOwn(result, key, this.#value(child))
      this.#space()
    } while (this.#take(','))
    if (!this.#take('}')) this.#fail('expected a comma or } after object value')
    return result as JsonValue
  }

  #array(path: string): JsonValue {
    const result: JsonValue[] = []
    this.#at++
    this.#space()
    if (this.#take(']')) return result
    do {
      result.push(this.#value(`${path}[${result.length}]`))
      this.#space()
    } while (this.#take(','))
    if (!this.#take(']')) this.#fail('expected a comma or ] after array element')
    return result
  }

  #string(): string {
    let end = this.#text.indexOf('"', this.#at + 1)
    while (end > 0 && isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1)
    if (end < 0) this.#fail('unterminated string')
    const literal = this.#text.slice(this.#at, end + 1)
    this.#at = end + 1
    try {
      return JSON.parse(literal) as string
    } catch (error) {
      return this.#fail(messageOf(error))
    }
  }

  #number(): number | bigint {
    const pattern = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match === null)
      return this.#fail(`invalid character ${JSON.stringify(this.#text[this.#at] ?? 'end of input')} looking for beginning of value`)
    this.#at = pattern.lastIndex
    const value = Number(match[0])
    if (!Number.isFinite(value))
      throw new JsonValueError(`json: cannot unmarshal number ${match[0].slice(0, 40)} into Go value of type float64`, this.#at)
    const integral = match[1] === undefined && match[2] === undefined
    // Beyond that many digits it is no 64-bit integer, and reading it exactly would take the square of its length.
    if (integral && !Number.isSafeInteger(value) && match[0].length <= MAX_INTEGER_DIGITS) {
      const exact = BigInt(match[0])
      if (exact >= -(2n ** 63n) && exact < 2n ** 63n) return exact
    }
    return value
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail(`invalid character in literal ${word}`)
    this.#at += word.length
    return value
  }

  #space(): void {
    for (;;) {
      const c = this.#text.charCodeAt(this.#at)
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return
      this.#at++
    }
  }

  #take(c: string): boolean {
    if (this.#text[this.#at] !== c) return false
    this.#at++
    return true
  }

  #fail(message: string): never {
    throw new JsonSyntaxError(message, this.#at)
  }
}

/** JSON text of a value; bigints are written as plain integers. */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof TypeError && containsBigInt(value)) return stringifyExact(value)
    throw error
  }
}

function containsBigInt(value: unknown): boolean {
  if (typeof value === 'bigint') return true
  if (Array.isArray(value)) return value.some(containsBigInt)
  return isJsonObject(value) && Object.values(value).some(containsBigInt)
}

function stringifyExact(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map((item) => (item === undefined ? 'null' : stringifyExact(item))).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${stringifyExact(member)}`).join(',')}}`
}
