import { hasReason, messageOf, withMeta } from '@weft/api'
import { sleep } from '@weft/client'
import { EXTERNAL_NAME, requestedExternalName } from '@weft/composition'
import { type Result, requeueAfter } from '@weft/runtime'
import type { Creation } from '../external/external-client.ts'
import { hasExternalCode, tookNoEffect } from '../external/external-error.ts'
import { refuseIfLost } from '../ownership/lost-in-restore.ts'
import { ownershipOfAssigned } from '../ownership/settle-ownership.ts'
import { CREATE_AGAIN, CREATE_FAILED, CREATE_PENDING, CREATE_SUCCEEDED } from '../resource/annotations.ts'
import { creationRecordOf, nextStepTime } from '../resource/creation-record.ts'
import type { ManagedResource } from '../resource/managed-resource.ts'
import { call, callContext, type Connected, step, StepFailure, store, withAnnotations } from './attempt.ts'
import { DEFAULTS } from './managed-kind.ts'
import { prepared } from './prepared.ts'

/** How soon to look again at something that turned out to exist. */
const SOON_MS = 100

export type CreateOutcome =
  | { readonly type: 'created' }
  /** The external name is known now; observe again. */
  | { readonly type: 'located' }
  | { readonly type: 'wait'; readonly result: Result }

/**
 * Creates the external resource. Before the call it is noted that one is under way, together with everything that must outlive a
 * crash (name, references, finalizer); after it, how it went.
 */
export async function createExternal(attempt: Connected): Promise<CreateOutcome> {
  const { kind, services } = attempt
  const now = services.clock.now()
  const record = creationRecordOf(attempt.resource)
  const graceMs = kind.creationGraceMs ?? DEFAULTS.creationGraceMs
  if (record.succeededAt !== undefined && !record.incomplete && now < record.succeededAt + graceMs)
    return {
      type: 'wait',
      result: requeueAfter(Math.min(record.succeededAt + graceMs - now, kind.notReadyIntervalMs ?? DEFAULTS.notReadyIntervalMs)),
    }
  if (
    kind.externalNames === 'assigned' &&
    record.incomplete &&
    requestedExternalName(attempt.resource) === undefined &&
    (await locate(attempt))
  )
    return { type: 'located' }

  await refuseIfLost(attempt)
  const pending = { [CREATE_PENDING]: nextStepTime(record, now) }
  await store(attempt, withAnnotations(withoutConsent(prepared(attempt, { adopting: false })), pending))
  let creation: Creation
  try {
    creation = await call(attempt, (external, resource, context) => external.create(resource, context))
  } catch (error) {
    // Not certain to have failed: the note stays, and the next observation decides. So it does when an earlier create, whose answer was
    // lost, can have made what is in the way now.
    const found = hasExternalCode(error, 'AlreadyExists')
    if (tookNoEffect(error) && !(found && record.incomplete)) await recordOutcome(attempt, { [CREATE_FAILED]: stepTime(attempt) })
    if (found) return { type: 'wait', result: requeueAfter(SOON_MS) }
    throw failureOf(error)
  }
  const assigned =
    kind.externalNames === 'assigned' && creation.externalName !== undefined ? assignedName(attempt, creation.externalName) : {}
  await recordOutcome(attempt, { [CREATE_SUCCEEDED]: stepTime(attempt), ...assigned })
  services.recordEvent(attempt.resource, {
    type: 'Normal',
    reason: 'CreatedExternalResource',
    message: 'Successfully requested creation of external resource',
  })
  if (creation.connection !== undefined) {
    const details = creation.connection
    await step('CannotPublishConnectionDetails', 'publish connection details', () => callContext(attempt).connection.publish(details))
  }
  return { type: 'created' }
}

/** After a create whose answer was lost: an external system that assigns names has to be asked for what it made. */
async function locate(attempt: Connected): Promise<boolean> {
  const { external } = attempt
  if (external.locate === undefined)
    throw new StepFailure(
      'CannotInitializeManagedResource',
      `cannot tell whether an earlier attempt created the external resource: look for it, then set the annotation ${EXTERNAL_NAME} if it exists, and remove ${CREATE_PENDING} if it does not`,
    )
  const name = await step('CannotObserveExternalResource', 'find the external resource', () =>
    call(attempt, async (client, object, context) => client.locate?.(object, context)),
  )
  if (name === undefined) return false
  await recordOutcome(attempt, { [CREATE_SUCCEEDED]: stepTime(attempt), ...assignedName(attempt, name) })
  return true
}

const assignedName = (attempt: Connected, name: string): Readonly<Record<string, string>> => ({
  [EXTERNAL_NAME]: name,
  ...ownershipOfAssigned(attempt, name),
})

/** Consent to create something again is for once. */
function withoutConsent(resource: ManagedResource): ManagedResource {
  const { [CREATE_AGAIN]: consent, ...annotations } = resource.metadata.annotations ?? {}
  return consent === undefined ? resource : withMeta(resource, { annotations })
}

/** Notes that a create whose outcome was unknown has succeeded: its result has been seen. */
export async function recordSeen(attempt: Connected): Promise<void> {
  if (creationRecordOf(attempt.resource).incomplete) await recordOutcome(attempt, { [CREATE_SUCCEEDED]: stepTime(attempt) })
}

const stepTime = ({ resource, services }: Connected): string => nextStepTime(creationRecordOf(resource), services.clock.now())

const RECORD_ATTEMPTS = 4
const RECORD_TIMEOUT_MS = 4_000

/**
 * Writes the outcome as a patch, which cannot lose a race, and with a client that outlives the reconcile: an outcome that is not
 * recorded has to be found out again. The uid keeps it from landing on a later object of the same name.
 */
async function recordOutcome(attempt: Connected, annotations: Readonly<Record<string, string>>): Promise<void> {
  const { services, kind, resource } = attempt
  const { name = '', namespace, uid } = resource.metadata
  const signal = AbortSignal.timeout(RECORD_TIMEOUT_MS)
  for (let count = 1; ; count++) {
    try {
      attempt.resource = await services.client.patch<ManagedResource>(
        kindOf(kind),
        { name, namespace },
        { type: 'merge', body: { metadata: { uid, annotations } } },
        { signal },
      )
      return
    } catch (error) {
      if (hasReason(error, 'NotFound') || count === RECORD_ATTEMPTS)
        throw new StepFailure('CannotUpdateManagedResource', `cannot record how the creation went: ${String(error)}`, { cause: error })
      await sleep(services.clock, 50 * 2 ** count, signal)
    }
  }
}

const kindOf = ({ group, kind }: { group: string; kind: string }): { group: string; kind: string } => ({ group, kind })

const failureOf = (error: unknown): unknown =>
  hasReason(error, 'Conflict')
    ? error
    : new StepFailure('CannotCreateExternalResource', `cannot create the external resource: ${messageOf(error)}`, { cause: error })
