import { getOwn, type KubeObject, statusOf } from '@weft/api'
import { conditionOf } from '@weft/composition'
import { claimRecordOf } from './claim-record.ts'

/**
 * How far binding has come. One machine for managed resources and groups:
 *
 *     Unbindable ──available──▶ Unbound ──bind──▶ Bound ──unbind──▶ Released
 *
 * The controller of a managed resource makes it Unbound once it is available; a binder makes it Bound, and Released when the claimant goes.
 * Nothing leads out of Released: what somebody else has used is not handed on.
 */
export type BindingPhase = 'Unbindable' | 'Unbound' | 'Bound' | 'Released'

const PHASES: ReadonlySet<unknown> = new Set<BindingPhase>(['Unbindable', 'Unbound', 'Bound', 'Released'])
const isPhase = (value: unknown): value is BindingPhase => PHASES.has(value)

export function phaseOf(object: KubeObject): BindingPhase {
  const phase = getOwn(statusOf(object), 'bindingPhase')
  return isPhase(phase) ? phase : 'Unbindable'
}

/** The phase of something that claims may have, which may be a composite resource. Never of a claim: its author writes its annotations. */
export function resourcePhaseOf(object: KubeObject): BindingPhase {
  const phase = claimRecordOf(object)?.bindingPhase
  return isPhase(phase) ? phase : phaseOf(object)
}

/**
 * May it be bound now? Besides Unbound, that is a resource whose controller reports that it is ready but knows nothing of phases: kinds that
 * were never written for claims can be claimed too.
 */
export function isBindable(object: KubeObject): boolean {
  const phase = resourcePhaseOf(object)
  if (phase === 'Unbound' || phase === 'Bound') return true
  if (phase === 'Released') return false
  return !saysPhase(object) && conditionOf(object, 'Ready')?.status === 'True'
}

/** Has anybody said how far binding has come? */
export function saysPhase(object: KubeObject): boolean {
  const phase = getOwn(statusOf(object), 'bindingPhase')
  return typeof phase === 'string' && phase !== ''
}

export const withPhase = (object: KubeObject, phase: BindingPhase): KubeObject => ({
  ...object,
  status: { ...statusOf(object), bindingPhase: phase },
})
