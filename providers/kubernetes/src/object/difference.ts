import { deepEqual, getOwn, isJsonObject, type JsonObject, type KubeObject } from '@weft/api'

/** What an API server counts by itself: different after every write, whatever was written. */
const COUNTED: ReadonlySet<string> = new Set(['managedFields', 'resourceVersion', 'generation'])
const MOST = 5

/**
 * What applying would change, from the object and what a dry run of the apply answered: paths of fields, never values, and of many only the
 * first. Undefined: nothing. `manager` is the field manager: fields that are as wanted but not yet its own are a difference too, since it could not
 * remove them later.
 */
export function differenceOf(current: KubeObject, applied: KubeObject, manager: string): string | undefined {
  const paths: string[] = []
  walk(current, applied, [], paths)
  if (paths.length === 0 && !deepEqual(ownedFields(current, manager), ownedFields(applied, manager))) paths.push('ownership of fields')
  if (paths.length === 0) return undefined
  return paths.length > MOST ? `${paths.slice(0, MOST).join(', ')}, …` : paths.join(', ')
}

/** The same for a cluster that cannot tell in advance: does the object have what the manifest says? Lists must be as long. */
export function missingFrom(current: KubeObject, manifest: KubeObject): string | undefined {
  const paths: string[] = []
  cover(current, manifest, [], paths)
  return paths.length === 0 ? undefined : paths.slice(0, MOST).join(', ')
}

function walk(before: unknown, after: unknown, path: readonly string[], found: string[]): void {
  if (found.length > MOST || deepEqual(before, after)) return
  if (!isJsonObject(before) || !isJsonObject(after)) {
    found.push(path.join('.'))
    return
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (path.length === 1 && path[0] === 'metadata' && COUNTED.has(key)) continue
    walk(getOwn(before, key), getOwn(after, key), [...path, key], found)
  }
}

function cover(current: unknown, wanted: unknown, path: readonly string[], found: string[]): void {
  if (found.length >= MOST) return
  if (isJsonObject(wanted) && isJsonObject(current)) {
    for (const key of Object.keys(wanted)) cover(getOwn(current, key), getOwn(wanted, key), [...path, key], found)
  } else if (Array.isArray(wanted) && Array.isArray(current) && wanted.length === current.length) {
    for (const [i, item] of wanted.entries()) cover(current[i], item, [...path, String(i)], found)
  } else if (!deepEqual(current, wanted)) found.push(path.join('.'))
}

function ownedFields({ metadata }: KubeObject, manager: string): unknown {
  const entries = (metadata as { readonly managedFields?: readonly JsonObject[] }).managedFields ?? []
  return entries.find((entry) => entry['manager'] === manager && entry['operation'] === 'Apply' && !entry['subresource'])?.['fieldsV1']
}
