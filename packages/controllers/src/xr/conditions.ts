import { type Condition, formatTime, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { statusOf } from './machinery.ts'

/** The control plane's own; a function that sets one is not listened to (K74). */
const SYSTEM_TYPES: ReadonlySet<string> = new Set(['Ready', 'Synced', 'Healthy', 'UpToDate', 'Responsive'])
export const isSystemType = (type: string): boolean => SYSTEM_TYPES.has(type)

type Said = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>

export const responsive = (): Said => ({ type: 'Responsive', status: 'True', reason: 'WatchCircuitClosed' })
export const unresponsive = (why: string): Said => ({ type: 'Responsive', status: 'False', reason: 'WatchCircuitOpen', message: why })
export const synced = (): Said => ({ type: 'Synced', status: 'True', reason: 'ReconcileSuccess' })
export const notSynced = (message: string): Said => ({ type: 'Synced', status: 'False', reason: 'ReconcileError', message })
export const available = (): Said => ({ type: 'Ready', status: 'True', reason: 'Available' })
export const creating = (message?: string): Said => ({
  type: 'Ready',
  status: 'False',
  reason: 'Creating',
  ...(message !== undefined && { message }),
})
export const deleting = (): Said => ({ type: 'Ready', status: 'False', reason: 'Deleting' })
export const paused = (): Said => ({
  type: 'Synced',
  status: 'False',
  reason: 'ReconcilePaused',
  message: 'Reconciliation (including deletion) is paused via the pause annotation',
})

/**
 * The object with these conditions, in Crossplane's manner: the time moves when anything a condition says changes, not its status alone (K75).
 * The very same object when nothing does.
 */
export function withConditions(object: KubeObject, conditions: readonly Condition[], nowMs: number): KubeObject {
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

/** Of this generation of the object, where it has one. */
export const about = ({ metadata: { generation } }: KubeObject, ...said: readonly Said[]): readonly Condition[] =>
  said.map((each) => ({ ...each, ...(generation !== undefined && generation > 0 && { observedGeneration: generation }) }))

const isSame = (a: Condition, b: Condition): boolean =>
  a.status === b.status &&
  (a.reason ?? '') === (b.reason ?? '') &&
  (a.message ?? '') === (b.message ?? '') &&
  (a.observedGeneration ?? 0) === (b.observedGeneration ?? 0)
