import { childPath, getOwn, indexPath, isJsonObject, type JsonObject } from '@weft/api'
import type { Tell } from './loss.ts'

const OPERANDS = { Multiply: 'multiply', ClampMin: 'clampMin', ClampMax: 'clampMax' } as const
type Operation = keyof typeof OPERANDS

/** Undefined: one of them cannot be said, and the patch would write something else without it. `input`: the type of what is read, where it is known. */
export function transformsToCrossplane(
  transforms: readonly JsonObject[],
  input: string | undefined,
  { path, tell }: { path: string; tell: Tell },
): readonly JsonObject[] | undefined {
  const result: JsonObject[] = []
  let type = input
  for (const [i, transform] of transforms.entries()) {
    const at = indexPath(path, i)
    // Weft looks numbers and booleans up by their text; the function takes text only.
    if (transform['type'] === 'map' && type !== 'string') result.push({ type: 'convert', convert: { toType: 'string' } })
    const made = toCrossplane(transform, at, tell)
    if (made === undefined) return undefined
    result.push(made)
    type = typeAfter(made, type)
  }
  return result
}

function typeAfter(transform: JsonObject, before: string | undefined): string | undefined {
  if (transform['type'] === 'string') return 'string'
  if (transform['type'] === 'math') return before === 'integer' ? 'integer' : 'number'
  if (transform['type'] !== 'convert') return undefined
  return getOwn(configOf(transform), 'toType') === 'string' ? 'string' : undefined
}

const configOf = (transform: JsonObject): JsonObject => {
  const config = getOwn(transform, String(transform['type']))
  return isJsonObject(config) ? config : {}
}

function toCrossplane(transform: JsonObject, path: string, tell: Tell): JsonObject | undefined {
  const { type } = transform
  const config = configOf(transform)
  if (type === 'string') return { type, string: { type: 'Format', ...config } } as JsonObject
  if (type === 'math') {
    const operation = operationOf(config)
    const operand = getOwn(config, OPERANDS[operation])
    if (typeof operand === 'bigint' || Number.isSafeInteger(operand))
      return { type, math: { type: operation, [OPERANDS[operation]]: operand } } as JsonObject
    tell(
      childPath(path, `math.${OPERANDS[operation]}`),
      `function-patch-and-transform calculates with whole numbers only, not with ${String(operand)}: the patch is left out`,
    )
    return undefined
  }
  if (type !== 'match') return { type, [String(type)]: getOwn(transform, String(type)) } as JsonObject
  const patterns = listOf(getOwn(config, 'patterns'))
  if (patterns.length > 0)
    return { type, match: { ...config, patterns: patterns.map((pattern) => ({ type: 'literal', ...pattern })) } } as JsonObject
  tell(childPath(path, 'match.patterns'), 'function-patch-and-transform requires at least one pattern: the patch is left out')
  return undefined
}

function operationOf(math: JsonObject): Operation {
  const given = (Object.keys(OPERANDS) as Operation[]).filter((type) => (getOwn(math, OPERANDS[type]) ?? undefined) !== undefined)
  return (getOwn(math, 'type') as Operation | undefined) ?? (given.length === 1 ? (given[0] as Operation) : 'Multiply')
}

/** Weft knows every transform of the function; what it takes for granted is left out. */
export function transformToWeft(transform: JsonObject): JsonObject {
  const config = configOf(transform)
  const { type: kind, ...rest } = config
  if (transform['type'] === 'string' && kind === 'Format') return { type: 'string', string: rest }
  if (transform['type'] === 'math' && Object.keys(rest).length === 1) return { type: 'math', math: rest }
  return transform
}

export const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
