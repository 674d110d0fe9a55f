import { type Condition, deepEqual, findCondition, formatTime, setCondition } from '@weft/api'
import type { Observation, Readiness } from '../external/external-client.ts'
import { RECONCILE_REQUESTED_AT } from '../resource/annotations.ts'
import { type BindingPhase, type ManagedResource, type ManagedStatus, statusOf } from '../resource/managed-resource.ts'
import type { Attempt, ManagedServices } from './attempt.ts'

/** Conditions of managed resources (X5). */
const READY: Readonly<Record<Readiness, Condition>> = {
  available: { type: 'Ready', status: 'True', reason: 'Available' },
  creating: { type: 'Ready', status: 'False', reason: 'Creating' },
  unavailable: { type: 'Ready', status: 'False', reason: 'Unavailable' },
  deleting: { type: 'Ready', status: 'False', reason: 'Deleting' },
}

export const SYNCED: Condition = { type: 'Synced', status: 'True', reason: 'ReconcileSuccess' }

export const readyCondition = (readiness: Readiness, message?: string): Condition => ({
  ...READY[readiness],
  ...(message !== undefined && message !== '' && { message }),
})

export const notSynced = (message: string): Condition => ({ type: 'Synced', status: 'False', reason: 'ReconcileError', message })

export const pausedCondition = (message: string): Condition => ({ type: 'Synced', status: 'False', reason: 'ReconcilePaused', message })

/** A resource that is left alone for a reason of its own. */
export const refusedConditions = (reason: string, message: string, unready: boolean): readonly Condition[] => [
  { type: 'Synced', status: 'False', reason, message },
  ...(unready ? [{ type: 'Ready', status: 'False', reason, message } as const] : []),
]

export interface Report {
  readonly conditions: readonly Condition[]
  readonly observed?: Extract<Observation, { exists: true }>
}

/** The status that says this; the very same one when it does already. */
export function withReport(resource: ManagedResource, report: Report, now: string): ManagedStatus {
  const status = statusOf(resource)
  const observedGeneration = resource.metadata.generation
  let conditions = status.conditions
  // The provider's own word wins over ours; each type is set once, or its time of transition would change every time.
  const said = new Map([...report.conditions, ...(report.observed?.conditions ?? [])].map((condition) => [condition.type, condition]))
  for (const condition of said.values())
    conditions = setCondition(conditions, { ...condition, ...(observedGeneration !== undefined && { observedGeneration }) }, now)
  const requestedAt = resource.metadata.annotations?.[RECONCILE_REQUESTED_AT]
  const bindingPhase = phaseAfter(status.bindingPhase, findCondition(conditions, 'Ready')?.status === 'True')
  const next: ManagedStatus = {
    ...status,
    ...report.observed?.status,
    ...(conditions !== undefined && { conditions }),
    ...(report.observed?.atProvider !== undefined && { atProvider: report.observed.atProvider }),
    ...(requestedAt !== undefined && { lastHandledReconcileAt: requestedAt }),
    bindingPhase,
  }
  return deepEqual(next, status) ? status : next
}

/** Unbindable → Unbound once available. From there on the phase belongs to whoever binds; Released never comes back. */
function phaseAfter(phase: BindingPhase | undefined, available: boolean): BindingPhase {
  if (phase === undefined || phase === '' || phase === 'Unbindable') return available ? 'Unbound' : 'Unbindable'
  return phase
}

/** Writes the status, if it changed. */
export async function writeReport(
  attempt: Attempt,
  report: Report,
  client: Attempt['context']['client'] = attempt.context.client,
): Promise<void> {
  const next = statusWith(attempt, report)
  if (next !== undefined) attempt.resource = await client.updateStatus(next)
}

function statusWith(
  { resource, services }: { resource: ManagedResource; services: ManagedServices },
  report: Report,
): ManagedResource | undefined {
  const status = withReport(resource, report, formatTime(services.clock.now()))
  return status === resource.status ? undefined : { ...resource, status }
}
