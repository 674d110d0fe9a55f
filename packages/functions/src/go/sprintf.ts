import { compareText } from '@weft/api'
import { formatFloat } from './float.ts'
import { canBackquote, isPrintable, quote, quoteRune } from './quote.ts'
import { bytesText, textBytes } from './text.ts'
import { type GoValue, isGoArray, isNil, isGoObject, typeName } from './value.ts'

/** Widths make text out of nothing: what would be longer is refused, here and wherever a transform makes text grow. */
export const MAX_TEXT: number = 16 * 1024 * 1024

export class TextTooLong extends Error {
  constructor() {
    super(`the text would be longer than ${MAX_TEXT} characters`)
    this.name = 'TextTooLong'
  }
}

/** fmt.Sprintf, with all that it prints where format and arguments do not fit. */
export function sprintf(format: string, ...args: readonly GoValue[]): string {
  return new Printer(args).format(format)
}

/** `%v` */
export const plainText = (value: GoValue): string => (typeof value === 'string' ? value : sprintf('%v', value))

const LARGEST = 1_000_000
const ADDRESS = 0xc000012340n

class Printer {
  readonly #args: readonly GoValue[]
  #out: string[] = []
  #length = 0
  // Flags of the verb at hand.
  #sharp = false
  #zero = false
  #plus = false
  #minus = false
  #space = false
  #sharpV = false
  #width: number | undefined
  #precision: number | undefined
  #reordered = false
  #goodIndex = true
  #isErroring = false

  constructor(args: readonly GoValue[]) {
    this.#args = args
  }

