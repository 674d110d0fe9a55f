import type { ParentRule, SimulatedKind } from '../../catalogue/simulated-kind.ts'
import type { JsonObject } from '@weft/api'
import { CloudError, invalidFields } from './cloud-error.ts'
import { valueAt } from './parameter-path.ts'
import { keyOf, type ResourceKey, type StoredResource } from './stored-resource.ts'

export type Lookup = (key: string) => StoredResource | undefined

/**
 * The keys of the resources that the parameters name. Throws ParentNotFound when one does not exist and NotReady when it is not
 * (or no longer) running: the caller may try again later.
 */
export function resolveParents(kind: SimulatedKind, of: ResourceKey, parameters: JsonObject, lookup: Lookup): string[] {
  return kind.parents.flatMap((rule) => {
    const parent = resolveParent(rule, of, parameters, lookup)
    return parent === undefined ? [] : [parent]
  })
}

function resolveParent(rule: ParentRule, of: ResourceKey, parameters: JsonObject, lookup: Lookup): string | undefined {
  const problem = (message: string): CloudError =>
    invalidFields('ParentNotFound', `${of.kind} ${of.name}`, [{ field: rule.field, message }])
  const value = valueAt(parameters, rule.field)
  if (value === undefined) {
    if (rule.required) throw invalidFields('Invalid', `${of.kind} ${of.name}`, [{ field: rule.field, message: 'is required' }])
    return undefined
  }
  if (typeof value !== 'string' || value === '')
    throw invalidFields('Invalid', `${of.kind} ${of.name}`, [{ field: rule.field, message: 'must be a name' }])
  const name = nameIn(value)
  for (const kind of rule.kinds) {
    const key = keyOf({ ...of, kind, name })
    const parent = lookup(key)
    if (parent === undefined) continue
    if (parent.state === 'RUNNING' || parent.state === 'UPDATING') return key
    throw new CloudError('NotReady', `${of.kind} ${of.name} must wait: its ${rule.field}, ${kind} ${name}, is ${parent.state}`)
  }
  if (rule.existing.includes(name)) return undefined
  throw problem(`names ${name}, and there is no such ${rule.kinds.join(' or ')}`)
}

/** Clouds take a name, a path that ends in it (`/projects/foo/global/networks/bar`) or an address that begins with it (`robot@...`). */
const nameIn = (value: string): string => value.slice(value.lastIndexOf('/') + 1).split('@')[0] ?? ''
