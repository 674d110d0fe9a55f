import { truncate } from '../../go/parse-number.ts'
import { quantityFloat } from '../../go/quantity.ts'
import { parseTime } from '../../go/time.ts'
import { type GoObject, type GoValue, isGoArray, isGoObject } from '../../go/value.ts'

/**
 * Some kinds are read into Go's types before they are judged; a field of another type makes the whole object unreadable, and so unhealthy.
 * A type here says whether a value can be read; null always can, and so can fields that the type does not have.
 */
export type GoType = (value: GoValue) => boolean

const nullable =
  (holds: GoType): GoType =>
  (value) =>
    value === null || holds(value)

export const text: GoType = nullable((value) => typeof value === 'string')
export const bool: GoType = nullable((value) => typeof value === 'boolean')
/** Whatever its size: it is cut to what the field holds. */
export const int: GoType = nullable((value) => Number.isInteger(value))
export const time: GoType = nullable((value) => typeof value === 'string' && parseTime(value) !== undefined)
export const quantity: GoType = nullable(
  (value) => (typeof value === 'string' && 'value' in quantityFloat(value.trim())) || typeof value === 'number',
)
export const anything: GoType = () => true
/** What lies in it is not looked at: an API server has seen to it. */
export const anyObject: GoType = nullable(isGoObject)

export const list = (item: GoType): GoType => nullable((value) => isGoArray(value) && value.every(item))
export const mapOf = (item: GoType): GoType => nullable((value) => isGoObject(value) && Object.values(value).every(item))
export const struct = (fields: Readonly<Record<string, GoType>>): GoType => {
  const entries = Object.entries(fields)
  return nullable(
    (value) => isGoObject(value) && entries.every(([name, holds]) => !Object.hasOwn(value, name) || holds(value[name] as GoValue)),
  )
}

/** What stands under a name in an object that could be read. */
const at = (object: GoObject | undefined, key: string): GoValue =>
  object !== undefined && Object.hasOwn(object, key) ? (object[key] as GoValue) : null

export const objectAt = (object: GoObject | undefined, key: string): GoObject | undefined =>
  (at(object, key) as GoObject | null) ?? undefined

export const textAt = (object: GoObject | undefined, key: string): string => (at(object, key) as string | null) ?? ''

export const boolAt = (object: GoObject | undefined, key: string): boolean => at(object, key) === true

/** In nanoseconds. */
export function timeAt(object: GoObject | undefined, key: string): bigint | undefined {
  const given = at(object, key)
  return given === null ? undefined : parseTime(given as string)
}

/** As a field of so many bits has it. */
export function intAt(object: GoObject | undefined, key: string, bits: 32 | 64): bigint | undefined {
  const given = at(object, key)
  return given === null ? undefined : BigInt.asIntN(bits, truncate(given as number))
}

export const listAt = (object: GoObject | undefined, key: string): readonly GoValue[] =>
  (at(object, key) as readonly GoValue[] | null) ?? []

export const conditionsAt = (status: GoObject | undefined): readonly { readonly type: string; readonly status: string }[] =>
  listAt(status, 'conditions').map((item) => {
    const condition = (item as GoObject | null) ?? undefined
    return { type: textAt(condition, 'type'), status: textAt(condition, 'status') }
  })
