import { badRequest, getOwn, isJsonObject, setOwn } from '@weft/api'

/** How a strategic merge patch says what merging alone cannot. */
export const PATCH = '$patch'
export const RETAIN_KEYS = '$retainKeys'
const DELETE_FROM_LIST = '$deleteFromPrimitiveList'
const SET_ORDER = '$setElementOrder'

export const isDeletion = (key: string): boolean => key.startsWith(DELETE_FROM_LIST)
export const isOrder = (key: string): boolean => key.startsWith(SET_ORDER)
const isDirective = (key: string): boolean => key === PATCH || key === RETAIN_KEYS || isDeletion(key) || isOrder(key)

export const badRetainKeys = (): Error => badRequest('invalid patch format of retainKeys')

/** The field that `$deleteFromPrimitiveList/field` or `$setElementOrder/field` is about. */
export function directiveField(key: string): string {
  const slash = key.indexOf('/')
  const prefix = slash < 0 ? key : key.slice(0, slash)
  if (slash >= 0 && (prefix === DELETE_FROM_LIST || prefix === SET_ORDER)) return key.slice(slash + 1)
  throw badRequest(isDeletion(key) ? 'invalid patch format of primitive list' : 'invalid patch format of setElementOrder list')
}

/** A value of the patch that is taken as it is: without nulls and directives. Undefined when it is only a directive. */
export function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[]).map(plainValue).filter((item) => item !== undefined)
  if (!isJsonObject(value)) return value
  if (Object.hasOwn(value, PATCH)) return undefined
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = getOwn(value, key)
    const plain = member === null || isDirective(key) ? undefined : plainValue(member)
    if (plain !== undefined) setOwn(result, key, plain)
  }
  return result
}
