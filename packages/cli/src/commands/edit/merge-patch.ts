import { deepEqual, isJsonObject } from '@weft/api'

/** The merge patch (RFC 7386) that makes `after` of `before`; undefined when they are equal. */
export function mergePatchOf(before: unknown, after: unknown): unknown {
  if (!isJsonObject(before) || !isJsonObject(after)) return deepEqual(before, after) ? undefined : after
  const patch: Record<string, unknown> = {}
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) patch[key] = null
  for (const key of Object.keys(after)) {
    const change = Object.hasOwn(before, key) ? mergePatchOf(before[key], after[key]) : after[key]
    if (change !== undefined) patch[key] = change
  }
  return Object.keys(patch).length === 0 ? undefined : patch
}
