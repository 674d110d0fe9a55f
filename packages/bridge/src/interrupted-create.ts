import { EXTERNAL_NAME } from '@weft/composition'
import { type CallContext, CREATE_PENDING, creationRecordOf, ExternalError, type ManagedResource } from '@weft/provider-sdk'
import type { ResourceState } from '@weft/terraform'
import type { BridgedResource } from './bridged-resource.ts'
import { importKey } from './import-key.ts'
import type { Operation, ResourceRecord } from './resource-record.ts'

/** What somebody has to look at. */
export const interruptedCreate = (startedAt: number | undefined, hint?: string): ExternalError =>
  new ExternalError(
    'Unavailable',
    `its creation was interrupted${startedAt === undefined ? '' : ` at ${new Date(startedAt).toISOString()}`}, and it is not known whether it succeeded` +
      `${hint === undefined ? '' : ` (${hint})`}: look for it. ` +
      `If it exists, set the annotation ${EXTERNAL_NAME} to the id that it is imported by; if it does not, remove the annotation ${CREATE_PENDING}` +
      (hint === undefined ? '' : ` and ${EXTERNAL_NAME}, if that is set`),
  )

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
  if (lookFor === undefined) throw interruptedCreate(startedAt)
  const { name, certain, before } = lookFor
  const by = importKey(it.of, name)
  const state = await it.ask((driver) => driver.import(by, { signal: context.signal }))
  if (state !== undefined) {
    it.knows(state.value)
    if (before === 'absent') return { state, name: it.nameOf(state, () => name) }
    throw interruptedCreate(startedAt, `${name} exists, and may have existed before`)
  }
  if (!certain) throw interruptedCreate(startedAt, `nothing was found by ${name}, but it may have another id`)
  // What was sent may still be on its way there.
  const waitMs = startedAt + graceMs - context.now()
  if (waitMs > 0)
    throw new ExternalError('Unavailable', 'its creation was interrupted; waiting in case the result still arrives', {
      mayHaveTakenEffect: true,
      retryAfterMs: Math.max(waitMs, 100),
    })
  return undefined
}
