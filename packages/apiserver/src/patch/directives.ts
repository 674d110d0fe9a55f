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
export const plainValue = (value: unknown): unknown => plain(value, true)

/** An item that the patch adds to a list. As in Kubernetes, what is inside it is not read for `$patch`. */
export const plainItem = (item: unknown): unknown => plain(item, false)

function plain(value: unknown, obeyPatch: boolean): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[]).map((item) => plain(item, obeyPatch)).filter((item) => item !== undefined)
  if (!isJsonObject(value)) return value
  if (obeyPatch && Object.hasOwn(value, PATCH)) return undefined
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = getOwn(value, key)
    const kept = member === null || isDirective(key) ? undefined : plain(member, obeyPatch)
    if (kept !== undefined) setOwn(result, key, kept)
  }
  return result
}
