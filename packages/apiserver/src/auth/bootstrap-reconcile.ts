import { deepEqual } from '@weft/api'
import type { ClusterRole, ClusterRoleBinding, Subject } from './authorization/rbac-objects.ts'
import { uncovered } from './authorization/rules.ts'
import { AUTOUPDATE_ANNOTATION } from './bootstrap-policy.ts'

/**
 * What to store so that `existing` has everything that `wanted` has: `wanted` itself when there is none yet, the very
 * same object when nothing is missing. Rules and subjects are only ever added: the ones an operator added stay.
 * Setting the autoupdate annotation to "false" keeps the server's hands off. Run on every start.
 */
export function reconcileRole(existing: ClusterRole | undefined, wanted: ClusterRole): ClusterRole {
  if (existing === undefined) return wanted
  if (isProtected(existing)) return existing
  // The rules of an aggregated role belong to the aggregation controller.
  const missing = wanted.aggregationRule === undefined ? uncovered(existing.rules ?? [], wanted.rules ?? []) : []
  const rules = missing.length === 0 ? existing.rules : [...(existing.rules ?? []), ...missing]
  const selectors = existing.aggregationRule?.clusterRoleSelectors ?? []
  const added = (wanted.aggregationRule?.clusterRoleSelectors ?? []).filter(
    (selector) => !selectors.some((own) => deepEqual(own, selector)),
  )
  const next = {
    ...withDefaults(existing, wanted),
    ...(rules !== undefined && { rules }),
    ...(added.length > 0 && { aggregationRule: { clusterRoleSelectors: [...selectors, ...added] } }),
  }
  return deepEqual(next, existing) ? existing : next
}

/**
 * A binding whose roleRef was changed cannot be updated (roleRef is immutable): `recreate` says that it must be deleted
 * and created again.
 */
export function reconcileBinding(
  existing: ClusterRoleBinding | undefined,
  wanted: ClusterRoleBinding,
): { readonly object: ClusterRoleBinding; readonly recreate: boolean } {
  if (existing === undefined) return { object: wanted, recreate: false }
  if (isProtected(existing)) return { object: existing, recreate: false }
  const subjects = existing.subjects ?? []
  const missing = (wanted.subjects ?? []).filter((subject) => !subjects.some((own) => sameSubject(own, subject)))
  const all = [...subjects, ...missing]
  if (!deepEqual(existing.roleRef, wanted.roleRef)) return { object: { ...wanted, subjects: all }, recreate: true }
  const next = { ...withDefaults(existing, wanted), ...(missing.length > 0 && { subjects: all }) }
  return { object: deepEqual(next, existing) ? existing : next, recreate: false }
}

const isProtected = ({ metadata }: ClusterRole | ClusterRoleBinding): boolean => metadata.annotations?.[AUTOUPDATE_ANNOTATION] === 'false'

const sameSubject = (a: Subject, b: Subject): boolean =>
  a.kind === b.kind && a.name === b.name && (a.namespace ?? '') === (b.namespace ?? '')

/** Labels and annotations that are missing; values an operator changed stay. */
function withDefaults<T extends ClusterRole | ClusterRoleBinding>(existing: T, wanted: T): T {
  const labels = { ...wanted.metadata.labels, ...existing.metadata.labels }
  const annotations = { ...wanted.metadata.annotations, ...existing.metadata.annotations }
  return { ...existing, metadata: { ...existing.metadata, labels, annotations } }
}
