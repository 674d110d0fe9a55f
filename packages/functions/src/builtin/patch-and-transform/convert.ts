import { formatFloat } from '../../go/float.ts'
import { GoError, must } from '../../go/go-error.ts'
import { unmarshalJson } from '../../go/json.ts'
import { parseBool, parseFloat64, parseInt64, truncate } from '../../go/parse-number.ts'
import { quantityFloat } from '../../go/quantity.ts'
import { type GoValue, typeName } from '../../go/value.ts'
import { validateConvert } from './validate-transform.ts'

type Conversion = (value: never) => GoValue

/** From, to, format. Objects and arrays convert to nothing. */
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  'string int64 none': (value: string) => must(parseInt64(value)),
  'string bool none': (value: string) => must(parseBool(value)),
  'string float64 none': (value: string) => must(parseFloat64(value)),
  'string float64 quantity': (value: string) => must(quantityFloat(value)),
  'string object json': (value: string) => must(unmarshalJson(value, 'object')),
  'string array json': (value: string) => must(unmarshalJson(value, 'array')),
  'int64 string none': (value: bigint) => value.toString(),
  'int64 bool none': (value: bigint) => value === 1n,
  'int64 float64 none': (value: bigint) => Number(value),
  'bool string none': (value: boolean) => String(value),
  'bool int64 none': (value: boolean) => (value ? 1n : 0n),
  'bool float64 none': (value: boolean) => (value ? 1 : 0),
  'float64 string none': (value: number) => formatFloat(value, 'f', -1),
  'float64 int64 none': (value: number) => truncate(value),
  'float64 bool none': (value: number) => value === 1,
}

export function convertValue(convert: { readonly toType?: string; readonly format?: string }, input: GoValue): GoValue {
  validateConvert(convert, '')
  const from = typeName(input)
  if (!['string', 'bool', 'int64', 'float64'].includes(from)) throw new GoError(`invalid input type ${from}`)
  const to = convert.toType === 'int' ? 'int64' : (convert.toType as string)
  if (from === to) return input
  const format = convert.format ?? 'none'
  const conversion = CONVERSIONS[`${from} ${to} ${format}`]
  if (conversion === undefined) throw new GoError(`conversion from ${from} to ${to} is not supported with format ${format}`)
  return conversion(input as never)
}
