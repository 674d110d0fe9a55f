import { EXTERNAL_NAME } from '@weft/composition'
import { type CallContext, CREATE_PENDING, creationRecordOf, ExternalError, type ManagedResource } from '@weft/provider-sdk'
import type { ResourceState } from '@weft/terraform'
import type { BridgedResource } from './bridged-resource.ts'
import { importKey } from './import-key.ts'
import type { Operation, ResourceRecord } from './resource-record.ts'

/** What somebody has to look at. */
export function interruptedCreate(resource: ManagedResource, startedAt: number | undefined, hint?: string): ExternalError {
  const when = startedAt === undefined ? '' : ` at ${new Date(startedAt).toISOString()}`
  const why = hint === undefined ? '' : ` (${hint})`
  // It takes the place of something that was made before and is gone, whose name the object keeps.
  const again = creationRecordOf(resource).succeededAt !== undefined
  const exists = again
    ? `set deletionPolicy: Orphan, delete this object, and create one with the annotation ${EXTERNAL_NAME} set to the id that it is imported by`
    : `set the annotation ${EXTERNAL_NAME} to the id that it is imported by`
  const named = again || hint === undefined ? '' : ` and ${EXTERNAL_NAME}, if that is set`
  return new ExternalError(
    'Unavailable',
    `its creation was interrupted${when}, and it is not known whether it succeeded${why}: look for it. ` +
      `If it exists, ${exists}; if it does not, remove the annotation ${CREATE_PENDING}${named}`,
  )
}

/**
 * The create that was cut off, and of which nobody knows what became. A later attempt is only begun when the one before was settled: a note of an
 * earlier one says that of the later one nothing was sent.
 */
export function unsettledCreate(resource: ManagedResource, record: ResourceRecord | undefined): Operation | undefined {
  const { pendingAt, incomplete } = creationRecordOf(resource)
  const operation = record?.operation
  if (operation?.kind !== 'create' || record?.state !== undefined || !incomplete) return undefined
  return operation.pendingAt === undefined || operation.pendingAt === pendingAt ? operation : undefined
}

/** Looks for what it made by a name. Throws what somebody has to do where that cannot be done: some types cannot be imported at all. */
export async function lookForInterrupted(
  it: BridgedResource,
  { name, startedAt, signal }: { readonly name: string; readonly startedAt: number; readonly signal: AbortSignal },
): Promise<ResourceState | undefined> {
  try {
    return await it.ask((driver) => driver.import(importKey(it.of, name), { signal }))
  } catch (error) {
    if (!(error instanceof ExternalError && error.code === 'Unavailable')) throw error
    throw interruptedCreate(it.resource, startedAt, `looking for ${JSON.stringify(name)} failed: ${error.message}`)
  }
}

export interface Found {
  readonly state: ResourceState
  readonly name: string
}

/**
 * What a create that was cut off made, looked for by the name that was foreseen. Undefined: certainly nothing. Throws where that cannot be told:
 * no name was foreseen, or something had it before, or nothing has it and the name was a guess.
 */
export async function settleInterrupted(
  it: BridgedResource,
  { startedAt, lookFor }: Operation,
  { graceMs, context }: { readonly graceMs: number; readonly context: CallContext },
): Promise<Found | undefined> {
  if (lookFor === undefined) throw interruptedCreate(it.resource, startedAt)
  const { name, certain, before } = lookFor
  const state = await lookForInterrupted(it, { name, startedAt, signal: context.signal })
  if (state !== undefined) {
    it.knows(state.value)
    if (before === 'absent') return { state, name: it.nameOf(state, () => name) }
    throw interruptedCreate(it.resource, startedAt, `${name} exists, and may have existed before`)
  }
  if (!certain) throw interruptedCreate(it.resource, startedAt, `nothing was found by ${name}, but it may have another id`)
  // What was sent may still be on its way there.
  const waitMs = startedAt + graceMs - context.now()
  if (waitMs > 0)
    throw new ExternalError('Unavailable', 'its creation was interrupted; waiting in case the result still arrives', {
      mayHaveTakenEffect: true,
      retryAfterMs: Math.max(waitMs, 100),
    })
  return undefined
}
