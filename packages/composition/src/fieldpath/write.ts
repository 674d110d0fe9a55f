import { setOwn } from '@weft/api'
import { failure, type Result, success } from '../result.ts'
import { type FieldPath, formatFieldPath, MAX_ARRAY_INDEX, type Segment, WILDCARD } from './path.ts'
import { expandWildcards } from './read.ts'

/**
 * `object` with `value` at `path`. The input is never touched: only the objects along the path are copied, the rest is shared, and
 * when nothing changes the very same object is answered. Missing (or null) parents are created, as objects or lists as the next
 * segment asks; lists grow with nulls. A path that goes through a plain value is an error.
 * With wildcards the value is written to every place the path expands to.
 */
export function writeField<T>(object: T, path: FieldPath, value: unknown): Result<T> {
  if (!path.hasWildcard) return writeAt(object, path.segments, 0, value) as Result<T>
  const places = expandWildcards(object, path)
  if (!places.ok) return places
  let result: unknown = object
  for (const place of places.value) {
    const next = writeAt(result, place.segments, 0, value)
    if (!next.ok) return next
    result = next.value
  }
  return success(result as T)
}

function writeAt(node: unknown, segments: readonly Segment[], at: number, value: unknown): Result<unknown> {
  const segment = segments[at]
  if (segment === undefined) return success(value)
  if (segment === WILDCARD) return failure('FieldTypeMismatch', 'a wildcard stands for many places, not one')
  const absent = node === undefined || node === null
  if (typeof segment === 'number') {
    if (!absent && !Array.isArray(node)) return mismatch(segments, at, 'not a list')
    const list: readonly unknown[] = absent ? [] : (node as readonly unknown[])
    if (segment > MAX_ARRAY_INDEX && segment >= list.length)
      return failure('FieldPathLimit', `${formatFieldPath(segments)}: array index ${segment} is above the limit of ${MAX_ARRAY_INDEX}`)
    const child = writeAt(list[segment], segments, at + 1, value)
    if (!child.ok || (!absent && segment < list.length && child.value === list[segment])) return child.ok ? success(node) : child
    const copy = [...list]
    while (copy.length < segment) copy.push(null)
    copy[segment] = child.value
    return success(copy)
  }
  if (!absent && (typeof node !== 'object' || Array.isArray(node))) return mismatch(segments, at, 'not an object')
  const record = (absent ? {} : node) as Record<string, unknown>
  const current = Object.hasOwn(record, segment) ? record[segment] : undefined
  const child = writeAt(current, segments, at + 1, value)
  if (!child.ok) return child
  if (child.value === current && current !== undefined) return success(node)
  const copy = { ...record }
  setOwn(copy, segment, child.value)
  return success(copy)
}

/**
 * `object` without what is at `path`: a field disappears, a list element is taken out and the later ones move up. Nothing there: the
 * very same object. With wildcards, everything the path expands to goes. Parents that become empty stay.
 */
export function deleteField<T>(object: T, path: FieldPath): Result<T> {
  const places = expandWildcards(object, path)
  if (!places.ok) return places
  let result: unknown = object
  // Backwards, so that taking out one list element does not move those still to go.
  for (let i = places.value.length - 1; i >= 0; i--) {
    const next = deleteAt(result, (places.value[i] as FieldPath).segments, 0)
    if (!next.ok) return next
    result = next.value
  }
  return success(result as T)
}

function deleteAt(node: unknown, segments: readonly Segment[], at: number): Result<unknown> {
  const segment = segments[at] as string | number
  if (node === undefined || node === null) return success(node)
  const last = at === segments.length - 1
  if (typeof segment === 'number') {
    if (!Array.isArray(node)) return mismatch(segments, at, 'not a list')
    if (segment >= node.length) return success(node)
    if (last) return success(node.filter((_, index) => index !== segment))
    const child = deleteAt(node[segment], segments, at + 1)
    if (!child.ok || child.value === node[segment]) return child.ok ? success(node) : child
    return success(node.map((item: unknown, index) => (index === segment ? child.value : item)))
  }
  if (typeof node !== 'object' || Array.isArray(node)) return mismatch(segments, at, 'not an object')
  if (!Object.hasOwn(node, segment)) return success(node)
  const record = node as Record<string, unknown>
  if (last) {
    const copy = { ...record }
    delete copy[segment]
    return success(copy)
  }
  const child = deleteAt(record[segment], segments, at + 1)
  if (!child.ok || child.value === record[segment]) return child.ok ? success(node) : child
  const copy = { ...record }
  setOwn(copy, segment, child.value)
  return success(copy)
}

const mismatch = (segments: readonly Segment[], at: number, why: string) => {
  const path = formatFieldPath(segments.slice(0, at))
  return failure('FieldTypeMismatch', path === '' ? why : `${path}: ${why}`, { path })
}
