import { type Result, requeueAfter } from '@weft/runtime'
import type { Observation } from '../external/external-client.ts'
import { isEstablished, mayPublish, takeOwnership } from '../ownership/settle-ownership.ts'
import { withLateInit } from '../resource/managed-resource.ts'
import { takesPart } from '../resource/policies.ts'
import { type Attempt, call, callContext, type Connected, step, StepFailure, store } from './attempt.ts'
import { createExternal, recordSeen } from './create-external.ts'
import { pollDelay, unchangedFor } from './poll.ts'
import { prepared } from './prepared.ts'
import { readyCondition, SYNCED, writeReport } from './report.ts'

type Existing = Extract<Observation, { exists: true }>

/** Observes, and makes the external resource what the managed resource says, as far as the management policies allow. */
export async function synchronise(attempt: Connected): Promise<Result> {
  const observation = await observe(attempt)
  if ((await takeOwnership(attempt, observation)) === 'reserved') return requeueAfter(pollDelay(attempt, { ready: false }))
  if (observation.exists) {
    await claim(attempt)
    return synchroniseExisting(attempt, observation)
  }
  if (!attempt.policy.create) throw new StepFailure('CannotObserveExternalResource', missing(observation.message))
  const outcome = await createExternal(attempt)
  if (outcome.type === 'wait') {
    await writeReport(attempt, { conditions: [readyCondition('creating'), SYNCED] })
    return outcome.result
  }
  // Systems that are quick are done by now, and one reconcile is enough.
  const made = await observe(attempt)
  if (made.exists) return synchroniseExisting(attempt, made)
  await writeReport(attempt, { conditions: [readyCondition('creating'), SYNCED] })
  return requeueAfter(pollDelay(attempt, { ready: false }))
}

const missing = (message: string | undefined): string =>
  `the external resource does not exist, and spec.managementPolicies does not include "Create"${message === undefined ? '' : ` (${message})`}`

export const observe = (attempt: Connected): Promise<Observation> =>
  step('CannotObserveExternalResource', 'observe the external resource', () =>
    call(attempt, (external, resource, context) => external.observe(resource, context)),
  )

/** A mark is a change, too: only who may change it marks it. */
async function claim(attempt: Connected): Promise<void> {
  if (isEstablished(attempt.resource) || !attempt.policy.update) return
  await step('CannotUpdateExternalResource', 'take over the external resource', () =>
    call(attempt, async (external, resource, context) => external.claim?.(resource, context)),
  )
}

async function synchroniseExisting(attempt: Connected, observation: Existing): Promise<Result> {
  const { policy, services } = attempt
  await recordSeen(attempt)
  const adopting = takesPart(policy) && !isEstablished(attempt.resource)
  await store(attempt, wanted(attempt, observation))
  if (adopting && attempt.kind.adoption !== 'free')
    services.recordEvent(attempt.resource, {
      type: 'Normal',
      reason: 'AdoptedExternalResource',
      message: 'Took over an external resource that existed already',
    })
  const withheld = observation.connection !== undefined && !mayPublish(attempt)
  if (!withheld) await publish(attempt, observation)
  let observed = observation
  if (!observation.upToDate && policy.update && observation.readiness !== 'deleting') {
    const change = await step('CannotUpdateExternalResource', 'update the external resource', () =>
      call(attempt, (external, resource, context) => external.update(resource, context)),
    )
    await publish(attempt, change)
    if (change.atProvider !== undefined) observed = { ...observation, atProvider: { ...observation.atProvider, ...change.atProvider } }
    const what = observation.difference === undefined ? '' : `: ${observation.difference}`
    services.recordEvent(attempt.resource, {
      type: 'Normal',
      reason: 'UpdatedExternalResource',
      message: `Successfully requested update of external resource${what}`,
    })
  }
  const message = [observation.message, withheld ? WITHHELD : undefined].filter((part) => part !== undefined && part !== '').join('; ')
  await writeReport(attempt, { conditions: [readyCondition(observation.readiness, message), SYNCED], observed })
  const { readiness, recheckAfterMs, watched, upToDate } = observation
  // What had to be put right is watched closely for a while, though nothing of it shows in the object.
  const counts = upToDate && services.maxPollIntervalMs !== undefined
  const unchangedMs = counts ? unchangedFor(attempt.resource, services.clock.now()) : undefined
  return requeueAfter(pollDelay(attempt, { ready: readiness === 'available', recheckAfterMs, watched, unchangedMs }))
}

const WITHHELD = 'its connection details are not published: it is only observed here, and belongs to another resource'

/** What is only looked at gets no finalizer: nothing of ours would be left behind. */
function wanted(attempt: Attempt, { lateInit }: Existing): Attempt['resource'] {
  const { resource, policy } = attempt
  const managed = takesPart(policy) ? prepared(attempt, { adopting: true }) : resource
  return policy.lateInitialize && lateInit !== undefined ? withLateInit(managed, lateInit) : managed
}

async function publish(attempt: Connected, { connection }: { readonly connection?: Existing['connection'] }): Promise<void> {
  if (connection === undefined) return
  const wrote = await step('CannotPublishConnectionDetails', 'publish connection details', () =>
    callContext(attempt).connection.publish(connection),
  )
  if (wrote) attempt.context.log.debug('published connection details')
}