  format(format: string): string {
    let at = 0
    let next = 0
    while (at < format.length) {
      const percent = format.indexOf('%', at)
      this.#write(format.slice(at, percent < 0 ? format.length : percent))
      if (percent < 0) break
      ;[at, next] = this.#verb(format, percent + 1, next)
    }
    if (!this.#reordered && next < this.#args.length) this.#extra(next)
    return this.#out.join('')
  }

  /** From after the percent sign; answers where the format goes on, and the next argument. */
  #verb(format: string, start: number, argument: number): [number, number] {
    let at = start
    let next = argument
    this.#clear()
    this.#goodIndex = true
    for (; at < format.length && '#0+- '.includes(format[at] as string); at++) this.#flag(format[at] as string)
    let indexed: boolean
    ;[next, at, indexed] = this.#index(format, at, next)
    if (format[at] === '*') {
      at++
      const width = this.#intArgument(next)
      next = width.next
      if (width.value === undefined) this.#write('%!(BADWIDTH)')
      this.#width = width.value
      if (width.value !== undefined && width.value < 0) {
        this.#width = -width.value
        this.#minus = true
        this.#zero = false
      }
      indexed = false
    } else {
      ;[this.#width, at] = number(format, at)
      if (indexed && this.#width !== undefined) this.#goodIndex = false
    }
    if (at + 1 < format.length && format[at] === '.') {
      at++
      if (indexed) this.#goodIndex = false
      ;[next, at, indexed] = this.#index(format, at, next)
      if (format[at] === '*') {
        at++
        const precision = this.#intArgument(next)
        next = precision.next
        this.#precision = precision.value !== undefined && precision.value >= 0 ? precision.value : undefined
        if (this.#precision === undefined) this.#write('%!(BADPREC)')
        indexed = false
      } else {
        ;[this.#precision, at] = number(format, at)
        this.#precision ??= 0
      }
    }
    if (!indexed) [next, at, indexed] = this.#index(format, at, next)
    if (at >= format.length) {
      this.#write('%!(NOVERB)')
      return [at, next]
    }
    const verb = String.fromCodePoint(format.codePointAt(at) as number)
    at += verb.length
    if (verb === '%') this.#write('%')
    else if (!this.#goodIndex) this.#write(`%!${shownVerb(verb)}(BADINDEX)`)
    else if (next >= this.#args.length) this.#write(`%!${shownVerb(verb)}(MISSING)`)
    else {
      if (verb === 'v' || verb === 'w') {
        this.#sharpV = this.#sharp
        this.#sharp = false
        this.#plus = false
      }
      this.#argument(this.#args[next] as GoValue, verb)
      next++
    }
    return [at, next]
  }

  #clear(): void {
    this.#sharp = this.#zero = this.#plus = this.#minus = this.#space = this.#sharpV = false
    this.#width = this.#precision = undefined
  }

  #flag(flag: string): void {
    if (flag === '#') this.#sharp = true
    else if (flag === '0') this.#zero = true
    else if (flag === '+') this.#plus = true
    else if (flag === '-') this.#minus = true
    else this.#space = true
  }

  /** `[3]`: which argument is next. */
  #index(format: string, at: number, next: number): [next: number, at: number, found: boolean] {
    if (format[at] !== '[') return [next, at, false]
    this.#reordered = true
    const close = format.indexOf(']', at + 1)
    if (close < 0 || format.length - at < 3) {
      this.#goodIndex = false
      return [next, at + 1, false]
    }
    const [index, end] = number(format, at + 1, close)
    const isNumber = index !== undefined && end === close
    if (isNumber && index >= 1 && index <= this.#args.length) return [index - 1, close + 1, true]
    this.#goodIndex = false
    return [next, close + 1, isNumber]
  }

  #intArgument(next: number): { value: number | undefined; next: number } {
    if (next >= this.#args.length) return { value: undefined, next }
    const value = this.#args[next]
    const fits = typeof value === 'bigint' && value <= LARGEST && value >= -LARGEST
    return { value: fits ? Number(value) : undefined, next: next + 1 }
  }

  #extra(from: number): void {
    this.#clear()
    this.#write('%!(EXTRA ')
    for (let i = from; i < this.#args.length; i++) {
      if (i > from) this.#write(', ')
      const value = this.#args[i] as GoValue
      if (value === null) this.#write('<nil>')
      else {
        this.#write(`${typeName(value)}=`)
        this.#argument(value, 'v')
      }
    }
    this.#write(')')
  }

  #argument(value: GoValue, verb: string): void {
    if (value === null) {
      if (verb === 'T' || verb === 'v') this.#pad('<nil>')
      else this.#bad(value, verb)
    } else if (verb === 'T') this.#text(typeName(value))
    else if (verb === 'p') {
      if (typeof value === 'object') this.#address()
      else this.#bad(value, verb)
    } else if (verb === 'w' && typeof value === 'object' && !this.#isErroring) this.#bad(value, verb)
    else this.#print(value, verb)
  }

  /** Addresses differ from run to run in Go; here there are none, so it is always the same. */
  #address(): void {
    const sharp = this.#sharp
    this.#sharp = !sharp
    this.#integer(ADDRESS, 16, 'v')
    this.#sharp = sharp
  }

  #print(value: GoValue, verb: string): void {
    switch (typeof value) {
      case 'boolean':
        return verb === 't' || verb === 'v' ? this.#pad(String(value)) : this.#bad(value, verb)
      case 'bigint':
        return this.#int64(value, verb)
      case 'number':
        return this.#float64(value, verb)
      case 'string':
        return this.#string(value, verb)
      default:
        return this.#composite(value, verb)
    }
  }

  #composite(value: GoValue, verb: string): void {
    if (this.#sharpV && isNil(value)) return this.#write(`${typeName(value)}(nil)`)
    const [open, between, close] = this.#sharpV ? [`${typeName(value)}{`, ', ', '}'] : [isGoArray(value) ? '[' : 'map[', ' ', ']']
    this.#write(open)
    let first = true
    const member = (item: GoValue): void => {
      if (item === null) this.#write(this.#sharpV ? 'interface {}(nil)' : '<nil>')
      else if (verb === 'w' && !this.#isErroring) this.#bad(item, verb)
      else this.#print(item, verb)
    }
    const separate = (): void => {
      if (!first) this.#write(between)
      first = false
    }
    if (isGoArray(value)) {
      for (const item of value) {
        separate()
        member(item)
      }
    } else if (isGoObject(value)) {
      for (const key of Object.keys(value).sort(compareText)) {
        separate()
        member(key)
        this.#write(':')
        member(value[key] as GoValue)
      }
    }
    this.#write(close)
  }

  /** `%!d(string=x)` */
  #bad(value: GoValue, verb: string): void {
    this.#isErroring = true
    this.#write(`%!${shownVerb(verb)}(`)
    if (value === null) this.#write('<nil>')
    else {
      this.#write(`${typeName(value)}=`)
      this.#print(value, 'v')
    }
    this.#write(')')
    this.#isErroring = false
  }

  #string(value: string, verb: string): void {
    switch (verb) {
      case 'v':
        return this.#sharpV ? this.#quoted(value) : this.#text(value)
      case 's':
        return this.#text(value)
      case 'q':
        return this.#quoted(value)
      case 'x':
      case 'X':
        return this.#hexText(value, verb)
      default:
        return this.#bad(value, verb)
    }
  }

