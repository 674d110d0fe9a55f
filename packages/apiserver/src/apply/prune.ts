import type { KubeObject } from '@weft/api'
import { difference, EMPTY_SET, type FieldSet, intersection, isEmptySet, union } from './fields/field-set.ts'
import type { ManagedSet, Managers } from './managed-fields.ts'
import { withNamedFields } from './fields/named-fields.ts'
import { removePaths } from './typed/remove.ts'
import { fieldSetOf } from './typed/to-field-set.ts'
import type { Versioned, Versions } from './versions.ts'

/**
 * Removes from `merged` what this applier applied the last time, does not apply now, and nobody else owns. `managers`
 * already holds what it applies now.
 */
export function prune(merged: Versioned, managers: Managers, last: ManagedSet | undefined, versions: Versions): Versioned {
  if (last === undefined) return merged
  const now = managers.get(last.id)
  if (now?.apiVersion === last.apiVersion && isEmptySet(difference(last.set, now.set))) return merged
  const then = versions.to(merged, last.apiVersion)
  if (then === undefined) return merged
  let pruned = without(then, withNamedFields(last.set, then.type))
  if (pruned === then) return merged
  pruned = addBackOwned(then, pruned, managers, versions)
  pruned = addBackUnowned(then, pruned, last, versions)
  return versions.to(pruned, merged.apiVersion) ?? merged
}

const without = (value: Versioned, paths: FieldSet): Versioned => {
  const object = (removePaths(value.type, value.object, paths) ?? { metadata: {} }) as KubeObject
  return object === value.object ? value : { ...value, object }
}

/** Keeps what any manager owns, this applier's new set included. */
function addBackOwned(merged: Versioned, pruned: Versioned, managers: Managers, versions: Versions): Versioned {
  const owned = new Map<string, FieldSet>([[merged.apiVersion, EMPTY_SET]])
  for (const { apiVersion, set } of managers.values()) owned.set(apiVersion, union(owned.get(apiVersion) ?? EMPTY_SET, set))
  // The version in hand comes first: converting what was pruned may need fields that others own.
  for (const [apiVersion, set] of owned) {
    const from = versions.to(merged, apiVersion)
    const kept = from && versions.to(pruned, apiVersion)
    if (from === undefined || kept === undefined) continue
    merged = from
    const here = withNamedFields(fieldSetOf(from.type, from.object), from.type)
    const stays = union(withNamedFields(fieldSetOf(kept.type, kept.object), kept.type), withNamedFields(set, from.type))
    pruned = without(from, difference(here, stays))
  }
  return pruned
}

/** Keeps what this applier never applied. */
function addBackUnowned(merged: Versioned, pruned: Versioned, last: ManagedSet, versions: Versions): Versioned {
  const kept = versions.to(pruned, last.apiVersion)
  if (kept === undefined) return merged
  const here = withNamedFields(fieldSetOf(merged.type, merged.object), merged.type)
  const stays = withNamedFields(fieldSetOf(kept.type, kept.object), kept.type)
  return without(merged, intersection(difference(here, stays), withNamedFields(last.set, merged.type)))
}
