import { NANO, parseQuantity } from '@weft/api'

/** An amount of something, exact to a billionth, and the way in which it was written (Go's resource.Quantity). */
export interface Quantity {
  readonly nanos: bigint
  readonly format: QuantityFormat
}

export type QuantityFormat = 'decimal' | 'binary' | 'exponent'

const MILLI = 1_000_000n
/** Of what is written with binary suffixes Kubernetes keeps no more than fits into 64 bits. */
const LARGEST = (2n ** 63n - 1n) * NANO
const DECIMAL_SUFFIXES: ReadonlyMap<number, string> = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
])
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** Of what was checked when it was written. */
export function quantityOf(value: unknown): Quantity {
  const quantity = readQuantity(String(value))
  return 'error' in quantity ? ZERO : quantity
}

export const ZERO: Quantity = { nanos: 0n, format: 'decimal' }
export const whole = (count: number): Quantity => ({ nanos: BigInt(count) * NANO, format: 'decimal' })

/** The amount, or why the text is none. */
export function readQuantity(text: string): Quantity | { readonly error: string } {
  const nanos = parseQuantity(text)
  if (typeof nanos !== 'bigint') return nanos
  const format = text.endsWith('i') ? 'binary' : /[eE][-+]?\d/.test(text) ? 'exponent' : 'decimal'
  return { nanos: format === 'binary' && nanos > LARGEST ? LARGEST : nanos, format }
}

/**
 * Whether Go keeps the text as it was written, because it takes it to be canonical: it does not look at leading zeros, a
 * plus sign or, where they make thousandths, zeros at the end of a fraction.
 */
export function isKeptAsWritten(text: string): boolean {
  const [, whole = '', decimals = '', suffix = ''] = /^[+-]?0*(\d*)(?:\.(\d*))?(\D.*)?$/.exec(text) ?? []
  const power = BINARY_SUFFIXES.indexOf(suffix)
  if (power > 0) return decimals === '' && whole.length + power * 3 <= 14 && BigInt(whole || '0') % 8n !== 0n
  const digits = (whole || '0') + decimals
  const scale = exponentOf(suffix) - decimals.length
  return digits.length <= 18 && scale >= -9 && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0')
}

function exponentOf(suffix: string): number {
  for (const [exponent, text] of DECIMAL_SUFFIXES) if (text === suffix) return exponent
  return Number(suffix.slice(1))
}

/** As Go writes it: no fraction, and the largest suffix that allows that. */
export function formatQuantity({ nanos, format }: Quantity): string {
  const bare = nanos > -1024n * NANO && nanos < 1024n * NANO
  return format === 'binary' && !bare && nanos % NANO === 0n ? binaryText(nanos / NANO) : decimalText(nanos, format)
}

function binaryText(value: bigint): string {
  let power = 0
  while (power < BINARY_SUFFIXES.length - 1 && value % 1024n === 0n) {
    value /= 1024n
    power++
  }
  return `${value}${BINARY_SUFFIXES[power]}`
}

function decimalText(nanos: bigint, format: QuantityFormat): string {
  if (nanos === 0n) return '0'
  let exponent = -9
  while ((exponent < 18 || format === 'exponent') && nanos % 1000n === 0n) {
    nanos /= 1000n
    exponent += 3
  }
  if (format === 'exponent') return exponent === 0 ? String(nanos) : `${nanos}e${exponent}`
  return `${nanos}${DECIMAL_SUFFIXES.get(exponent) ?? ''}`
}

/** A sum is written as the first of its parts that is not zero. */
export const plus = (a: Quantity, b: Quantity): Quantity => ({ nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format })
export const minus = (a: Quantity, b: Quantity): Quantity => ({ nanos: a.nanos - b.nanos, format: a.nanos === 0n ? b.format : a.format })
/** Kubernetes keeps resources to a thousandth, and rounds up. */
export const toMilli = ({ nanos, format }: Quantity): Quantity => ({ nanos: nanos + ((MILLI - (nanos % MILLI)) % MILLI), format })
