import { type Condition, deepEqual, formatTime, type KubeObject, setCondition, statusOf } from '@weft/api'
import { conditionOf, conditionsOf } from '@weft/composition'

/** X5: the conditions of claims and groups. */

export const available = (): Condition => ({ type: 'Ready', status: 'True', reason: 'Available' })
/** `message` says in one sentence what is waited for. */
export const waiting = (message: string): Condition => ({ type: 'Ready', status: 'False', reason: 'Waiting', message })
export const creating = (message?: string): Condition => ({
  type: 'Ready',
  status: 'False',
  reason: 'Creating',
  ...(message !== undefined && { message }),
})
export const binding = (message: string): Condition => ({ type: 'Ready', status: 'False', reason: 'Binding', message })
export const deleting = (): Condition => ({ type: 'Ready', status: 'False', reason: 'Deleting' })
export const synced = (): Condition => ({ type: 'Synced', status: 'True', reason: 'ReconcileSuccess' })
export const notSynced = (message: string): Condition => ({ type: 'Synced', status: 'False', reason: 'ReconcileError', message })
/** All is well, after something that somebody wrote was set back; `message` says what, and what to do instead. */
export const reverted = (message: string): Condition => ({ type: 'Synced', status: 'True', reason: 'Reverted', message })

/** A word about something that was set back stays until the object is edited again: the pass that follows has nothing to set back any more. */
export function stillReverted(object: KubeObject, condition: Condition): Condition {
  const before = conditionOf(object, 'Synced')
  const isSame = before?.reason === 'Reverted' && before.observedGeneration === object.metadata.generation
  return isSame && condition.type === 'Synced' && condition.reason === 'ReconcileSuccess' ? reverted(before.message ?? '') : condition
}

export interface StatusChange {
  readonly conditions?: readonly Condition[]
  readonly fields?: Readonly<Record<string, unknown>>
  /** The generation that was looked at; that of the object unless given. An edit that came meanwhile is not what is spoken of. */
  readonly generation?: number | undefined
  readonly nowMs: number
}

/**
 * The object with these conditions, and these further fields of status, without those that are undefined; the very same object when nothing changes. Each condition says which
 * generation it is about, so that whoever waits does not take yesterday's word for today's.
 */
export function withStatus<T extends KubeObject>(
  object: T,
  { conditions = [], fields = {}, generation = object.metadata.generation, nowMs }: StatusChange,
): T {
  const about = generation === undefined ? {} : { observedGeneration: generation }
  const status = statusOf(object)
  const before = conditionsOf(object)
  let after = before
  for (const condition of conditions) after = setCondition(after, { ...about, ...condition }, formatTime(nowMs))
  const next: Record<string, unknown> = { ...status, ...fields, ...(after !== before && { conditions: after }) }
  for (const [name, value] of Object.entries(fields)) if (value === undefined) delete next[name]
  return deepEqual(next, status) ? object : { ...object, status: next }
}
