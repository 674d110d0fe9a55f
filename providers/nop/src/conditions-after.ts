import type { Condition } from '@weft/api'
import { ExternalError } from '@weft/provider-sdk'
import { parseDuration } from './duration.ts'
import type { ConditionAfter } from './nop-resource.ts'

export interface Simulated {
  /** What the conditions are by now; of each type the latest that is due. */
  readonly conditions: readonly Condition[]
  readonly ready: boolean
  /** Until the next one is due; undefined when all are. */
  readonly nextInMs: number | undefined
}

/** The conditions that `spec.forProvider.conditionAfter` asks for, so long after the creation. Ready unless one is about Ready. */
export function conditionsAfter(wanted: readonly ConditionAfter[], elapsedMs: number): Simulated {
  const due = new Map<string, { readonly atMs: number; readonly condition: Condition }>()
  let nextInMs: number | undefined
  let ready = !wanted.some(({ conditionType }) => conditionType === 'Ready')
  for (const entry of wanted) {
    const atMs = parseDuration(entry.time)
    if (atMs === undefined)
      throw new ExternalError(
        'Invalid',
        `spec.forProvider.conditionAfter: ${JSON.stringify(entry.time)} is not a duration such as 10s or 1m30s`,
      )
    if (atMs > elapsedMs) nextInMs = Math.min(nextInMs ?? Infinity, atMs - elapsedMs)
    else if (atMs >= (due.get(entry.conditionType)?.atMs ?? 0)) due.set(entry.conditionType, { atMs, condition: conditionOf(entry) })
  }
  const atLast = due.get('Ready')?.condition
  if (atLast !== undefined) ready = atLast.status === 'True'
  return { conditions: [...due.values()].map(({ condition }) => condition), ready, nextInMs }
}

/** Without a reason of their own, Ready and Synced have the usual ones (X5). */
function conditionOf({ conditionType, conditionStatus, conditionReason, conditionMessage }: ConditionAfter): Condition {
  const reason = conditionReason ?? USUAL[`${conditionType}=${conditionStatus}`] ?? 'Simulated'
  return { type: conditionType, status: conditionStatus, reason, ...(conditionMessage !== undefined && { message: conditionMessage }) }
}

const USUAL: Readonly<Record<string, string>> = {
  'Ready=True': 'Available',
  'Ready=False': 'Creating',
  'Synced=True': 'ReconcileSuccess',
  'Synced=False': 'ReconcileError',
}
