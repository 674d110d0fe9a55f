import { childPath, field, isJsonObject, messageOf, parseJson } from '@weft/api'
import { choice } from '../document.ts'
import { failure, type Result, success } from '../result.ts'
import { quantityAsNumber } from './quantity.ts'
import type { TransformReader } from './transform.ts'
import { aKind, decimalText, int64, kindOf, type ValueKind } from './value.ts'

const TO_TYPES = ['string', 'int', 'int64', 'bool', 'float64', 'object', 'array'] as const
const FORMATS = ['none', 'quantity', 'json'] as const
type ToType = (typeof TO_TYPES)[number]

/** `convert`: `toType`, and `format` for how a text is to be read. Converting to the type a value already has changes nothing. */
export const readConvert: TransformReader = (config, path, errors) => {
  const toType = choice(config, 'toType', { path, errors, allowed: TO_TYPES, fallback: undefined })
  const format = choice(config, 'format', { path, errors, allowed: FORMATS, fallback: 'none' })
  if (toType === undefined || format === undefined) return undefined
  const structured = toType === 'object' || toType === 'array'
  const fits = format === 'none' || (format === 'json' ? structured : !structured && toType !== 'string' && toType !== 'bool')
  if (!fits) {
    errors.push(field.invalid(childPath(path, 'format'), format, `a conversion to ${toType} cannot use this format`))
    return undefined
  }
  return (input) => {
    const kind = kindOf(input)
    if (TYPE_OF[toType].includes(kind)) return success(input)
    if (kind === 'string' && structured && format === 'json') return fromJson(input as string, toType)
    if (kind === 'string' && format === 'quantity') return fromQuantity(input as string, toType)
    if (kind === 'string' && !structured) return fromText(input as string, toType)
    if (kind === 'boolean' && !structured) return success(toType === 'string' ? String(input) : input === true ? 1 : 0)
    if ((kind === 'integer' || kind === 'number') && !structured) return fromNumber(input as number | bigint, toType)
    const hint = kind === 'string' && structured ? ' (set format: json to parse the text)' : ''
    return failure('TransformFailed', `cannot convert ${aKind(input)} to ${toType}${hint}`)
  }
}

const TYPE_OF: Readonly<Record<ToType, readonly ValueKind[]>> = {
  string: ['string'],
  int: ['integer'],
  int64: ['integer'],
  bool: ['boolean'],
  float64: ['integer', 'number'],
  object: ['object'],
  array: ['list'],
}

function fromText(text: string, toType: ToType): Result<unknown> {
  if (toType === 'bool') {
    if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return success(true)
    if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return success(false)
  } else if (toType === 'float64') {
    const value = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (Number.isFinite(value)) return success(value)
  } else if (/^[+-]?\d{1,20}$/.test(text)) {
    const value = int64(BigInt(text.replace(/^\+/, '')))
    if (value !== undefined) return success(value)
  }
  return failure('TransformFailed', `cannot convert ${JSON.stringify(text)} to ${toType}`)
}

function fromQuantity(text: string, toType: ToType): Result<unknown> {
  const value = quantityAsNumber(text)
  if (value === undefined) return failure('TransformFailed', `${JSON.stringify(text)} is not a quantity such as 500m or 10Gi`)
  if (toType !== 'float64' && !Number.isSafeInteger(value)) return failure('TransformFailed', `the quantity ${text} is not a whole number`)
  return success(value)
}

function fromJson(text: string, toType: ToType): Result<unknown> {
  try {
    const { value } = parseJson(text)
    if (toType === 'array' ? Array.isArray(value) : isJsonObject(value)) return success(value)
    return failure('TransformFailed', `the JSON text holds ${aKind(value)}, not ${toType === 'array' ? 'a list' : 'an object'}`)
  } catch (error) {
    return failure('TransformFailed', `the text is not JSON: ${messageOf(error)}`)
  }
}

function fromNumber(value: number | bigint, toType: ToType): Result<unknown> {
  if (toType === 'string') return success(typeof value === 'bigint' ? value.toString() : decimalText(value))
  if (toType === 'bool') return success(Number(value) === 1)
  // Only a fraction gets here: an integer already has the type. Go cuts towards zero as well.
  const whole = Number.isFinite(Number(value)) ? int64(BigInt(Math.trunc(Number(value)))) : undefined
  return whole === undefined ? failure('TransformFailed', `${value} does not fit a 64-bit integer`) : success(whole === 0 ? 0 : whole)
}
