import { type Comparison, compareObjects } from './typed/compare.ts'
import { conflictsWith } from './conflict.ts'
import { difference, differenceWithChildren, type FieldSet, intersection, isEmptySet, union } from './fields/field-set.ts'
import { dropEmpty, type ManagedSet, type Managers, owning } from './managed-fields.ts'
import { reconcileSet } from './typed/reconcile.ts'
import type { Versioned, Versions } from './versions.ts'

export interface FieldChange {
  readonly live: Versioned
  readonly next: Versioned
  readonly versions: Versions
  /** Fields that this endpoint sets back to what they were: changes to them count for nobody. */
  readonly resetFields: FieldSet | undefined
}

/**
 * Takes from every manager but `self` what the change modified, added or removed, and drops those left with nothing.
 * Without `force` a change to somebody's field throws Conflicts instead. Answers the change in the request's version.
 */
export function disown(managers: Managers, change: FieldChange, self: string | undefined, force: boolean): Comparison {
  const comparisons = new Map<string, Comparison>()
  const own = compare(change.live, change.next, change.resetFields)
  comparisons.set(change.live.apiVersion, own)

  const conflicts: ManagedSet[] = []
  const rest = new Map<string, ManagedSet>()
  for (const managed of managers.values()) {
    if (managed.id === self) continue
    const comparison = comparisonIn(managed.apiVersion, change, comparisons)
    if (comparison === undefined) {
      managers.delete(managed.id)
      continue
    }
    const taken = intersection(union(comparison.modified, comparison.added), managed.set)
    if (!isEmptySet(taken)) conflicts.push(owning(managed, taken))
    const set = difference(difference(managed.set, taken), comparison.removed)
    if (set !== managed.set) rest.set(managed.id, owning(managed, set))
  }
  if (!force && conflicts.length > 0) throw conflictsWith(conflicts)
  for (const [id, managed] of rest) managers.set(id, managed)
  dropEmpty(managers)
  return own
}

function comparisonIn(apiVersion: string, change: FieldChange, known: Map<string, Comparison>): Comparison | undefined {
  let comparison = known.get(apiVersion)
  if (comparison === undefined) {
    const live = change.versions.to(change.live, apiVersion)
    const next = live && change.versions.to(change.next, apiVersion)
    if (next === undefined) return undefined
    comparison = compare(live as Versioned, next, change.resetFields)
    known.set(apiVersion, comparison)
  }
  return comparison
}

function compare(live: Versioned, next: Versioned, resetFields: FieldSet | undefined): Comparison {
  const comparison = compareObjects(live.type, live.object, next.object)
  if (resetFields === undefined) return comparison
  return {
    added: differenceWithChildren(comparison.added, resetFields),
    modified: differenceWithChildren(comparison.modified, resetFields),
    removed: differenceWithChildren(comparison.removed, resetFields),
  }
}

/** Brings all sets in line with the present schemas, and drops those of versions that are gone. */
export function reconcileManagers(managers: Managers, live: Versioned, versions: Versions): void {
  for (const managed of managers.values()) {
    const there = versions.to(live, managed.apiVersion)
    const set = there && reconcileSet(managed.set, there.type)
    if (set === undefined) managers.delete(managed.id)
    else if (set !== managed.set) managers.set(managed.id, owning(managed, set))
  }
}
