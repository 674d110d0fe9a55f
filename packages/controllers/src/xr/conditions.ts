import { type Condition, deepEqual, formatTime, type KubeObject, statusOf } from '@weft/api'
import type { Client } from '@weft/client'
import { conditionsOf } from '@weft/composition'
import { CORE_MANAGER } from '../definition/core-manager.ts'

/** The control plane's own; a function that sets one is not listened to (K74). */
const SYSTEM_TYPES: ReadonlySet<string> = new Set(['Ready', 'Synced', 'Healthy', 'UpToDate', 'Responsive'])
export const isSystemType = (type: string): boolean => SYSTEM_TYPES.has(type)

export const responsive = (): Condition => ({ type: 'Responsive', status: 'True', reason: 'WatchCircuitClosed' })
export const unresponsive = (why: string): Condition => ({ type: 'Responsive', status: 'False', reason: 'WatchCircuitOpen', message: why })
export const paused = (): Condition => ({
  type: 'Synced',
  status: 'False',
  reason: 'ReconcilePaused',
  message: 'Reconciliation (including deletion) is paused via the pause annotation',
})

/**
 * The object with these conditions, in Crossplane's manner: the time moves when anything a condition says changes, not its status alone (K75).
 * The very same object when nothing does.
 */
export function withConditions<T extends KubeObject>(object: T, conditions: readonly Condition[], nowMs: number): T {
  let list = conditionsOf(object)
  for (const condition of conditions) {
    const { lastTransitionTime = formatTime(nowMs), ...said } = condition
    const at = list.findIndex(({ type }) => type === said.type)
    const before = list[at]
    if (before !== undefined && isSame(before, said)) continue
    const next = { ...said, lastTransitionTime }
    list = before === undefined ? [...list, next] : list.with(at, next)
  }
  return list === conditionsOf(object) ? object : { ...object, status: { ...statusOf(object), conditions: list } }
}

/** The object, saying this of its present generation. */
export const saying = <T extends KubeObject>(object: T, nowMs: number, ...said: readonly Condition[]): T =>
  withConditions(object, about(object, ...said), nowMs)

/** Writes the status of `after`, where it is another than the server has: that of `before` (K52). */
export async function report(client: Client, before: KubeObject, after: KubeObject): Promise<void> {
  if (deepEqual(statusOf(before), statusOf(after))) return
  await client.updateStatus({ ...before, status: statusOf(after) }, { fieldManager: CORE_MANAGER })
}

/** Of this generation of the object, where it has one. */
export const about = ({ metadata: { generation } }: KubeObject, ...said: readonly Condition[]): readonly Condition[] =>
  said.map((each) => ({ ...each, ...(generation !== undefined && generation > 0 && { observedGeneration: generation }) }))

const isSame = (a: Condition, b: Condition): boolean =>
  a.status === b.status &&
  (a.reason ?? '') === (b.reason ?? '') &&
  (a.message ?? '') === (b.message ?? '') &&
  (a.observedGeneration ?? 0) === (b.observedGeneration ?? 0)
