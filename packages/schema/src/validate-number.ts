import { invalid } from './messages.ts'
import type { SchemaNode } from './node.ts'
import { formatFloat, kindOf } from './values.ts'
import type { Walk } from './walk.ts'

const EPSILON = 1e-9
const MAX_INT64 = 2 ** 63

/** A float that an `integer` accepts: whole within a billionth of itself, and small enough to be exact. */
export function isIntegerLike(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false
  if (Number.isInteger(value)) return true
  // Compared with the integer below it, as kube-apiserver does: 0.9999999999 is not 1.
  const whole = Math.trunc(value)
  if (whole <= 0) return false
  return (value - whole) / (value + whole) < EPSILON
}

/** Range of the format, then multipleOf, minimum, maximum. Limits that do not fit the type are errors of their own. */
export function checkNumber(node: SchemaNode, value: number | bigint, walk: Walk): void {
  const type = node.types.length === 1 ? (node.types[0] ?? '') : ''
  const format = isNumericFormat(type, node.format) ? node.format : ''
  const scope: NumberScope = { type, format, walk }
  const isInteger = kindOf(value) === 'integer'
  checkRange(scope, value, 'Checked')
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node.schema
  if (multipleOf !== undefined) {
    const isNative = checkRange(scope, multipleOf, 'MultipleOf') && isInteger
    checkMultiple(scope, value, isNative ? truncate(multipleOf) : multipleOf)
  }
  if (minimum !== undefined) {
    // An integer is compared with the limit cut to an integer: `minimum: 1.5` accepts 1.
    const limit = checkRange(scope, minimum, 'Minimum boundary') && isInteger ? truncate(minimum) : minimum
    const ok = exclusiveMinimum === true ? value > limit : value >= limit
    if (!ok) fail(scope, value, `should be greater than ${exclusiveMinimum === true ? '' : 'or equal to '}${formatLimit(limit)}`)
  }
  if (maximum !== undefined) {
    const limit = checkRange(scope, maximum, 'Maximum boundary') && isInteger ? truncate(maximum) : maximum
    const ok = exclusiveMaximum === true ? value < limit : value <= limit
    if (!ok) fail(scope, value, `should be less than ${exclusiveMaximum === true ? '' : 'or equal to '}${formatLimit(limit)}`)
  }
}

interface NumberScope {
  readonly type: string
  readonly format: string
  readonly walk: Walk
}

const isNumericFormat = (type: string, format: string): boolean =>
  type === 'integer' ? format === 'int32' || format === 'int64' : type === 'number' && (format === 'float' || format === 'double')

function checkRange({ type, format, walk }: NumberScope, value: number | bigint, what: string): boolean {
  if (fitsRange(value, type, format)) return true
  walk.failAtBase(`${what} value must be of type ${type} ${format === '' ? '(default format)' : `with format ${format}`} in ${walk.name}`)
  return false
}

function fitsRange(value: number | bigint, type: string, format: string): boolean {
  if (type === 'integer') {
    if (typeof value === 'number' && !Number.isInteger(value)) return false
    if (format === 'int32') return value >= -2147483648 && value <= 2147483647
    return value >= -MAX_INT64 && value < MAX_INT64
  }
  // The largest float32, plus half a step of rounding.
  return format !== 'float' || Math.abs(Number(value)) < 3.4028235677973366e38
}

/** The limit as an int64; beyond 2^53 as a bigint, so that comparing and printing are exact. */
function truncate(limit: number): number | bigint {
  const whole = Math.trunc(limit)
  if (Number.isSafeInteger(whole)) return whole
  return whole >= MAX_INT64 ? 9223372036854775807n : whole <= -MAX_INT64 ? -9223372036854775808n : BigInt(whole)
}

const formatLimit = (limit: number | bigint): string => (typeof limit === 'bigint' ? limit.toString() : formatFloat(limit))

function checkMultiple(scope: NumberScope, value: number | bigint, factor: number | bigint): void {
  if (factor <= 0) {
    const name = scope.walk.name
    scope.walk.errors.push(
      invalid(scope.walk.path(name), factor, `factor MultipleOf declared for ${name} must be positive: ${formatLimit(factor)}`),
    )
    return
  }
  if (!isMultiple(value, factor)) fail(scope, value, `should be a multiple of ${formatLimit(factor)}`)
}

function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (isWhole(value) && isWhole(factor)) {
    return typeof value === 'number' && typeof factor === 'number' ? value % factor === 0 : BigInt(value) % BigInt(factor) === 0n
  }
  return isQuotientWhole(Number(value), Number(factor))
}

const isWhole = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isInteger(value)

function isQuotientWhole(value: number, factor: number): boolean {
  return isIntegerLike(factor < 1 ? (1 / factor) * value : value / factor)
}

function fail({ walk }: NumberScope, value: number | bigint, why: string): void {
  const name = walk.name
  walk.errors.push(invalid(walk.path(name), value, `${name} in body ${why}`))
}
