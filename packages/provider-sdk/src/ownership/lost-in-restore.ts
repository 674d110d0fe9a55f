import { getOwn, isJsonObject, SYSTEM_NAMESPACE } from '@weft/api'
import { type Client, defineKind, type StaticKind } from '@weft/client'
import type { Attempt } from '../reconciler/attempt.ts'
import { step } from '../reconciler/attempt.ts'
import { CREATE_AGAIN } from '../resource/annotations.ts'
import { creationRecordOf, wasCreated } from '../resource/creation-record.ts'
import { ownershipOf } from './ownership-record.ts'
import { Refusal } from './refusal.ts'

/** Written when a control plane first starts on a store that was restored from a backup. */
const NOTICE = { namespace: SYSTEM_NAMESPACE, name: 'weft-restored' }
const configMapKind: StaticKind = defineKind({ group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true })

/**
 * The external resource is not there, and is about to be created: throws Refusal if it existed before the control plane was restored from a
 * backup. Creating it again would put something empty in the place of what somebody relies on, and call it Ready. In all other cases what
 * is gone is made again, as any drift is repaired.
 */
export async function refuseIfLost(attempt: Attempt): Promise<void> {
  const existedAt = lastKnown(attempt)
  if (existedAt === undefined || attempt.resource.metadata.annotations?.[CREATE_AGAIN] === 'true') return
  const restoredAt = await step('CannotObserveExternalResource', `find out whether this control plane was restored from a backup`, () =>
    restoreTime(attempt.context.client),
  )
  if (restoredAt === undefined || existedAt > restoredAt) return
  throw new Refusal(
    'ExternalResourceLost',
    `the external resource is gone: it existed before this control plane was restored from a backup (${new Date(restoredAt).toISOString()}), ` +
      `and is not created again automatically, because its data would be missing. Bring it back under its name, or set the annotation ` +
      `${CREATE_AGAIN}: "true" on ${attempt.kind.kind} ${attempt.resource.metadata.name ?? ''} to create an empty one`,
  )
}

/** When it is last known to have existed, or may have. */
function lastKnown({ resource }: Attempt): number | undefined {
  const record = creationRecordOf(resource)
  if (wasCreated(record)) return Math.max(record.succeededAt ?? -Infinity, record.incomplete ? (record.pendingAt ?? -Infinity) : -Infinity)
  const adoptedAt = Date.parse(ownershipOf(resource)?.at ?? '')
  return Number.isNaN(adoptedAt) ? undefined : adoptedAt
}

async function restoreTime(client: Client): Promise<number | undefined> {
  const notice = await client.find(configMapKind, NOTICE)
  if (notice === undefined) return undefined
  const data = notice['data']
  const time = Date.parse(String(isJsonObject(data) ? getOwn(data, 'restoredAt') : ''))
  // A notice that cannot be read is a notice.
  return Number.isNaN(time) ? Number.MAX_SAFE_INTEGER : time
}