  /** A precision is the most runes to print. */
  #cut(text: string): string {
    if (this.#precision === undefined || text.length <= this.#precision) return text
    return Array.from(text).slice(0, this.#precision).join('')
  }

  #text(text: string): void {
    this.#pad(this.#cut(text))
  }

  #quoted(text: string): void {
    const cut = this.#cut(text)
    this.#pad(this.#sharp && canBackquote(cut) ? `\`${cut}\`` : quote(cut, this.#plus))
  }

  #hexText(text: string, verb: string): void {
    const bytes = textBytes(text)
    const shown = this.#precision === undefined ? bytes : bytes.subarray(0, this.#precision)
    const prefix = this.#sharp ? `0${verb}` : ''
    let out = ''
    shown.forEach((byte, i) => {
      if (i === 0 || this.#space) out += (i > 0 ? ' ' : '') + prefix
      const pair = byte.toString(16).padStart(2, '0')
      out += verb === 'X' ? pair.toUpperCase() : pair
    })
    this.#pad(out)
  }

  #int64(value: bigint, verb: string): void {
    switch (verb) {
      case 'v':
      case 'd':
        return this.#integer(value, 10, verb)
      case 'b':
        return this.#integer(value, 2, verb)
      case 'o':
      case 'O':
        return this.#integer(value, 8, verb)
      case 'x':
      case 'X':
        return this.#integer(value, 16, verb)
      case 'c':
        return this.#pad(runeOf(value))
      case 'q':
        return this.#pad(quoteRune(runeOf(value), this.#plus))
      case 'U':
        return this.#unicode(value)
      default:
        return this.#bad(value, verb)
    }
  }

  #integer(value: bigint, base: number, verb: string): void {
    const isNegative = value < 0n
    if (this.#precision === 0 && value === 0n) {
      this.#write(' '.repeat(this.#width ?? 0))
      return
    }
    let least = 0
    if (this.#precision !== undefined) least = this.#precision
    else if (this.#zero && !this.#minus && this.#width !== undefined)
      least = this.#width - (isNegative || this.#plus || this.#space ? 1 : 0)
    let digits = (isNegative ? -value : value).toString(base).padStart(least, '0')
    if (verb === 'X') digits = digits.toUpperCase()
    if (this.#sharp) {
      if (base === 2) digits = `0b${digits}`
      else if (base === 8 && !digits.startsWith('0')) digits = `0${digits}`
      else if (base === 16) digits = `0${verb === 'X' ? 'X' : 'x'}${digits}`
    }
    if (verb === 'O') digits = `0o${digits}`
    const sign = isNegative ? '-' : this.#plus ? '+' : this.#space ? ' ' : ''
    this.#padWithSpaces(sign + digits)
  }

  #unicode(value: bigint): void {
    const code = BigInt.asUintN(64, value)
    let text = `U+${code
      .toString(16)
      .toUpperCase()
      .padStart(Math.max(this.#precision ?? 4, 4), '0')}`
    if (this.#sharp && code <= 0x10ffffn && !(code >= 0xd800n && code <= 0xdfffn)) {
      const rune = String.fromCodePoint(Number(code))
      if (isPrintable(rune)) text += ` '${rune}'`
    }
    this.#padWithSpaces(text)
  }

  #float64(value: number, verb: string): void {
    switch (verb) {
      case 'v':
        return this.#float(value, 'g', -1)
      case 'b':
      case 'g':
      case 'G':
      case 'x':
      case 'X':
        return this.#float(value, verb, -1)
      case 'e':
      case 'E':
      case 'f':
        return this.#float(value, verb, 6)
      case 'F':
        return this.#float(value, 'f', 6)
      default:
        return this.#bad(value, verb)
    }
  }

  #float(value: number, verb: string, standard: number): void {
    const precision = this.#precision ?? standard
    const text = formatFloat(value, verb, precision)
    const isSigned = text.startsWith('-') || text.startsWith('+')
    let sign = isSigned ? text.slice(0, 1) : '+'
    let body = isSigned ? text.slice(1) : text
    if (this.#space && sign === '+' && !this.#plus) sign = ' '
    if (body === 'Inf' || body === 'NaN') {
      const shown = body === 'NaN' && !this.#space && !this.#plus ? body : sign + body
      this.#padWithSpaces(shown)
      return
    }
    if (this.#sharp && verb !== 'b') body = withPoint(body, verb, precision)
    if (this.#plus || sign !== '+') {
      const missing = (this.#width ?? 0) - body.length - 1
      if (this.#zero && !this.#minus && missing > 0) this.#write(sign + '0'.repeat(missing) + body)
      else this.#pad(sign + body)
    } else this.#pad(body)
  }

  #padWithSpaces(text: string): void {
    const zero = this.#zero
    this.#zero = false
    this.#pad(text)
    this.#zero = zero
  }

  #pad(text: string): void {
    const missing = this.#width === undefined ? 0 : this.#width - runeCount(text)
    if (missing <= 0) this.#write(text)
    else if (this.#minus) this.#write(text + ' '.repeat(missing))
    else this.#write((this.#zero ? '0' : ' ').repeat(missing) + text)
  }

  #write(text: string): void {
    this.#length += text.length
    if (this.#length > MAX_TEXT) throw new TextTooLong()
    this.#out.push(text)
  }
}

/** Digits at `at`; too many are none, and end the format. */
function number(format: string, at: number, end = format.length): [value: number | undefined, at: number] {
  let value: number | undefined
  let i = at
  for (; i < end; i++) {
    const digit = format.charCodeAt(i) - 0x30
    if (digit < 0 || digit > 9) break
    if ((value ?? 0) > LARGEST) return [undefined, end]
    value = (value ?? 0) * 10 + digit
  }
  return [value, i]
}

function runeCount(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** A byte that is no rune decodes as U+FFFD. */
const shownVerb = (verb: string): string => (/[\uD800-\uDFFF]/u.test(verb) ? '\uFFFD' : verb)

function runeOf(value: bigint): string {
  const code = BigInt.asUintN(64, value)
  if (code > 0x10ffffn || (code >= 0xd800n && code <= 0xdfffn)) return '\uFFFD'
  return bytesText(textBytes(String.fromCodePoint(Number(code))))
}

/** The sharp flag: always a decimal point, and for %g the zeros that it would drop. */
function withPoint(body: string, verb: string, precision: number): string {
  const isGeneral = verb === 'g' || verb === 'G' || verb === 'x'
  let digits = isGeneral ? (precision === -1 ? 6 : precision) : 0
  const tailAt = body.search(verb === 'x' || verb === 'X' ? /[pP]/ : /[eEpP]/)
  const tail = tailAt < 0 ? '' : body.slice(tailAt)
  let head = tailAt < 0 ? body : body.slice(0, tailAt)
  let sawNonzero = false
  for (const c of head) {
    if (c === '.') continue
    if (c !== '0') sawNonzero = true
    if (sawNonzero) digits--
  }
  if (!head.includes('.')) {
    if (head === '0') digits--
    head += '.'
  }
  return head + '0'.repeat(Math.max(digits, 0)) + tail
}
