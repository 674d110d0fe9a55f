import { childPath, field, type JsonObject } from '@weft/api'
import { choice, type Errors, optionalNumber } from '../document.ts'
import { failure, type Result, success } from '../result.ts'
import type { TransformReader } from './transform.ts'
import { aKind, int64, kindOf } from './value.ts'

const TYPES = ['Multiply', 'ClampMin', 'ClampMax'] as const
const FIELDS = { Multiply: 'multiply', ClampMin: 'clampMin', ClampMax: 'clampMax' } as const

/**
 * `math`: `multiply`, `clampMin`, `clampMax`. Without `type`, the one operation given is meant (the seeds write only `multiply`).
 * Integers stay integers, to the full 64 bits; what does not fit is an error, not a wrapped number.
 */
export const readMath: TransformReader = (config, path, errors) => {
  const given = TYPES.filter((type) => config[FIELDS[type]] !== undefined && config[FIELDS[type]] !== null)
  const type = choice(config, 'type', { path, errors, allowed: TYPES, fallback: given.length === 1 ? given[0] : 'Multiply' })
  if (type === undefined) return undefined
  const operand = readOperand(config, FIELDS[type], path, errors)
  if (operand === undefined) return undefined
  return (input) => {
    const kind = kindOf(input)
    if (kind !== 'integer' && kind !== 'number') return failure('TransformFailed', `takes a number, but the value is ${aKind(input)}`)
    const number = input as number | bigint
    if (type === 'Multiply') return multiply(number, operand)
    const beyond = type === 'ClampMin' ? number < operand : number > operand
    return success(beyond ? operand : number)
  }
}

function readOperand(config: JsonObject, name: string, path: string, errors: Errors): number | bigint | undefined {
  const before = errors.length
  const value = optionalNumber(config, name, path, errors)
  if (value === undefined && errors.length === before) errors.push(field.required(childPath(path, name)))
  return value
}

function multiply(a: number | bigint, b: number | bigint): Result<unknown> {
  if (kindOf(a) === 'integer' && kindOf(b) === 'integer') {
    const product = Number(a) * Number(b)
    if (Number.isSafeInteger(product)) return success(product)
    const exact = int64(BigInt(a) * BigInt(b))
    return exact === undefined ? failure('TransformFailed', `${a} times ${b} does not fit a 64-bit integer`) : success(exact)
  }
  const product = Number(a) * Number(b)
  return Number.isFinite(product) ? success(product) : failure('TransformFailed', `${a} times ${b} is too large`)
}
