import { setOwn } from '@weft/api'
import { GoError } from './go-error.ts'
import { type GoObject, type GoValue, isGoArray, isGoObject, typeName } from './value.ts'

export interface MergeOptions {
  /** What is there stays, unless it is empty. */
  readonly keepValues: boolean
  readonly appendSlices: boolean
}

/**
 * `incoming` merged into `existing` as the Go library mergo does, which is not what the policies' names say: empty values count as unset, nulls
 * are skipped when what is there is kept, nested arrays are appended with their duplicates, and appending nothing to nothing is null.
 */
export function mergeValues(existing: GoValue, incoming: GoValue, options: MergeOptions | undefined): GoValue {
  if (options === undefined || existing === null || incoming === null) return incoming
  let source = incoming
  if (options.appendSlices && isGoArray(existing) && isGoArray(incoming)) {
    const present = new Set(existing.map(identity))
    source = incoming.filter((item) => !present.has(identity(item)))
    if (isGoArray(source) && source.length === 0) return existing.length === 0 ? null : existing
  }
  const holder: Record<string, GoValue> = { value: isGoObject(existing) ? ownCopy(existing) : existing }
  mergeMaps(holder, { value: source }, options)
  return holder['value'] as GoValue
}

/** The objects are taken anew, for they are written to; arrays are replaced, never written to. */
function ownCopy(object: GoObject): Record<string, GoValue> {
  const copy: Record<string, GoValue> = {}
  for (const key of Object.keys(object)) {
    const value = object[key] as GoValue
    setOwn(copy, key, isGoObject(value) ? ownCopy(value) : value)
  }
  return copy
}

function mergeMaps(target: Record<string, GoValue>, source: GoObject, options: MergeOptions): void {
  const { keepValues, appendSlices } = options
  for (const key of Object.keys(source)) {
    const incoming = source[key] as GoValue
    const existing = Object.hasOwn(target, key) ? target[key] : undefined
    if (incoming === null) {
      if (!keepValues) setOwn(target, key, null)
      continue
    }
    if (isGoObject(incoming) && isGoObject(existing)) mergeMaps(existing as Record<string, GoValue>, incoming, options)
    if (isGoArray(incoming)) setOwn(target, key, mergeSlices(target, existing ?? null, incoming, { keepValues, appendSlices }))
    const isSet = existing !== undefined && !isEmpty(existing)
    if (isSet && (isGoArray(incoming) || (isGoObject(incoming) && isGoObject(existing)))) continue
    if (!keepValues || !isSet) setOwn(target, key, incoming)
  }
}

function mergeSlices(target: GoObject, existing: GoValue, incoming: readonly GoValue[], options: MergeOptions): GoValue {
  if (options.appendSlices) {
    if (existing !== null && !isGoArray(existing))
      throw new GoError(`failed to merge values: cannot append two slices with different type ([]interface {}, ${typeName(existing)})`)
    return [...(existing ?? []), ...incoming]
  }
  // It asks whether the whole object is empty, not the array.
  return !options.keepValues || Object.keys(target).length === 0 ? incoming : (existing ?? [])
}

function isEmpty(value: GoValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === '' || value === false || value === 0 || value === 0n
}

/** Texts that are equal exactly where reflect.DeepEqual says that the values are: 1 and 1.0 are not. */
function identity(value: GoValue): string {
  if (typeof value === 'number') return `f${value}`
  if (typeof value === 'bigint') return `i${value}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isGoArray(value)) return `[${value.map(identity).join(',')}]`
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${identity(value[key] as GoValue)}`)
    .join(',')}}`
}
