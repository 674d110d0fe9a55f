import { quote } from './quote.ts'

export type ParsedNumber<T> = { readonly value: T } | { readonly error: string }

const syntax = (from: string, text: string) => ({ error: `strconv.${from}: parsing ${quote(text)}: invalid syntax` })
const range = (from: string, text: string) => ({ error: `strconv.${from}: parsing ${quote(text)}: value out of range` })

/** strconv.ParseInt(text, 10, 64) */
export function parseInt64(text: string): ParsedNumber<bigint> {
  const digits = /^[+-]?0*(\d+)$/.exec(text)?.[1]
  if (digits === undefined) return syntax('ParseInt', text)
  if (digits.length > 19) return range('ParseInt', text)
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits)
  return BigInt.asIntN(64, value) === value ? { value } : range('ParseInt', text)
}

/** strconv.ParseBool */
export function parseBool(text: string): ParsedNumber<boolean> {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return { value: true }
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return { value: false }
  return syntax('ParseBool', text)
}

const DIGITS = '\\d(?:_?\\d)*'
const DECIMAL = new RegExp(`^[+-]?(?:${DIGITS}\\.?(?:${DIGITS})?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?$`)

/** strconv.ParseFloat(text, 64): decimals, hexadecimals, infinities, and underscores between digits. */
export function parseFloat64(text: string): ParsedNumber<number> {
  const special = /^([+-]?)(inf|infinity)$|^nan$/i.exec(text)
  if (special !== null) {
    if (special[2] === undefined) return { value: Number.NaN }
    return { value: special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY }
  }
  const hexadecimal = /^([+-]?)0[xX]([0-9a-fA-F_]*)(?:\.([0-9a-fA-F_]*))?[pP]([+-]?\d[\d_]*)$/.exec(text)
  if (hexadecimal !== null) return parseHexadecimal(text, hexadecimal)
  if (!DECIMAL.test(text)) return syntax('ParseFloat', text)
  const value = Number(text.replaceAll('_', ''))
  return Number.isFinite(value) ? { value } : range('ParseFloat', text)
}

function parseHexadecimal(text: string, match: RegExpExecArray): ParsedNumber<number> {
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match
  const digits = (whole + fraction).replaceAll('_', '')
  // Underscores stand between digits, or between the base and a digit.
  if (digits === '' || !/^[+-]?0x(?:_?[0-9a-f])*(?:\.(?:[0-9a-f](?:_?[0-9a-f])*)?)?p[+-]?\d(?:_?\d)*$/i.test(text))
    return syntax('ParseFloat', text)
  const power = Math.max(Math.min(Number(exponent.replaceAll('_', '')), 1e6), -1e6) - 4 * fraction.replaceAll('_', '').length
  const value = scale(BigInt(`0x${digits}`), power)
  if (!Number.isFinite(value)) return range('ParseFloat', text)
  return { value: sign === '-' ? -value : value }
}

/** mantissa × 2^power, rounded once, halves to even. */
function scale(mantissa: bigint, power: number): number {
  if (mantissa === 0n) return 0
  const length = mantissa.toString(2).length
  const top = length + power
  if (top > 1024) return Number.POSITIVE_INFINITY
  if (top < -1080) return 0
  // As many bits as a double keeps at this size.
  const kept = Math.min(53, top + 1074)
  const drop = length - kept
  if (drop <= 0) return Number(mantissa) * 2 ** Math.max(power, -1022) * 2 ** Math.min(power + 1022, 0)
  const shift = BigInt(drop)
  const rest = mantissa & ((1n << shift) - 1n)
  const half = 1n << (shift - 1n)
  let rounded = mantissa >> shift
  if (rest > half || (rest === half && (rounded & 1n) === 1n)) rounded++
  const exponent = power + drop
  return Number(rounded) * 2 ** Math.max(exponent, -1022) * 2 ** Math.min(exponent + 1022, 0)
}

/** int64(float64), as amd64 does it: what does not fit is the least of all. */
export function truncate(value: number): bigint {
  const whole = Math.trunc(value)
  return whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole) : -(2n ** 63n)
}
