import { compareText, getOwn } from '@weft/api'

/** The types a transform tells apart. JSON does not keep `1.0` from `1`, so a whole number is always an integer. */
export type ValueKind = 'null' | 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'object'

export function kindOf(value: unknown): ValueKind {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return typeof value as 'string' | 'boolean'
    case 'bigint':
      return 'integer'
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : 'number'
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'list' : 'object'
    default:
      return 'null'
  }
}

/**
 * The longest text a transform may make. No API server takes a larger object, and transforms that double their input could otherwise be
 * stacked until memory is gone.
 */
export const MAX_TEXT_LENGTH = 1_500_000

/** The kind with its article, for messages: "a list", "an object". */
export function aKind(value: unknown): string {
  const kind = kindOf(value)
  return kind === 'null' ? 'null' : `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}

/** The text of any JSON value as Go's `%v` prints it: `map[a:1 b:2]`, `[1 2]`, `<nil>`. */
export function plainText(value: unknown): string {
  switch (kindOf(value)) {
    case 'string':
      return value as string
    case 'integer':
    case 'boolean':
      return String(value)
    case 'number':
      return floatText(value as number)
    case 'list':
      return `[${(value as readonly unknown[]).map(plainText).join(' ')}]`
    case 'object': {
      const object = value as object
      const keys = Object.keys(object).sort(compareText)
      return `map[${keys.map((key) => `${key}:${plainText(getOwn(object, key))}`).join(' ')}]`
    }
    default:
      return '<nil>'
  }
}

/**
 * A float as Go's `%g` and `%v` print it: the fewest digits that tell it apart (or `precision` of them), with an exponent of at least two
 * digits when it is below 1e-4 or has more whole digits than six (or than the precision).
 */
export function floatText(value: number, precision?: number): string {
  const wanted = precision === undefined ? undefined : Math.min(Math.max(precision, 1), 40)
  const [mantissa = '', exponent] = (wanted === undefined ? value.toExponential() : exponentialText(value, wanted - 1)).split('e')
  const digits = mantissa.replace(/[-.]/g, '').replace(/(?<=.)0+$/, '')
  const power = Number(exponent)
  const wholeFits = wanted !== undefined && wanted > digits.length && digits.length > power
  const limit = wanted === undefined ? 6 : wholeFits ? digits.length : wanted
  const sign = mantissa.startsWith('-') ? '-' : ''
  if (power >= -4 && power < limit) return sign + pointed(digits, power)
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
  return `${sign}${digits.slice(0, 1)}${fraction}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** Shortest text of a float that never uses an exponent. */
export function decimalText(value: number): string {
  const [mantissa = '', exponent] = value.toExponential().split('e')
  return (mantissa.startsWith('-') ? '-' : '') + pointed(mantissa.replace(/[-.]/g, ''), Number(exponent))
}

/** A float with exactly `places` decimals (at most 40). */
export function fixedText(value: number, places: number): string {
  if (Math.abs(value) >= 1e21) return BigInt(value).toString() + (places > 0 ? `.${'0'.repeat(places)}` : '')
  return evenHalf(value.toFixed(places + GUARD)) ?? value.toFixed(places)
}

/** A float with one whole digit, exactly `places` decimals (at most 40) and an exponent, as JavaScript writes it. */
export function exponentialText(value: number, places: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(places + GUARD).split('e')
  const kept = evenHalf(mantissa)
  return kept === undefined ? value.toExponential(places) : `${kept}e${exponent}`
}

/** Enough digits beyond those wanted to show that a number is exactly half way: such a number is a short binary fraction. */
const GUARD = 60

/**
 * Go rounds halves to even, JavaScript away from zero. Given a text with GUARD digits too many: what is left of it when the rest is exactly half and
 * the last digit before it even; otherwise undefined, and both round alike.
 */
function evenHalf(exact: string): string | undefined {
  const kept = exact.slice(0, exact.length - GUARD)
  return /^50*$/.test(exact.slice(-GUARD)) && /[02468]\.?$/.test(kept) ? kept.replace(/\.$/, '') : undefined
}

/** Digits with the decimal point after the first `power + 1` of them. */
function pointed(digits: string, power: number): string {
  if (power < 0) return `0.${'0'.repeat(-power - 1)}${digits}`
  const whole = digits.slice(0, power + 1).padEnd(power + 1, '0')
  return digits.length > power + 1 ? `${whole}.${digits.slice(power + 1)}` : whole
}

/** An int64 as a number where that is exact, else as a bigint; undefined when it does not fit 64 bits. */
export function int64(value: bigint): number | bigint | undefined {
  if (BigInt.asIntN(64, value) !== value) return undefined
  const narrow = Number(value)
  return Number.isSafeInteger(narrow) ? narrow : value
}
