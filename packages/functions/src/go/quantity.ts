import { parseInt64 } from './parse-number.ts'
import type { Marshalled } from './json.ts'

const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 }
const NANO = 9
const MAX = 2n ** 63n - 1n

const WRONG = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const SUFFIX = "unable to parse quantity's suffix"
const NUMERIC = 'unable to parse numeric part of quantity'

/** resource.ParseQuantity and AsApproximateFloat64: a Kubernetes quantity as a float, with the rounding that Kubernetes has. */
export function quantityFloat(text: string): Marshalled<number> {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text)
  if (text === '' || match === null) return { error: WRONG }
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match
  const isNegative = sign === '-'
  const exponent = exponentOf(suffix)
  if (exponent === undefined) return { error: SUFFIX }
  const digits = whole.replace(/^0+/, '') || '0'
  const decimal = 'decimal' in exponent
  const fast = decimal ? fastDecimal(digits, fraction, exponent.decimal) : fastBinary(digits, fraction, exponent.binary)
  if (fast !== undefined) return { value: approximate(isNegative ? -fast.amount : fast.amount, fast.scale) }
  // A number without any digit is one only for those who read them one by one.
  if (whole === '' && fraction === '') return { error: NUMERIC }
  const slow = decimal ? slowDecimal(digits, fraction, exponent.decimal) : slowBinary(digits, fraction, exponent.binary)
  return { value: approximate(isNegative ? -slow.amount : slow.amount, slow.scale) }
}

function exponentOf(suffix: string): { decimal: number } | { binary: number } | undefined {
  if (Object.hasOwn(DECIMAL, suffix)) return { decimal: DECIMAL[suffix] as number }
  if (Object.hasOwn(BINARY, suffix)) return { binary: BINARY[suffix] as number }
  if (suffix.length < 2 || !/^[eE]/.test(suffix)) return undefined
  const parsed = parseInt64(suffix.slice(1))
  return 'value' in parsed ? { decimal: Number(BigInt.asIntN(32, parsed.value)) } : undefined
}

interface Amount {
  readonly amount: bigint
  /** × 10^scale */
  readonly scale: number
}

function fastDecimal(digits: string, fraction: string, exponent: number): Amount | undefined {
  const scale = exponent - fraction.length
  return digits.length + fraction.length <= 18 && scale >= -NANO ? { amount: BigInt(digits + fraction), scale } : undefined
}

function fastBinary(digits: string, fraction: string, exponent: number): Amount | undefined {
  if (fraction !== '' || 15 - digits.length - Math.trunc((exponent * 3) / 10) - 1 < 0) return undefined
  const amount = BigInt(digits) << BigInt(exponent)
  return amount <= MAX ? { amount, scale: 0 } : undefined
}

/** Beyond this every double is infinite, or nothing: no need to count the zeros. */
const FAR = 1000

function slowDecimal(digits: string, fraction: string, exponent: number): Amount {
  const scale = Math.max(Math.min(exponent, FAR), -FAR) - fraction.length
  return roundUp(BigInt(digits + fraction), scale)
}

function slowBinary(digits: string, fraction: string, exponent: number): Amount {
  const rounded = roundUp(BigInt(digits + fraction) << BigInt(exponent), -fraction.length)
  const limit = MAX * 10n ** BigInt(-rounded.scale)
  return rounded.amount > limit ? { amount: MAX, scale: 0 } : rounded
}

/** To nano, away from zero: whoever asks for something gets something. */
function roundUp(amount: bigint, scale: number): Amount {
  if (amount === 0n) return { amount, scale }
  if (scale >= -NANO) return { amount: amount * 10n ** BigInt(scale + NANO), scale: -NANO }
  const divisor = 10n ** BigInt(-scale - NANO)
  return { amount: (amount + divisor - 1n) / divisor, scale: -NANO }
}

const approximate = (amount: bigint, scale: number): number => (scale === 0 ? Number(amount) : Number(amount) * powerOfTen(scale))

/** math.Pow10 */
const powerOfTen = (exponent: number): number => (exponent < -323 ? 0 : exponent > 308 ? Number.POSITIVE_INFINITY : Number(`1e${exponent}`))
