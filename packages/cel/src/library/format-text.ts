import { compareText } from '@weft/api'
import { toText, formatDouble } from '../eval/convert.ts'
import { Fault } from '../eval/fault.ts'
import { checkTextSize } from '../eval/size-limit.ts'
import { Double, Duration, ListValue, MapValue, Timestamp, TypeValue, Uint, isInt, typeName, type Int, type Value } from '../eval/value.ts'

/** `'%s is %d'.format([name, age])`. */
const MAX_PRECISION = 1000

export function formatText(template: string, args: ListValue): string {
  let out = ''
  let next = 0
  for (let i = 0; i < template.length; i++) {
    const char = template[i] ?? ''
    if (char !== '%') {
      out += char
      continue
    }
    if (template[i + 1] === '%') {
      out += '%'
      i++
      continue
    }
    const clause = /^(?:\.(\d+))?([A-Za-z])/.exec(template.slice(i + 1, i + 12))
    if (clause === null)
      throw new Fault(
        `could not parse formatting clause: ${i + 1 >= template.length ? 'unexpected end of string' : `unrecognized formatting clause "${template[i + 1]}"`}`,
      )
    if (next >= args.size) throw new Fault(`index ${next} out of range`)
    const precision = clause[1] === undefined ? undefined : Number(clause[1])
    if (precision !== undefined && precision > MAX_PRECISION)
      throw new Fault(`could not parse formatting clause: precision exceeds ${MAX_PRECISION}`)
    out += formatOne(clause[2] ?? '', precision, args.at(next++))
    i += clause[0].length
    checkTextSize(out.length)
  }
  return out
}

function formatOne(clause: string, precision: number | undefined, value: Value): string {
  switch (clause) {
    case 's':
      return asString(value)
    case 'd':
      return asDecimal(value)
    case 'f':
      return asFixed(value, precision ?? 6)
    case 'e':
      return asScientific(value, precision ?? 6)
    case 'b':
      return asBinary(value)
    case 'o':
      return asOctal(value)
    case 'x':
      return asHex(value)
    case 'X':
      return asHex(value).toUpperCase()
    default:
      throw new Fault(`could not parse formatting clause: unrecognized formatting clause "${clause}"`)
  }
}

const wrong = (what: string, value: Value): Fault => new Fault(`error during formatting: ${what}, was given ${typeName(value)}`)

const special = (value: number): string | undefined =>
  Number.isNaN(value) ? 'NaN' : value === Infinity ? 'Infinity' : value === -Infinity ? '-Infinity' : undefined

function asString(value: Value): string {
  if (value === null) return 'null'
  if (value instanceof Double) return special(value.value) ?? formatDouble(value.value)
  if (value instanceof TypeValue) return value.name
  if (value instanceof ListValue) return `[${joined(Array.from(value, asString))}]`
  if (value instanceof MapValue) {
    const entries = value.keys().map((key) => [asString(key), asString(value.find(key) ?? null)] as const)
    return `{${joined(entries.toSorted((a, b) => compareText(a[0], b[0])).map(([key, text]) => `${key}: ${text}`))}}`
  }
  if (
    typeof value !== 'object' ||
    value instanceof Uint ||
    value instanceof Uint8Array ||
    value instanceof Timestamp ||
    value instanceof Duration
  )
    return toText(value)
  throw wrong(
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    value,
  )
}

/** Lists of lists grow by doubling: the first that is too long ends it. */
function joined(texts: readonly string[]): string {
  checkTextSize(texts.reduce((length, text) => length + text.length, 0))
  return texts.join(', ')
}

const integer = (value: Value): Int | undefined => (isInt(value) ? value : value instanceof Uint ? value.value : undefined)

function asDecimal(value: Value): string {
  const int = integer(value)
  if (int !== undefined) return String(int)
  if (value instanceof Double) return special(value.value) ?? formatDouble(value.value)
  throw wrong('decimal clause can only be used on integers', value)
}

function real(value: Value, clause: string): number {
  if (value instanceof Double) return value.value
  const int = integer(value)
  if (int === undefined) throw wrong(`${clause} clause can only be used on doubles`, value)
  return Number(int)
}

function asFixed(value: Value, precision: number): string {
  const number = real(value, 'fixed-point')
  return special(number) ?? fixedPoint(number, precision)
}

/** Exact, ties to even: `toFixed` rounds ties up. */
function fixedPoint(value: number, precision: number): string {
  const [numerator, denominator] = fraction(Math.abs(value))
  const scaled = numerator * 10n ** BigInt(precision)
  let quotient = scaled / denominator
  const twice = (scaled % denominator) * 2n
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) quotient += 1n
  const digits = quotient.toString().padStart(precision + 1, '0')
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  return precision === 0 ? sign + digits : `${sign}${digits.slice(0, -precision)}.${digits.slice(-precision)}`
}

/** A finite double as an exact fraction. */
function fraction(value: number): [bigint, bigint] {
  let denominator = 1n
  let scaled = value
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    denominator *= 2n
  }
  return [BigInt(scaled), denominator]
}

function asScientific(value: Value, precision: number): string {
  const number = real(value, 'scientific')
  const [mantissa = '', exponent = '+0'] = (special(number) ?? number.toExponential(Math.min(precision, 100))).split('e')
  if (special(number) !== undefined) return mantissa
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`
}

const inBase = (value: Int, base: number): string => value.toString(base)

function asBinary(value: Value): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  const int = integer(value)
  if (int === undefined) throw wrong('only integers and bools can be formatted as binary', value)
  return inBase(int, 2)
}

function asOctal(value: Value): string {
  const int = integer(value)
  if (int === undefined) throw wrong('octal clause can only be used on integers', value)
  return inBase(int, 8)
}

function asHex(value: Value): string {
  const int = integer(value)
  if (int !== undefined) return inBase(int, 16)
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  if (!(bytes instanceof Uint8Array)) throw wrong('only integers, byte buffers, and strings can be formatted as hex', value)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
