import { findCondition, hasReason, messageOf } from '@weft/api'
import { EXTERNAL_NAME, requestedExternalName } from '@weft/composition'
import {
  done,
  type Need,
  type Reconcile,
  type ReconcileContext,
  type Request,
  requeueAfter,
  type Result,
  TerminalError,
} from '@weft/runtime'
import { CredentialsError } from '../external/credentials.ts'
import type { ExternalClient } from '../external/external-client.ts'
import { ExternalError } from '../external/external-error.ts'
import { Refusal } from '../ownership/refusal.ts'
import { ownsForDeletion, settleOwnership } from '../ownership/settle-ownership.ts'
import { resolveReferences, UnresolvedReferenceError } from '../references/resolve-references.ts'
import { untilThere } from '../references/awaited-target.ts'
import { DELETION_TURN, FINALIZER } from '../resource/annotations.ts'
import { isBeingDeleted, type ManagedResource, statusOf } from '../resource/managed-resource.ts'
import { deletesExternal, managementOf } from '../resource/policies.ts'
import {
  type Attempt,
  type Connected,
  credentialsOf,
  inTime,
  type ManagedServices,
  step,
  StepFailure,
  store,
  withAnnotations,
} from './attempt.ts'
import { deleteExternal, release } from './finalise.ts'
import type { ManagedKind } from './managed-kind.ts'
import { pollDelay } from './poll.ts'
import { notSynced, pausedCondition, readyCondition, refusedConditions, SYNCED, writeReport } from './report.ts'
import { synchronise } from './synchronise.ts'

/**
 * The reconciler of a managed kind (BEHAVIOUR 9): references → ownership → connect → observe → create, update or delete → publish → report.
 *
 * - Nothing happens to what is paused.
 * - A failure is reported (Warning event, `Synced=False`) and retried with back-off; a lost race is retried in silence.
 * - What belongs to another managed resource, or was not created here, is left alone, and the resource says so (`Refusal`).
 * - A spec that cannot be acted upon is reported and waits until it changes.
 * - Otherwise the resource is looked at again after the poll interval, or sooner while it is not available.
 */
export function managedReconcile(kind: ManagedKind, services: ManagedServices): Reconcile<ManagedResource> {
  return async (request, context) => {
    const resource = await read(request, context)
    if (resource === undefined) {
      kind.connector.forget?.(request)
      return done
    }
    const decision = managementOf(resource)
    const attempt: Attempt = { kind, services, context, resource, policy: decision.kind === 'manage' ? decision.policy : NOTHING }
    if (decision.kind === 'paused') return reportPaused(attempt, decision.message)
    try {
      if (decision.kind === 'invalid') throw new TerminalError(decision.message)
      const result = await (isBeingDeleted(resource) ? end(attempt) : keep(attempt))
      context.follow([])
      return result
    } catch (error) {
      context.follow(awaitedBy(error))
      return reportFailure(attempt, error)
    }
  }
}

/** Something that is not there yet, and whose coming can be watched for. */
function awaitedBy(error: unknown): readonly Need[] {
  const cause = error instanceof StepFailure ? error.cause : error
  const awaited = cause instanceof UnresolvedReferenceError || cause instanceof CredentialsError ? cause.awaited : undefined
  return awaited === undefined ? [] : untilThere(awaited)
}

const NOTHING = { create: false, update: false, delete: false, lateInitialize: false }

/** From memory: it may lag behind, but then the first write fails and the next attempt sees the newer one. */
function read({ name, namespace }: Request, { primary }: ReconcileContext<ManagedResource>): Promise<ManagedResource | undefined> {
  return Promise.resolve(primary.get({ name, namespace }))
}

async function keep(attempt: Attempt): Promise<Result> {
  await resolve(attempt)
  await name(attempt)
  if ((await settleOwnership(attempt)) === 'reserved') return requeueAfter(pollDelay(attempt, { ready: false }))
  return synchronise(await connect(attempt))
}

/** References are not resolved for what goes away, and what is to be left alone needs no credentials to be left. */
async function end(attempt: Attempt): Promise<Result> {
  if (attempt.resource.metadata.finalizers?.includes(FINALIZER) !== true) return done
  if (attempt.resource.metadata.finalizers.includes(DELETION_TURN)) {
    await writeReport(attempt, {
      conditions: [readyCondition('deleting', 'waiting for its turn: its composite deletes its members in order'), SYNCED],
    })
    return done
  }
  if (!deletesExternal(attempt.resource, attempt.policy) || !ownsForDeletion(attempt)) return release(attempt, { staying: true })
  return deleteExternal(await connect(attempt))
}

