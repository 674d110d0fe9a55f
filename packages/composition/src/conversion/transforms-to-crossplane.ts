import { childPath, getOwn, indexPath, isJsonObject, type JsonObject } from '@weft/api'
import { formatToCrossplane, hasVerb } from './format-to-crossplane.ts'
import type { Tell } from './loss.ts'
import { joinedTail } from './joined-tail.ts'
import { listOf } from './list-of.ts'

const OPERANDS = { Multiply: 'multiply', ClampMin: 'clampMin', ClampMax: 'clampMax' } as const
type Operation = keyof typeof OPERANDS

/** A value on its way, as far as it is known: a type of a schema. */
interface Passing {
  readonly type: string | undefined
  /**
   * The function holds numbers as fractions until they are converted, whatever the schema says: `%d` would print an error, `%v` 1e+06.
   * Undefined: now so, now so.
   */
  readonly isWhole: boolean | undefined
}

/** Undefined: one of them cannot be said, and the patch would write something else without it. `input`: the type of what is read, where it is known. */
export function transformsToCrossplane(
  transforms: readonly JsonObject[],
  input: string | undefined,
  { path, tell }: { path: string; tell: Tell },
): readonly JsonObject[] | undefined {
  const result: JsonObject[] = []
  let value: Passing = { type: input, isWhole: false }
  for (const [i, transform] of transforms.entries()) {
    const made = toCrossplane(transform, value, { path: indexPath(path, i), tell })
    if (made === undefined) return undefined
    result.push(...made)
    value = after(transform, value)
  }
  return result
}

const configOf = (transform: JsonObject): JsonObject => {
  const config = getOwn(transform, String(transform['type']))
  return isJsonObject(config) ? config : {}
}

const typeOfString = (config: JsonObject): string => String(getOwn(config, 'type') ?? 'Format')

function after(transform: JsonObject, before: Passing): Passing {
  const config = configOf(transform)
  switch (transform['type']) {
    case 'string':
      return { type: 'string', isWhole: false }
    case 'math':
      // A bound is whole, what is within is as it was.
      return {
        type: before.type === 'integer' ? 'integer' : 'number',
        isWhole: operationOf(config) === 'Multiply' || before.isWhole ? before.isWhole : undefined,
      }
    case 'convert':
      return afterConversion(String(getOwn(config, 'toType')), before)
    case 'map':
      return { type: typeOfAll(Object.values(config)), isWhole: false }
    default: {
      const results = listOf(getOwn(config, 'patterns')).map((pattern) => pattern['result'])
      const other = getOwn(config, 'fallbackTo') === 'Input' ? [] : [getOwn(config, 'fallbackValue')]
      return { type: typeOfAll([...results, ...other]), isWhole: false }
    }
  }
}

function afterConversion(toType: string, before: Passing): Passing {
  if (toType === 'int' || toType === 'int64') return { type: 'integer', isWhole: true }
  // What is whole stays so here, and prints as such.
  if (toType === 'float64') return { type: before.type === 'integer' ? 'integer' : 'number', isWhole: false }
  return { type: toType === 'bool' ? 'boolean' : toType, isWhole: false }
}

/** Of results that are a text here and a number there nothing can be said. */
const MIXED = 'mixed'

function typeOfAll(values: readonly unknown[]): string {
  const types = new Set(values.map((value) => (Number.isSafeInteger(value) ? 'integer' : typeof value)))
  const [type = MIXED] = types
  return types.size === 1 && ['string', 'integer', 'number', 'boolean'].includes(type) ? type : MIXED
}

interface Place {
  readonly path: string
  readonly tell: Tell
}

const converted = (toType: string): JsonObject => ({ type: 'convert', convert: { toType } })
const isNumber = ({ type }: Passing): boolean => type === 'integer' || type === 'number'

