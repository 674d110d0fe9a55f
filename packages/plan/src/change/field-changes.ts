import { deepEqual, getOwn, isJsonObject, type KubeObject, setOwn, withMeta } from '@weft/api'
import { formatFieldPath, type Segment } from '@weft/composition'
import type { FieldChange } from './plan.ts'

/** What the server fills in, and finalizers, which are nobody's wish. */
const SERVER_FIELDS = {
  uid: undefined,
  resourceVersion: undefined,
  generation: undefined,
  creationTimestamp: undefined,
  deletionTimestamp: undefined,
  deletionGracePeriodSeconds: undefined,
  managedFields: undefined,
  selfLink: undefined,
  finalizers: undefined,
} as const

/** An object as its authors see it: what somebody wants, not what was observed or filled in. */
export function wishOf(object: KubeObject): KubeObject {
  const { status: _observed, ...rest } = withMeta(object, SERVER_FIELDS) as KubeObject & { readonly status?: unknown }
  return rest as KubeObject
}

/** Every field that differs, down to single values. */
export function fieldChanges(before: unknown, after: unknown, segments: readonly Segment[] = []): readonly FieldChange[] {
  if (deepEqual(before, after)) return []
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
    return keys.flatMap((key) => fieldChanges(getOwn(before, key), getOwn(after, key), [...segments, key]))
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, i) => fieldChanges(before[i], after[i], [...segments, i])).flat()
  }
  return [{ path: formatFieldPath(segments), ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}

/** The value with every text in it replaced. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, change))
  if (!isJsonObject(value)) return value
  const mapped: Record<string, unknown> = {}
  for (const key of Object.keys(value)) setOwn(mapped, key, mapTexts(getOwn(value, key), change))
  return mapped
}
