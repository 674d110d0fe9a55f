import { Fault } from './fault.ts'
import { intFromBigInt, type Int } from './value.ts'

/** int64 and uint64 arithmetic on canonical numbers: plain numbers while the result is safe, big integers past that. */
const INT_MIN = -(2n ** 63n)
const INT_MAX = 2n ** 63n - 1n
const UINT_MAX = 2n ** 64n - 1n

const intOverflow = (): Fault => new Fault('integer overflow')
const uintOverflow = (): Fault => new Fault('unsigned integer overflow')

export function intFrom(value: bigint): Int {
  if (value < INT_MIN || value > INT_MAX) throw intOverflow()
  return intFromBigInt(value)
}

export function uintFrom(value: bigint): Int {
  if (value < 0n || value > UINT_MAX) throw uintOverflow()
  return intFromBigInt(value)
}

export function addInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return intFrom(BigInt(a) + BigInt(b))
}

export function subtractInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (Number.isSafeInteger(difference)) return difference
  }
  return intFrom(BigInt(a) - BigInt(b))
}

export function multiplyInts(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (Number.isSafeInteger(product)) return product + 0 // no negative zero
  }
  return intFrom(BigInt(a) * BigInt(b))
}

export function divideInts(a: Int, b: Int): Int {
  if (Number(b) === 0) throw new Fault('division by zero')
  // Taking the remainder off first keeps the division exact.
  if (typeof a === 'number' && typeof b === 'number') return (a - (a % b)) / b + 0
  return intFrom(BigInt(a) / BigInt(b))
}

export function remainderInts(a: Int, b: Int): Int {
  if (Number(b) === 0) throw new Fault('modulus by zero')
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0
  return intFrom(BigInt(a) % BigInt(b))
}

export function negateInt(a: Int): Int {
  return typeof a === 'number' ? 0 - a : intFrom(-a)
}

export const addUints = (a: Int, b: Int): Int => uintFrom(BigInt(a) + BigInt(b))
export const subtractUints = (a: Int, b: Int): Int => uintFrom(BigInt(a) - BigInt(b))
export const multiplyUints = (a: Int, b: Int): Int => uintFrom(BigInt(a) * BigInt(b))

/** An int from a double, truncated toward zero. */
export function intFromDouble(value: number): Int {
  // The bounds themselves are refused, as in cel-go: 2^63 is the nearest double to the largest int.
  if (!(value > -(2 ** 63) && value < 2 ** 63)) throw intOverflow()
  return intFromBigInt(BigInt(Math.trunc(value)))
}

export function uintFromDouble(value: number): Int {
  if (!(value >= 0 && value < 2 ** 64)) throw uintOverflow()
  return intFromBigInt(BigInt(Math.trunc(value)))
}