/** With what has to happen before it, and after it. */
function toCrossplane(transform: JsonObject, value: Passing, place: Place): readonly JsonObject[] | undefined {
  const { type } = transform
  const config = configOf(transform)
  const isPrinted = type === 'string' || (type === 'convert' && config['format'] === 'quantity')
  if (isPrinted && value.type === MIXED) {
    place.tell(
      childPath(place.path, String(type)),
      'function-patch-and-transform treats numbers differently from text, and the previous transform produces both: the patch is left out',
    )
    return undefined
  }
  switch (type) {
    case 'string':
      return stringToCrossplane(config, value, place)
    case 'math': {
      const made = mathToCrossplane(config, place)
      return made && [made]
    }
    case 'convert':
      return convertToCrossplane(config, value)
    case 'map':
      // Weft looks numbers and booleans up by their text; the function takes text only.
      return value.type === 'string' ? [transform] : [converted('string'), transform]
    default: {
      const made = matchToCrossplane(config, place)
      return made && [made]
    }
  }
}

function convertToCrossplane(config: JsonObject, { type }: Passing): readonly JsonObject[] {
  const toType = String(config['toType'])
  const isWhole = toType === 'int' || toType === 'int64'
  if (config['format'] !== 'quantity') return [{ type: 'convert', convert: config }]
  // Weft reads text as a quantity, and converts anything else without; the function reads quantities as fractions only.
  if (type !== undefined && type !== 'string') return [converted(toType)]
  return [{ type: 'convert', convert: { toType: 'float64', format: 'quantity' } }, ...(isWhole ? [converted(toType)] : [])]
}

function stringToCrossplane(config: JsonObject, value: Passing, { path, tell }: Place): readonly JsonObject[] | undefined {
  const type = typeOfString(config)
  const made: JsonObject = { type: 'string', string: { ...config, type } } as JsonObject
  if (type === 'Format') {
    const format = String(getOwn(config, 'fmt') ?? '')
    // Verbs of fractions take any number as one.
    if (hasVerb(format, 'feg')) return value.isWhole === false ? [made] : [converted('float64'), made]
    const isWholeWanted = hasVerb(format, 'd') || (isNumber(value) && hasVerb(format, 'xX'))
    if (isWholeWanted && value.isWhole !== true) return [converted('int64'), made]
    if (value.type === 'integer') {
      const printed = { type: 'string', string: { ...config, type, fmt: formatToCrossplane(format, 'any') } } as JsonObject
      return value.isWhole === true ? [printed] : [converted('int64'), printed]
    }
    return value.type === 'number' ? [converted('string'), made] : [made]
  }
  if (type === 'Join') {
    const join = getOwn(config, 'join')
    const tail = joinedTail(isJsonObject(join) ? String(getOwn(join, 'separator') ?? '') : '')
    if (tail === '') return [made]
    if (tail !== undefined) return [made, { type: 'string', string: { type: 'TrimSuffix', trim: tail } }]
    tell(
      childPath(path, 'string.join.separator'),
      'function-patch-and-transform would leave half a letter at the end: the patch is left out',
    )
    return undefined
  }
  // Of JSON, and so of what is hashed, a number is the same either way.
  const isOfJson = type === 'Convert' && /^To(Json|Sha|Adler)/.test(String(getOwn(config, 'convert')))
  return isNumber(value) && !isOfJson ? [converted('string'), made] : [made]
}

function mathToCrossplane(config: JsonObject, { path, tell }: Place): JsonObject | undefined {
  const operation = operationOf(config)
  const operand = getOwn(config, OPERANDS[operation])
  if (typeof operand === 'bigint' || Number.isSafeInteger(operand))
    return { type: 'math', math: { type: operation, [OPERANDS[operation]]: operand } } as JsonObject
  tell(
    childPath(path, `math.${OPERANDS[operation]}`),
    `function-patch-and-transform calculates with whole numbers only, not with ${String(operand)}: the patch is left out`,
  )
  return undefined
}

function operationOf(math: JsonObject): Operation {
  const given = (Object.keys(OPERANDS) as Operation[]).filter((type) => (getOwn(math, OPERANDS[type]) ?? undefined) !== undefined)
  return (getOwn(math, 'type') as Operation | undefined) ?? (given.length === 1 ? (given[0] as Operation) : 'Multiply')
}

function matchToCrossplane(config: JsonObject, { path, tell }: Place): JsonObject | undefined {
  const patterns = listOf(getOwn(config, 'patterns'))
  if (patterns.length > 0)
    return { type: 'match', match: { ...config, patterns: patterns.map((pattern) => ({ type: 'literal', ...pattern })) } } as JsonObject
  tell(childPath(path, 'match.patterns'), 'function-patch-and-transform requires at least one pattern: the patch is left out')
  return undefined
}
