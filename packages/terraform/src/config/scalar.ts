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
      return typeof given === 'number' && Number.isFinite(given) ? Decimal.of(given).toString() : undefined
    case 'number':
      return numberOf(given)
    case 'bool':
      if (typeof given === 'boolean') return given
      return typeof given === 'string' && Object.hasOwn(TEXTS, given) ? TEXTS[given] : undefined
    default:
      return kind satisfies never
  }
}

function numberOf(given: unknown): Decimal | undefined {
  if (typeof given !== 'number' && typeof given !== 'string') return undefined
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
