import { hasReason, type KubeObject, messageOf } from '@weft/api'
import { conditionOf } from '@weft/composition'
import { notSynced, waiting } from '../binding/conditions.ts'
import { latestOf } from '../binding/live-object.ts'
import { kindOf } from './served-kinds.ts'
import type { ClaimTask } from './services.ts'
import { sayingUnbound, writeStatus } from './write-claim.ts'

/** Losing a race says nothing about the object, nor does a reconcile that was cut short. */
const isNoise = (error: unknown): boolean =>
  hasReason(error, 'Conflict') || (error instanceof Error && (error.name === 'AbortError' || error.name === 'ReconcileTimeoutError'))

/**
 * Tells the object that a person looks at why its controller cannot go on, whatever the reason: a failure that only the log of the control plane knows is a
 * failure that nobody can do anything about. What was ready is still ready. Never rejects: the caller goes on with the failure itself, and tries again.
 */
export async function tellFailure(task: ClaimTask, object: KubeObject, error: unknown, reason = 'ReconcileError'): Promise<void> {
  if (isNoise(error)) return
  const message = messageOf(error)
  try {
    const current = await latestOf(task.client, kindOf(object), object)
    if (current === undefined) return
    const known = conditionOf(current, 'Ready') !== undefined
    const said = conditionOf(current, 'Synced')?.message === message
    await writeStatus(task, current, {
      conditions: [...(known ? [] : [waiting(message)]), notSynced(message)],
      fields: sayingUnbound(current),
    })
    if (!said) task.events.warning(object, reason, message)
  } catch {
    // Whatever is the matter with it may be the matter with this too; it is told by the next attempt.
  }
}
