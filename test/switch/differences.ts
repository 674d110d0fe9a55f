import { deepEqual, isJsonObject, type KubeObject } from '@weft/api'

export interface Difference {
  /** `spec.size` */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** Where two states of one object differ, versions of the store aside. Lists that have keys, such as conditions, may be in any order. */
export const differences = (before: KubeObject, after: KubeObject): readonly Difference[] =>
  compare(withoutVersion(before), withoutVersion(after), [])

function withoutVersion({ metadata, ...rest }: KubeObject): object {
  const { resourceVersion: _version, ...kept } = metadata
  return { ...rest, apiVersion: '', metadata: kept }
}

function compare(before: unknown, after: unknown, path: readonly string[]): readonly Difference[] {
  if (deepEqual(before, after)) return []
  if (Array.isArray(before) && Array.isArray(after)) {
    const [left, right] = KEYED.has(path.at(-1) ?? '') ? [sorted(before), sorted(after)] : [before, after]
    return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => compare(left[i], right[i], [...path, String(i)])).flat()
  }
  if (isJsonObject(before) && isJsonObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => compare(before[key], after[key], [...path, key]))
  return [{ path: path.join('.'), before, after }]
}

const KEYED: ReadonlySet<string> = new Set(['conditions', 'managedFields', 'ownerReferences'])

const keyOf = (item: unknown): string => {
  const { type, manager, subresource, operation, uid } = item as Record<string, string | undefined>
  return [type, manager, subresource, operation, uid].join(' ')
}
const sorted = (items: readonly unknown[]): readonly unknown[] => [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
