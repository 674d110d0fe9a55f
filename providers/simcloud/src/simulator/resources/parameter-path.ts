import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '@weft/api'

/** The value at a dotted path of a data file; null counts as absent, as in a merge patch. */
export function valueAt(parameters: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = parameters
  for (const key of path.split('.')) {
    if (!isJsonObject(value)) return undefined
    value = getOwn(value, key)
  }
  return value ?? undefined
}

/** A copy with the value set; undefined if something that is not an object stands in the way. */
export function withValueAt(parameters: JsonObject, path: string, value: JsonValue): JsonObject | undefined {
  const [key = '', ...rest] = path.split('.')
  if (rest.length === 0) return withOwn(parameters, key, value)
  const child = getOwn(parameters, key) ?? {}
  if (!isJsonObject(child)) return undefined
  const changed = withValueAt(child, rest.join('.'), value)
  return changed && withOwn(parameters, key, changed)
}

/** RFC 7386: objects merge, null removes, everything else replaces. */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch
  const result: Record<string, unknown> = isJsonObject(target) ? { ...target } : {}
  for (const key of Object.keys(patch)) {
    const change = getOwn(patch, key)
    if (change === null || change === undefined) delete result[key]
    else setOwn(result, key, mergePatch(getOwn(result, key) as JsonValue | undefined, change))
  }
  return result as JsonObject
}

function withOwn(object: JsonObject, key: string, value: JsonValue): JsonObject {
  const copy: Record<string, unknown> = { ...object }
  setOwn(copy, key, value)
  return copy as JsonObject
}
