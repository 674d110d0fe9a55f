import { ValueError } from './value-error.ts'

/** 1e400 is a number, 1e999999999 an attack: written out it would fill the memory. */
const LARGEST_EXPONENT = 10_000
const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/

/**
 * An exact decimal number, coefficient × 10^exponent, in its only form: the coefficient does not end in 0. A float64 is the shortest decimal
 * that means it, so that 1.1 as a float and "1.1" as text are equal, as they are to Terraform.
 */
export class Decimal {
  static readonly ZERO: Decimal = new Decimal(0n, 0)
  readonly coefficient: bigint
  readonly exponent: number

  private constructor(coefficient: bigint, exponent: number) {
    this.coefficient = coefficient
    this.exponent = exponent
  }

  static of(value: number | bigint | string): Decimal {
    if (typeof value === 'bigint') return normal(value, 0)
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new ValueError('a number is infinite or not a number')
      return Number.isSafeInteger(value) ? normal(BigInt(value), 0) : Decimal.of(String(value))
    }
    const match = FORM.exec(value)
    const [, sign = '', whole = '', fraction = '', power = '0'] = match ?? []
    if (match === null || whole.length + fraction.length === 0) throw new ValueError('a text that should be a number is not one')
    if (whole.length + fraction.length > LARGEST_EXPONENT || Math.abs(Number(power)) > LARGEST_EXPONENT)
      throw new ValueError(`a number has more than ${LARGEST_EXPONENT} digits`)
    const digits = BigInt(whole + fraction)
    return normal(sign === '-' ? -digits : digits, Number(power) - fraction.length)
  }

  /** For the one function that makes the normal form. */
  static fromNormal(coefficient: bigint, exponent: number): Decimal {
    return coefficient === 0n ? Decimal.ZERO : new Decimal(coefficient, exponent)
  }

  get isInteger(): boolean {
    return this.exponent >= 0
  }

  /** The integer, or undefined where there is a fraction. */
  toBigInt(): bigint | undefined {
    return this.isInteger ? this.coefficient * 10n ** BigInt(this.exponent) : undefined
  }

  /** The nearest float64; `exactNumber` tells whether it is the same number. */
  toNumber(): number {
    return Number(`${this.coefficient}e${this.exponent}`)
  }

  /** A JavaScript number that prints as the same decimal, or undefined. */
  exactNumber(): number | undefined {
    const number = this.toNumber()
    return Number.isFinite(number) && Decimal.of(number).equals(this) ? number : undefined
  }

  equals(other: Decimal): boolean {
    return this.coefficient === other.coefficient && this.exponent === other.exponent
  }

  compare(other: Decimal): number {
    const least = Math.min(this.exponent, other.exponent)
    const a = this.coefficient * 10n ** BigInt(this.exponent - least)
    const b = other.coefficient * 10n ** BigInt(other.exponent - least)
    return a < b ? -1 : a > b ? 1 : 0
  }

  /** All digits, never an exponent: what Terraform writes, and JSON takes. */
  toString(): string {
    const integer = this.toBigInt()
    if (integer !== undefined) return String(integer)
    const sign = this.coefficient < 0n ? '-' : ''
    const digits = String(this.coefficient < 0n ? -this.coefficient : this.coefficient).padStart(1 - this.exponent, '0')
    return `${sign}${digits.slice(0, this.exponent)}.${digits.slice(this.exponent)}`
  }
}

/** Takes the zeros off, many at a time: a number of thousands of digits must not cost thousands of divisions of it. */
function normal(coefficient: bigint, exponent: number): Decimal {
  if (coefficient === 0n) return Decimal.ZERO
  const zeros = /0*$/.exec(String(coefficient))?.[0].length ?? 0
  return Decimal.fromNormal(zeros === 0 ? coefficient : coefficient / 10n ** BigInt(zeros), exponent + zeros)
}
