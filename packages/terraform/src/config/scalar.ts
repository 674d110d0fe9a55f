import { Decimal } from '../value/decimal.ts'
import type { Value } from '../value/value.ts'

const TEXTS: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false }

/**
 * A scalar as the provider wants it: texts, numbers and booleans stand for each other where one can be read as the other, as Terraform has it.
 * Undefined where it cannot.
 */
export function scalarOf(kind: 'string' | 'number' | 'bool', given: unknown): Value | undefined {
  switch (kind) {
    case 'string':
      if (typeof given === 'string') return given.normalize('NFC')
      if (typeof given === 'boolean') return String(given)
      return isNumber(given) ? Decimal.of(given).toString() : undefined
    case 'number':
      return numberOf(given)
    case 'bool':
      if (typeof given === 'boolean') return given
      return typeof given === 'string' && Object.hasOwn(TEXTS, given) ? TEXTS[given] : undefined
    default:
      return kind satisfies never
  }
}

/** Integers that a double would damage arrive as bigint. */
const isNumber = (given: unknown): given is number | bigint => typeof given === 'bigint' || Number.isFinite(given)

function numberOf(given: unknown): Decimal | undefined {
  if (!isNumber(given) && typeof given !== 'string') return undefined
  try {
    return Decimal.of(given)
  } catch {
    return undefined
  }
}

/** A number as JSON has it: digits in a text where a reader of JSON would damage it. */
export const jsonNumber = (value: Decimal): number | string => {
  const number = value.exactNumber()
  return number !== undefined && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : value.toString()
}

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n }

/** A number as the parameters of an object have it, whose fields take numbers: API servers keep every digit of an integer of 64 bits. */
export function givenNumber(value: Decimal): number | bigint | string {
  const integer = value.toBigInt()
  if (integer === undefined || Number.isSafeInteger(Number(integer)) || integer < INT64.min || integer > INT64.max)
    return value.exactNumber() ?? value.toString()
  return integer
}
