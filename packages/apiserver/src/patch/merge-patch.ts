import { badRequest, getOwn, isJsonObject, type JsonObject, setOwn } from '@weft/api'
import { jsonKind } from './json-kind.ts'

/**
 * RFC 7386: objects are merged, null removes, everything else replaces. As in kube-apiserver, nulls are also left out
 * of objects inside a list that is new or replaces a value. Unchanged parts are shared. Throws 400 for a patch that is
 * not an object.
 */
export function mergePatch(document: JsonObject, patch: unknown): JsonObject
export function mergePatch(document: object, patch: unknown): unknown
export function mergePatch(document: object, patch: unknown): unknown {
  if (patch === null) throw badRequest('Invalid JSON Patch')
  if (!isJsonObject(patch)) {
    throw badRequest(`error decoding patch: json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`)
  }
  return mergeObjects(document as JsonObject, patch)
}

function mergeObjects(target: JsonObject, patch: JsonObject): JsonObject {
  let result: Record<string, unknown> | undefined
  for (const key of Object.keys(patch)) {
    const current = getOwn(target, key)
    const change = getOwn(patch, key)
    if (change === undefined) continue
    if (change === null) {
      if (Object.hasOwn(target, key)) delete (result ??= { ...target })[key]
      continue
    }
    const merged = mergeMember(current, change)
    if (merged !== current) setOwn((result ??= { ...target }), key, merged)
  }
  return (result as JsonObject | undefined) ?? target
}

function mergeMember(current: unknown, change: unknown): unknown {
  if (!isJsonObject(current)) return withoutNulls(change)
  return isJsonObject(change) ? mergeObjects(current, change) : change
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return (value as readonly unknown[]).map(withoutNulls)
  if (!isJsonObject(value)) return value
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = getOwn(value, key)
    if (member !== null && member !== undefined) setOwn(result, key, withoutNulls(member))
  }
  return result
}
