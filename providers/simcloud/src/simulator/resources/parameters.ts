import { deepEqual, isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '@weft/api'
import type { FieldRule, FieldType } from '../../catalogue/simulated-kind.ts'
import type { FieldProblem } from '../../wire/error.ts'
import { valueAt, withValueAt } from './parameter-path.ts'

/** Fills in what the caller left to the cloud. A default whose place is taken by something else is left to validation. */
export function withDefaults(parameters: JsonObject, rules: readonly FieldRule[]): JsonObject {
  let result = parameters
  for (const rule of rules)
    if (rule.default !== undefined && valueAt(result, rule.path) === undefined)
      result = withValueAt(result, rule.path, rule.default) ?? result
  return result
}

/** Everything that is wrong with the parameters, not only the first thing. */
export function problemsOf(parameters: JsonObject, rules: readonly FieldRule[]): FieldProblem[] {
  return rules.flatMap((rule) => {
    const message = problemOf(valueAt(parameters, rule.path), rule)
    return message === undefined ? [] : [{ field: rule.path, message }]
  })
}

function problemOf(value: JsonValue | undefined, rule: FieldRule): string | undefined {
  if (value === undefined) return rule.required ? 'is required' : undefined
  if (!hasType(value, rule.type)) return `must be ${WORDS[rule.type]}; it is ${stringifyJson(value)}`
  if (rule.enum !== undefined && !rule.enum.some((allowed) => deepEqual(allowed, value)))
    return `must be one of ${rule.enum.map((allowed) => stringifyJson(allowed)).join(', ')}; it is ${stringifyJson(value)}`
  if (rule.minimum !== undefined && isNumber(value) && value < rule.minimum) return `must be at least ${rule.minimum}; it is ${value}`
  if (rule.maximum !== undefined && isNumber(value) && value > rule.maximum) return `must be at most ${rule.maximum}; it is ${value}`
  return undefined
}

const WORDS: Record<FieldType, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  scalar: 'a string or a number',
  object: 'an object',
  list: 'a list',
  any: 'anything',
}

function hasType(value: JsonValue, type: FieldType): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string' && value !== ''
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value)
    case 'number':
      return isNumber(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'scalar':
      return (typeof value === 'string' && value !== '') || isNumber(value)
    case 'object':
      return isJsonObject(value)
    case 'list':
      return Array.isArray(value)
    case 'any':
      return true
  }
}

const isNumber = (value: JsonValue): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'

/** Fields that may not differ once the resource exists. */
export function immutableChanges(before: JsonObject, after: JsonObject, rules: readonly FieldRule[]): FieldProblem[] {
  return rules
    .filter(({ immutable, path }) => immutable && !deepEqual(valueAt(before, path), valueAt(after, path)))
    .map(({ path }) => ({ field: path, message: 'cannot be changed once the resource exists' }))
}
