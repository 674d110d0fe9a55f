/** The condition that every Weft kind reports (BEHAVIOUR X5). */
export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
  readonly observedGeneration?: number
}

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type)
}

/**
 * The list with `next` set. `lastTransitionTime` moves only when the status changes, and an identical condition
 * answers the very same list, so that callers can skip a write by comparing references.
 */
export function setCondition(conditions: readonly Condition[] | undefined, next: Condition, now: string): readonly Condition[] {
  const list = conditions ?? []
  const old = findCondition(list, next.type)
  if (old === undefined) return [...list, { ...next, lastTransitionTime: now }]
  const same =
    old.status === next.status &&
    old.reason === next.reason &&
    old.message === next.message &&
    old.observedGeneration === next.observedGeneration
  if (same) return list
  const lastTransitionTime = old.status === next.status ? (old.lastTransitionTime ?? now) : now
  return list.map((condition) => (condition === old ? { ...next, lastTransitionTime } : condition))
}