/** What could be resolved is stored even when something else could not: it is what was chosen. */
async function resolve(attempt: Attempt): Promise<void> {
  const { kind, services, context } = attempt
  const targets = services.targets(kind)
  if (targets.length === 0) return
  const { resource, error } = await step('CannotResolveResourceReferences', 'resolve references', () =>
    resolveReferences(attempt.resource, { client: context.client, random: services.random, targets }),
  )
  await store(attempt, resource)
  if (error !== undefined)
    throw new StepFailure('CannotResolveResourceReferences', `cannot resolve references: ${error.message}`, { cause: error })
}

/** The name that its spec states otherwise than by the annotation, where that is not there. */
async function name(attempt: Attempt): Promise<void> {
  const { kind, resource } = attempt
  if (kind.statedName === undefined || requestedExternalName(resource) !== undefined) return
  const stated = kind.statedName(resource)
  if (stated !== undefined) await store(attempt, withAnnotations(resource, { [EXTERNAL_NAME]: stated }))
}

async function connect(attempt: Attempt): Promise<Connected> {
  const { kind, context, services } = attempt
  const { client, signal } = context
  const { name = '', namespace } = attempt.resource.metadata
  const external: ExternalClient = await step('CannotConnectToProvider', 'connect to the provider', () =>
    inTime(signal, () =>
      kind.connector.connect(attempt.resource, {
        client,
        signal,
        credentials: () => credentialsOf(attempt),
        requeue: () => services.requeue?.(kind, { name, namespace }),
      }),
    ),
  )
  return Object.assign(attempt, { external })
}

async function reportPaused(attempt: Attempt, message: string): Promise<Result> {
  const before = findCondition(statusOf(attempt.resource).conditions, 'Synced')
  const paused = pausedCondition(message)
  await writeReport(attempt, { conditions: [paused] })
  if (before?.reason !== paused.reason)
    attempt.services.recordEvent(attempt.resource, { type: 'Normal', reason: 'ReconciliationPaused', message })
  return done
}

/** Says on the resource why it is left alone, once. What others do wakes it; it is looked at again in any case. */
async function reportRefusal(attempt: Attempt, { reason, message, unready, soon }: Refusal): Promise<Result> {
  const before = findCondition(statusOf(attempt.resource).conditions, 'Synced')
  if (before?.reason !== reason || before.message !== message)
    attempt.services.recordEvent(attempt.resource, { type: 'Warning', reason, message })
  await writeReport(attempt, { conditions: refusedConditions(reason, message, unready) })
  return requeueAfter(pollDelay(attempt, { ready: !soon }))
}

const REPORT_TIMEOUT_MS = 4_000

/** Says on the resource what went wrong, then lets the queue decide when to try again. */
async function reportFailure(attempt: Attempt, error: unknown): Promise<Result> {
  const { context, services } = attempt
  if (hasReason(error, 'Conflict') || isStopping(context.signal)) throw error
  if (error instanceof Refusal) return reportRefusal(attempt, error)
  const { reason, message } = error instanceof StepFailure ? error : { reason: 'CannotReconcile', message: messageOf(error) }
  services.recordEvent(attempt.resource, { type: 'Warning', reason, message })
  // Not with the client of the reconcile: its time may be up, which is what there is to say.
  const client = services.client.withSignal(AbortSignal.timeout(REPORT_TIMEOUT_MS))
  await writeReport(attempt, { conditions: [notSynced(message)] }, client).catch((thrown: unknown) => {
    if (!hasReason(thrown, 'NotFound') && !hasReason(thrown, 'Conflict'))
      context.log.warn('cannot report a failure on the resource', { error: thrown })
  })
  const cause = error instanceof StepFailure ? error.cause : error
  // The external system said when: coming earlier would only be refused, and much later would be waste.
  if (cause instanceof ExternalError && cause.retryAfterMs !== undefined)
    return requeueAfter(Math.round(cause.retryAfterMs * (1 + 0.1 * services.random())))
  throw error
}

const isStopping = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && !(reason instanceof Error && reason.name === 'ReconcileTimeoutError')
