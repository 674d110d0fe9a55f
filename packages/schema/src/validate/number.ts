import { invalid } from '../messages.ts'
import type { SchemaNode } from '../node.ts'
import { Float, formatFloat, kindOf } from '../values.ts'
import type { Walk } from '../walk.ts'

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
  checkRange(scope, value, 'Checked')
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node.schema
  if (multipleOf !== undefined) checkMultiple(scope, comparable(scope, value, multipleOf, 'MultipleOf'))
  if (minimum !== undefined) {
    const { value: actual, limit } = comparable(scope, value, minimum, 'Minimum boundary')
    const ok = exclusiveMinimum === true ? value > limit : value >= limit
    if (!ok) fail(scope, actual, `should be greater than ${exclusiveMinimum === true ? '' : 'or equal to '}${formatLimit(limit, actual)}`)
  }
  if (maximum !== undefined) {
    const { value: actual, limit } = comparable(scope, value, maximum, 'Maximum boundary')
    const ok = exclusiveMaximum === true ? value < limit : value <= limit
    if (!ok) fail(scope, actual, `should be less than ${exclusiveMaximum === true ? '' : 'or equal to '}${formatLimit(limit, actual)}`)
  }
}

interface Comparable {
  /** As it is printed: a float when kube-apiserver compares floats. */
  readonly value: number | bigint | Float
  readonly limit: number | bigint
}

// An integer is compared with the limit cut to an integer (`minimum: 1.5` accepts 1) unless the declared type refuses
// such a limit; then, and for floats, floats are compared.
function comparable(scope: NumberScope, value: number | bigint, limit: number, what: string): Comparable {
  const number = Number(limit) // a long limit in an undecoded schema is a bigint
  const fits = checkRange(scope, number, what)
  return fits && kindOf(value) === 'integer' ? { value, limit: truncate(number) } : { value: new Float(Number(value)), limit: number }
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

const formatLimit = (limit: number | bigint, value: number | bigint | Float): string =>
  value instanceof Float ? formatFloat(Number(limit)) : String(limit)

function checkMultiple(scope: NumberScope, { value, limit: factor }: Comparable): void {
  if (factor <= 0) {
    const name = scope.walk.name
    const why = `factor MultipleOf declared for ${name} must be positive: ${formatLimit(factor, value)}`
    scope.walk.errors.push(invalid(scope.walk.path(name), value instanceof Float ? new Float(Number(factor)) : factor, why))
    return
  }
  const ok = value instanceof Float ? isQuotientWhole(value.value, Number(factor)) : isMultiple(value, factor)
  if (!ok) fail(scope, value, `should be a multiple of ${formatLimit(factor, value)}`)
}

function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  return typeof value === 'number' && typeof factor === 'number' ? value % factor === 0 : BigInt(value) % BigInt(factor) === 0n
}

function isQuotientWhole(value: number, factor: number): boolean {
  return isIntegerLike(factor < 1 ? (1 / factor) * value : value / factor)
}

function fail({ walk }: NumberScope, value: number | bigint | Float, why: string): void {
  const name = walk.name
  walk.errors.push(invalid(walk.path(name), value, `${name} in body ${why}`))
}
