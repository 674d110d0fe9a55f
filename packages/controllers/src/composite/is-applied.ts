import { deepEqual, getOwn, isJsonObject, type KubeObject } from '@weft/api'

/**
 * Would applying `desired` as `manager` change nothing? So it is when the manager owns what is wanted and nothing else, and all of it is there as it is wanted. Told
 * from the object alone, so that nothing has to be applied anew after a restart. In doubt it is false.
 */
export function isApplied(existing: KubeObject, desired: KubeObject, manager: string): boolean {
  const own = existing.metadata.managedFields?.find(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && !entry.subresource && entry.apiVersion === desired.apiVersion,
  )
  if (own === undefined) return false
  // What says which object it is has no owner.
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...content } = desired
  return isOwned(own.fieldsV1, { ...content, metadata: { ...metadata, name: undefined, namespace: undefined } }, existing)
}

/** Are these the fields of what is wanted, no more and no fewer, and is each there as it is wanted? What has no fields of its own is owned as a whole. */
function isOwned(fields: unknown, wanted: unknown, there: unknown): boolean {
  if (!isJsonObject(fields)) return false
  const paths = Object.keys(fields).filter((path) => path !== '.')
  if (paths.length === 0) return deepEqual(wanted, there)
  if (Array.isArray(wanted))
    return (
      Array.isArray(there) && paths.length === wanted.length && paths.every((path) => isElementOwned(fields[path], path, { wanted, there }))
    )
  if (!isJsonObject(wanted) || !isJsonObject(there)) return false
  const names = Object.keys(wanted).filter((name) => wanted[name] !== undefined)
  return paths.length === names.length && names.every((name) => isOwned(getOwn(fields, `f:${name}`), wanted[name], getOwn(there, name)))
}

interface Lists {
  readonly wanted: readonly unknown[]
  readonly there: readonly unknown[]
}

/** An element is known by its keys, `k:{"name":"web"}`, or is itself one, `v:"web"`. */
function isElementOwned(fields: unknown, path: string, { wanted, there }: Lists): boolean {
  const known = parsed(path.slice(2))
  if (path.startsWith('v:')) return [wanted, there].every((list) => list.some((element) => deepEqual(element, known)))
  if (!path.startsWith('k:') || !isJsonObject(known)) return false
  const hasKeys = (element: unknown): boolean =>
    isJsonObject(element) && Object.entries(known).every(([key, value]) => deepEqual(getOwn(element, key), value))
  const element = wanted.find(hasKeys)
  return element !== undefined && isOwned(fields, element, there.find(hasKeys))
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
