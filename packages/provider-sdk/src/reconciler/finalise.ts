import { hasReason, withMeta } from '@weft/api'
import { done, type Result, requeueAfter } from '@weft/runtime'
import { FINALIZER } from '../resource/annotations.ts'
import { creationRecordOf } from '../resource/creation-record.ts'
import { type Attempt, call, type Connected, credentialsOf, step } from './attempt.ts'
import { DEFAULTS } from './managed-kind.ts'
import { pollDelay } from './poll.ts'
import { readyCondition, SYNCED, writeReport } from './report.ts'
import { observe } from './synchronise.ts'

/** Deletes the external resource, and lets the managed resource go once it is certain that nothing is left. */
export async function deleteExternal(attempt: Connected): Promise<Result> {
  const found = await observe(attempt)
  if (!found.exists) return certainlyGone(attempt)
  // Whatever was recorded: what is there by now is not its own to delete.
  if (found.heldBy !== undefined) return release(attempt)
  if (found.readiness !== 'deleting') {
    await step('CannotDeleteExternalResource', 'delete the external resource', () =>
      call(attempt, (external, resource, context) => external.delete(resource, context)),
    )
    attempt.services.recordEvent(attempt.resource, {
      type: 'Normal',
      reason: 'DeletedExternalResource',
      message: 'Successfully requested deletion of external resource',
    })
    const left = await observe(attempt)
    if (!left.exists) return release(attempt)
  }
  await writeReport(attempt, { conditions: [readyCondition('deleting', found.message), SYNCED], observed: found })
  return requeueAfter(pollDelay(attempt, { ready: false, recheckAfterMs: found.recheckAfterMs, watched: found.watched }))
}

/** A create whose answer was lost may still be on its way, and what it makes would be nobody's. */
async function certainlyGone(attempt: Connected): Promise<Result> {
  const { pendingAt, incomplete } = creationRecordOf(attempt.resource)
  const waitMs =
    incomplete && pendingAt !== undefined
      ? pendingAt + (attempt.kind.createInFlightMs ?? DEFAULTS.createInFlightMs) - attempt.services.clock.now()
      : 0
  if (waitMs <= 0) return release(attempt)
  await writeReport(attempt, { conditions: [readyCondition('deleting', 'waiting for the outcome of an unanswered create'), SYNCED] })
  return requeueAfter(Math.min(waitMs, pollDelay(attempt, { ready: false })))
}

/** Removes our finalizer; the object goes when the others' are gone too. `staying`: what the external resource does. */
export async function release(attempt: Attempt, { staying = false }: { readonly staying?: boolean } = {}): Promise<Result> {
  const finalizers = attempt.resource.metadata.finalizers ?? []
  if (!finalizers.includes(FINALIZER)) return done
  const { kind, context } = attempt
  if (kind.connector.release !== undefined)
    await step('CannotDeleteExternalResource', 'let go of what it held', async () =>
      kind.connector.release?.(attempt.resource, {
        client: context.client,
        signal: context.signal,
        credentials: () => credentialsOf(attempt),
        staying,
      }),
    )
  const rest = finalizers.filter((finalizer) => finalizer !== FINALIZER)
  try {
    await attempt.context.client.update(withMeta(attempt.resource, { finalizers: rest.length > 0 ? rest : undefined }))
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
  return done
}
