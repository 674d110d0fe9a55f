import { Decimal } from '../value/decimal.ts'
import { Dynamic, isArray, isMap, type Value } from '../value/value.ts'

/** Nothing in it: what states of the older SDK hold where nothing was configured. */
export const isEmpty = (value: Value): boolean =>
  value === '' ||
  (isArray(value) && value.length === 0) ||
  (isMap(value) && value.size === 0) ||
  (value instanceof Dynamic && isEmpty(value.value))

export const isZero = (value: Value): boolean => value === false || (value instanceof Decimal && value.toString() === '0')
