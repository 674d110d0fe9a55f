import { getOwn, isJsonObject, setOwn } from '@weft/api'
import { canonicalJson } from '../encoding/canonical-json.ts'

/** How a patch meets a value that is already there. */
export interface MergePolicy {
  /** On a conflict inside objects: keep what is there (MergeObjects) or overwrite it (ForceMergeObjects). */
  readonly keepExisting: boolean
  /** Lists are joined, without repeating equal elements, so that applying a patch again changes nothing. Otherwise they conflict like values. */
  readonly appendLists: boolean
}

/** `incoming` merged over `existing`; a policy of undefined replaces. Neither input is touched. */
export function mergeValues(existing: unknown, incoming: unknown, policy: MergePolicy | undefined): unknown {
  if (policy === undefined || existing === undefined || existing === null || incoming === undefined || incoming === null) return incoming
  if (isJsonObject(existing) && isJsonObject(incoming)) {
    const merged: Record<string, unknown> = { ...existing }
    for (const key of Object.keys(incoming)) setOwn(merged, key, mergeValues(getOwn(existing, key), getOwn(incoming, key), policy))
    return merged
  }
  if (policy.appendLists && Array.isArray(existing) && Array.isArray(incoming)) {
    // By canonical text rather than pair by pair: lists may be long.
    const present = new Set(existing.map(canonicalJson))
    const fresh = incoming.filter((item) => !present.has(canonicalJson(item)))
    return fresh.length === 0 ? existing : [...existing, ...fresh]
  }
  return policy.keepExisting ? existing : incoming
}
