import { creationRecordOf, ExternalError, tookNoEffect } from '@weft/provider-sdk'
import { type Diagnostic, diagnosticText, type Plan, type ResourceState, type StoredState } from '@weft/terraform'
import { randomUUID } from 'node:crypto'
import type { BridgedResource } from './bridged-resource.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Point, RecordStore } from './journaled-store.ts'
import { checkSize, type Foreseen, type OperationKind, type ResourceRecord } from './resource-record.ts'

export interface Outcome {
  readonly kind: OperationKind
  readonly state: ResourceState | undefined
  readonly errors: readonly Diagnostic[]
  readonly name: string | undefined
}

interface CarryOutOptions {
  readonly kind: OperationKind
  readonly plan: Plan
  /** Of a create: by what it could be found again. */
  readonly lookFor?: Foreseen | undefined
  readonly reached?: ((point: Point) => Promise<void>) | undefined
  now(): number
}

/**
 * Carries out one change: writes down that it begins, sends it, and writes down what it came to, before anybody hears of it. A process that is
 * killed in between leaves the note, which says that nobody knows.
 */
export async function carryOut(
  it: BridgedResource,
  store: RecordStore,
  { kind, plan, now, lookFor, reached }: CarryOutOptions,
): Promise<Outcome> {
  const { type, provider } = it.of
  const before: ResourceRecord = { ...(await store.load(it.resource)), type, provider, configured: it.configured }
  const id = randomUUID()
  const pendingAt = kind === 'create' ? creationRecordOf(it.resource).pendingAt : undefined
  const noted: ResourceRecord = { ...before, gone: undefined, operation: { kind, id, startedAt: now(), lookFor, pendingAt } }
  if (kind !== 'delete' && store.unsaved(it.resource) === undefined) checkSize(plan.bytes)
  await store.save(it.resource, noted)
  await reached?.('noted')
  try {
    const { state, errors, stored, storedPrior } = await it.ask(
      async (driver) => {
        const applied = await driver.apply(plan)
        return {
          ...applied,
          stored: applied.state === undefined ? undefined : driver.store(applied.state),
          storedPrior: plan.prior === undefined ? undefined : driver.store(plan.prior),
        }
      },
      { mayHaveTakenEffect: true },
    )
    await reached?.('answered')
    if (state !== undefined) it.knows(state.value)
    const name = state === undefined ? undefined : it.nameOf(state, () => identityText(stored))
    const failed = errors.length > 0
    const record = after({
      kind,
      before: noted,
      stored,
      storedPrior,
      failed,
      name,
      why: it.shown(errors.map(diagnosticText).join('; ')),
      at: now(),
    })
    await store.saveOutcome(it.resource, record, id)
    return { kind, state, errors, name }
  } catch (error) {
    // Nothing was sent, or it was refused before anything was done: there is nothing to find out.
    if (error instanceof ExternalError && tookNoEffect(error)) await store.save(it.resource, { ...before }).catch(() => undefined)
    throw error
  }
}

interface After {
  readonly kind: OperationKind
  readonly before: ResourceRecord
  readonly stored: StoredState | undefined
  readonly storedPrior: StoredState | undefined
  readonly failed: boolean
  readonly name: string | undefined
  readonly why: string
  readonly at: number
}

/** What is known afterwards. */
function after({ kind, before, stored, storedPrior, failed, name, why, at }: After): ResourceRecord {
  const ended = { ...before, operation: undefined }
  switch (kind) {
    case 'create':
      // An error beside a state: made in part, and this is the only handle of it. Without one, nothing was made.
      return stored === undefined
        ? { ...ended, state: undefined }
        : { ...ended, state: stored, externalName: name, createdAt: at, tainted: failed ? why : undefined }
    case 'update':
      // After a failure a provider may claim what it only planned. What it was before is read again, with what the provider keeps for itself.
      if (failed)
        return {
          ...ended,
          state: storedPrior === undefined ? before.state : { ...storedPrior, private: stored?.private ?? storedPrior.private },
        }
      return { ...ended, state: stored ?? before.state, externalName: before.externalName ?? name, tainted: undefined }
    case 'delete':
      return failed
        ? { ...ended, state: stored ?? before.state }
        : { ...ended, state: undefined, tainted: undefined, createdAt: undefined, gone: true }
    default:
      return kind satisfies never
  }
}

const identityText = (stored: StoredState | undefined): string | undefined =>
  stored?.identity === undefined ? undefined : canonicalJson(stored.identity.json)
