import { getOwn } from '@weft/api'

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
      const keys = Object.keys(object).sort()
      return `map[${keys.map((key) => `${key}:${plainText(getOwn(object, key))}`).join(' ')}]`
    }
    default:
      return '<nil>'
  }
}

/** Shortest text of a float, with an exponent below 1e-4 and from 1e21 on, and at least two exponent digits: Go's `%v`. */
export function floatText(value: number): string {
  const [digits = '', exponent] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 21) return decimalText(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** Shortest text of a float that never uses an exponent. */
export function decimalText(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  const [mantissa = '', exponent] = value.toExponential().split('e')
  const negative = mantissa.startsWith('-') ? '-' : ''
  const digits = mantissa.replace(/[-.]/g, '')
  const point = Number(exponent) + 1
  if (point <= 0) return `${negative}0.${'0'.repeat(-point)}${digits}`
  return `${negative}${digits.padEnd(point, '0')}`
}

/** An int64 as a number where that is exact, else as a bigint; undefined when it does not fit 64 bits. */
export function int64(value: bigint): number | bigint | undefined {
  if (BigInt.asIntN(64, value) !== value) return undefined
  const narrow = Number(value)
  return Number.isSafeInteger(narrow) ? narrow : value
}
