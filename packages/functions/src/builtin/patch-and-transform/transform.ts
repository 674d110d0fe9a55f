import { GoError, must, wrapping } from '../../go/go-error.ts'
import { truncate } from '../../go/parse-number.ts'
import { sprintf } from '../../go/sprintf.ts'
import { type GoValue, typeName } from '../../go/value.ts'
import { convertValue } from './convert.ts'
import type { MatchPattern, MatchTransform, MathTransform, Transform } from './input.ts'
import { compileRegexp, matches } from './regexp.ts'
import { transformString } from './string-transform.ts'
import { validateMath } from './validate-transform.ts'

/** A value after all transforms, in order. Values from the input are floats, as everything that encoding/json reads. */
export function applyTransforms(transforms: readonly Transform[] | undefined, input: GoValue): GoValue {
  let value = input
  transforms?.forEach((transform, i) => {
    value = wrapping(`transform at index ${i} returned error`, () => applyTransform(transform, value))
  })
  return value
}

function applyTransform(transform: Transform, input: GoValue): GoValue {
  const { type = '', math, map, match, string, convert } = transform
  const doing = `${type} transform could not resolve`
  const missing = (): never => {
    throw new GoError(`given transform type ${type} requires configuration`)
  }
  switch (type) {
    case 'math':
      return math === undefined ? missing() : wrapping(doing, () => calculate(math, input))
    case 'map':
      return map === undefined ? missing() : wrapping(doing, () => lookUp(map, input))
    case 'match':
      return match === undefined ? missing() : wrapping(doing, () => matchValue(match, input))
    case 'string':
      return string === undefined ? missing() : wrapping(doing, () => transformString(string, input))
    case 'convert':
      return convert === undefined ? missing() : wrapping(doing, () => convertValue(convert, input))
    default:
      throw new GoError(`transform type ${type} is not supported`)
  }
}

function calculate(math: MathTransform, input: GoValue): GoValue {
  validateMath(math, '')
  if (typeof input !== 'bigint' && typeof input !== 'number')
    throw new GoError(`input is required to be a number for math transformer, got ${typeName(input)}`)
  if (math.type === 'Multiply') {
    const factor = math.multiply as bigint
    return typeof input === 'bigint' ? BigInt.asIntN(64, input * factor) : input * Number(factor)
  }
  const whole = typeof input === 'bigint' ? input : truncate(input)
  if (math.type === 'ClampMin') return whole < (math.clampMin as bigint) ? (math.clampMin as bigint) : input
  return whole > (math.clampMax as bigint) ? (math.clampMax as bigint) : input
}

function lookUp(pairs: Readonly<Record<string, GoValue>>, input: GoValue): GoValue {
  if (typeof input !== 'string') throw new GoError(`type ${typeName(input)} is not supported for map transform`)
  if (!Object.hasOwn(pairs, input)) throw new GoError(`key ${input} is not found in map`)
  const value = pairs[input] as GoValue
  // A pair whose value is null holds no JSON at all.
  if (value === null) throw new GoError(`value for key ${input} is not valid JSON: unexpected end of JSON input`)
  return value
}

function matchValue({ patterns = [], fallbackTo, fallbackValue }: MatchTransform, input: GoValue): GoValue {
  for (const [i, pattern] of patterns.entries()) {
    if (wrapping(`cannot match pattern at index ${i}`, () => isMatch(pattern, input))) return pattern.result ?? null
  }
  if (fallbackTo !== 'Input') return fallbackValue ?? null
  if (fallbackValue !== undefined) throw new GoError('cannot set both a fallback value and the fallback to input flag')
  return input
}

function isMatch({ type = '', literal, regexp }: MatchPattern, input: GoValue): boolean {
  if (type === 'literal') {
    if (literal === undefined) throw new GoError('literal is required by type literal')
    if (typeof input !== 'string') throw new GoError(`unsupported input type '${typeName(input)}'`)
    return input === literal
  }
  if (type !== 'regexp') throw new GoError(`unsupported pattern type '${type}'`)
  if (regexp === undefined) throw new GoError('regexp is required by type regexp')
  const pattern = wrapping('cannot compile regexp', () => must(compileRegexp(regexp)))
  if (typeof input !== 'string') throw new GoError(`unsupported input type '${input === null ? 'null' : typeName(input)}'`)
  return matches(pattern, input)
}

/** The one strategy of Combine. */
export const combineStrings = (format: string, values: readonly GoValue[]): string => sprintf(format, ...values)
