import {
  type CallContext,
  type Change,
  type Creation,
  creationRecordOf,
  type ExternalClient,
  ExternalError,
  isEstablished,
  managementOf,
  type ManagedResource,
  type Observation,
} from '@weft/provider-sdk'
import { type Plan, ProviderFailure, type ResourceState, toAtProvider, toConnection } from '@weft/terraform'
import type { BridgedResource } from './bridged-resource.ts'
import { carryOut, type Outcome } from './carry-out.ts'
import { fieldPaths } from './field-path.ts'
import { foreseeName } from './foresee-name.ts'
import { importKey } from './import-key.ts'
import { type Found, interruptedCreate, lookForInterrupted, settleInterrupted, unsettledCreate } from './interrupted-create.ts'
import type { Point, RecordStore } from './journaled-store.ts'
import type { Operations } from './operations.ts'
import type { Repeats } from './repeats.ts'
import type { Foreseen, Operation, OperationKind, ResourceRecord } from './resource-record.ts'

/** With the generation that it is for: what cannot be changed in place may be deleted and made anew. */
export const ALLOW_REPLACEMENT = 'terraform.weft.dev/allow-replacement'
/** With the generation that it is for: somebody looked at what was made in part, and it is as it should be. */
export const COMPLETE = 'terraform.weft.dev/complete'

/** For how long what was just made may be hidden from reads (T106). */
const GRACE_MS = 30_000
const SOON_MS = 1_000

export interface BridgedClientOptions {
  readonly store: RecordStore
  readonly operations: Operations
  readonly repeats: Repeats
  readonly reached?: ((point: Point) => Promise<void>) | undefined
  readonly graceMs?: number | undefined
}

/**
 * What a managed resource of a bridged kind says, carried out by a Terraform provider. The stored record is the handle of what there is: it is
 * written before a change is sent and as soon as its outcome is known, and it alone decides what exists. A create that was cut off is looked for
 * by its name, never repeated blindly.
 */
export class BridgedClient implements ExternalClient {
  readonly #it: BridgedResource
  readonly #options: BridgedClientOptions
  /** Of the last observation, for the update that follows it; `replaces`: what there is gives way, whatever the plan could do with it. */
  #next: { readonly plan: Plan; readonly replaces: boolean } | undefined
  /** What was created just now, until it is first looked at: the provider has said what it is like, and nothing more is asked of it at once. */
  #created: ResourceState | undefined
  /** What there was when it was last looked at. */
  #seen: ResourceState | undefined

  constructor(it: BridgedResource, options: BridgedClientOptions) {
    this.#it = it
    this.#options = options
  }

  async observe(resource: ManagedResource, context: CallContext): Promise<Observation> {
    this.#it.resource = resource
    const { store, operations } = this.#options
    const created = this.#created
    this.#created = undefined
    if (created !== undefined && !this.#it.isBeingDeleted && !this.#isNameless(resource))
      return { ...this.#shown(created, undefined), upToDate: true }
    const running = operations.get(this.#it.uid)
    if (running !== undefined) {
      // Its outcome decides; until then nobody knows more than that it is being worked on.
      if (running.kind === 'create' && !this.#it.isBeingDeleted) return { exists: false }
      await settled(running.done, context.signal)
    }
    const record = await store.load(resource)
    this.#it.mustReach(record)
    const state = (await this.#currentState(record, context)) ?? (await this.#cutOff(resource, record, context))
    if (state === undefined) return { exists: false }
    if (this.#isNameless(resource)) return { exists: false }
    this.#seen = state
    return this.#observation(record, state, context)
  }

  /** What a create that was cut off made, where somebody looked for it, or it has to go. Throws where nobody knows. */
  async #cutOff(resource: ManagedResource, record: ResourceRecord | undefined, context: CallContext): Promise<ResourceState | undefined> {
    const operation = unsettledCreate(resource, record)
    if (record === undefined || operation === undefined) return undefined
    // Made again by a name that leads nowhere, there could be two.
    if (this.#it.externalName !== undefined)
      throw interruptedCreate(resource, operation.startedAt, `nothing was found by the name ${JSON.stringify(this.#it.externalName)}`)
    return this.#it.isBeingDeleted ? (await this.#search(record, operation, context))?.state : undefined
  }

  async #search(record: ResourceRecord, operation: Operation, context: CallContext): Promise<Found | undefined> {
    const found = await settleInterrupted(this.#it, operation, { graceMs: this.#options.graceMs ?? GRACE_MS, context })
    if (found !== undefined) await this.#save({ ...record, operation: undefined, createdAt: operation.startedAt }, found.state, found.name)
    return found
  }

  /** A create whose outcome the reconciler has not recorded: `locate` tells it the name, and only then there is something to speak of. */
  #isNameless(resource: ManagedResource): boolean {
    const management = managementOf(resource)
    return (
      !this.#it.isBeingDeleted &&
      this.#it.externalName === undefined &&
      creationRecordOf(resource).incomplete &&
      management.kind === 'manage' &&
      management.policy.create
    )
  }

  /** What there is, as the provider says now; undefined: nothing that is ours. */
  async #currentState(record: ResourceRecord | undefined, context: CallContext): Promise<ResourceState | undefined> {
    const { store, graceMs = GRACE_MS } = this.#options
    const { resource } = this.#it
    const options = { signal: context.signal }
    if (record?.state === undefined) {
      if (this.#it.externalName === undefined || record?.gone === true) return undefined
      // What goes was never taken over, unless a create was cut off, and somebody found what it made; or its record was lost.
      if (this.#it.isBeingDeleted && record?.operation === undefined && !isEstablished(resource)) return undefined
      const name = context.externalName
      const interrupted = unsettledCreate(resource, record)
      const found = await (interrupted === undefined
        ? this.#it.ask((driver) => driver.import(importKey(this.#it.of, name), options)).catch(unlessKnown(record, name))
        : lookForInterrupted(this.#it, { name, startedAt: interrupted.startedAt, ...options }))
      if (found !== undefined) await this.#save({ ...record, operation: undefined, gone: undefined }, found, context.externalName)
      return found
    }
    const stored = record.state
    const { now, changed } = await this.#it.ask(async (driver) => {
      const state = await driver.restore(stored, options)
      this.#it.knows(state.value)
      const read = await driver.read(state, options)
      return { now: read, changed: read !== undefined && !driver.equal(state, read) }
    })
    if (now === undefined) {
      const age = context.now() - (record.createdAt ?? 0)
      if (age < graceMs)
        throw new ExternalError('Unavailable', 'it was just created, and is not visible yet', {
          mayHaveTakenEffect: false,
          retryAfterMs: Math.max(graceMs - age, 100),
        })
      await store.save(resource, { ...record, state: undefined, operation: undefined, gone: true })
      return undefined
    }
    this.#it.knows(now.value)
    const upgraded = stored.version !== this.#it.of.schema.resources.get(this.#it.of.type)?.version
    if (changed || upgraded || record.operation !== undefined)
      await this.#save({ ...record, operation: undefined }, now, record.externalName)
    return now
  }

  #shown(state: ResourceState, tainted: string | undefined): Omit<Extract<Observation, { exists: true }>, 'upToDate'> {
    const { fields, connectionKeys } = this.#it.of
    const unsaved = this.#options.store.unsaved(this.#it.resource)
    return {
      exists: true,
      atProvider: toAtProvider(fields, state.value),
      connection: toConnection(fields, connectionKeys, state.value),
      readiness: tainted === undefined ? 'available' : 'unavailable',
      ...(unsaved !== undefined && {
        message: `its state is kept only in the data directory of this control plane, since the API server does not take it (${unsaved}): back that up, too`,
      }),
      ...(tainted !== undefined && {
        message: this.#whatIsPartial(tainted),
      }),
    }
  }

  #whatIsPartial(why: string): string {
    const { generation = 0 } = this.#it.resource.metadata
    return (
      `it was only partly created (${why}). If it is complete nevertheless, set the annotation ${COMPLETE}: "${generation}"; ` +
      `to have it deleted and created again, set ${ALLOW_REPLACEMENT}: "${generation}"`
    )
  }

  /** Why it counts as made in part, unless somebody said that it is complete. */
  async #taintOf(record: ResourceRecord | undefined, state: ResourceState): Promise<string | undefined> {
    if (record?.tainted === undefined || !this.#isSaid(COMPLETE)) return record?.tainted
    await this.#save({ ...record, operation: undefined, tainted: undefined }, state, record.externalName)
    return undefined
  }

  async #observation(record: ResourceRecord | undefined, state: ResourceState, context: CallContext): Promise<Observation> {
    const { fields } = this.#it.of
    const tainted = await this.#taintOf(record, state)
    const shown = this.#shown(state, tainted)
    const management = managementOf(this.#it.resource)
    const looksOnly = management.kind === 'manage' && !management.policy.create && !management.policy.update
    if (this.#it.isBeingDeleted || looksOnly) return { ...shown, upToDate: true }
    const plan = await this.#planFor(state, context)
    const changes = fieldPaths(fields, plan.causes.length > 0 ? plan.causes : plan.changes)
    const replaces = plan.action === 'replace' || tainted !== undefined
    if (replaces && this.#isSaid(ALLOW_REPLACEMENT)) {
      this.#next = { plan, replaces: true }
      return { ...shown, upToDate: false, difference: `${changes || 'what was partly created'} (replaced)`, recheckAfterMs: SOON_MS }
    }
    if (plan.action === 'none') {
      this.#options.repeats.settled(this.#it.uid)
      return { ...shown, upToDate: true }
    }
    if (this.#options.repeats.mustWait(this.#it.uid, changes, context.now()))
      return {
        ...shown,
        upToDate: true,
        difference: changes,
        message: `the provider still reports a difference in ${changes} after an update; the update is tried again later`,
      }
    this.#next = { plan, replaces: false }
    return { ...shown, upToDate: false, difference: changes }
  }

  async #planFor(state: ResourceState | undefined, { signal }: CallContext): Promise<Plan> {
    const config = await this.#it.config(state?.value ?? null, signal)
    return this.#it.ask(async (driver) => {
      await driver.validate(config, { signal })
      return driver.plan(state, config, { signal })
    })
  }

  /** Does an annotation say it, for the object as it is now? */
  #isSaid(annotation: string): boolean {
    const { annotations, generation } = this.#it.resource.metadata
    return generation !== undefined && annotations?.[annotation] === String(generation)
  }

  async create(resource: ManagedResource, context: CallContext): Promise<Creation> {
    this.#it.resource = resource
    const plan = await this.#planFor(undefined, context)
    const outcome = await this.#run('create', plan, context, await this.#lookFor(plan, context))
    const { state, name } = outcome
    if (state === undefined) throw this.#failed(outcome, { mayHaveTakenEffect: false })
    // What was made in part is known by its name all the same; the next observation says what is wrong with it.
    if (outcome.errors.length === 0) this.#created = state
    const { fields, connectionKeys } = this.#it.of
    return { externalName: name ?? resource.metadata.name ?? '', connection: toConnection(fields, connectionKeys, state.value) }
  }

  /** By what it could be found again, should the answer get lost; and whether something is there by that name already. */
  async #lookFor(plan: Plan, { signal }: CallContext): Promise<Foreseen | undefined> {
    const foreseen = foreseeName(this.#it.of, plan)
    if (foreseen === undefined) return undefined
    const by = importKey(this.#it.of, foreseen.name)
    const before = await this.#it
      .ask((driver) => driver.import(by, { signal }))
      .then(
        (found) => (found === undefined ? 'absent' : 'present'),
        () => 'unknown' as const,
      )
    return { ...foreseen, before }
  }

  async locate(resource: ManagedResource, context: CallContext): Promise<string | undefined> {
    const { store, operations } = this.#options
    const running = operations.get(this.#it.uid)
    if (running !== undefined) await settled(running.done, context.signal)
    const record = await store.load(resource)
    if (record?.state !== undefined) return record.externalName
    // The note is written before anything is sent: without one, nothing was.
    const operation = unsettledCreate(resource, record)
    return record === undefined || operation === undefined ? undefined : (await this.#search(record, operation, context))?.name
  }

  async update(resource: ManagedResource, context: CallContext): Promise<Change> {
    this.#it.resource = resource
    const { plan, replaces = false } = this.#next ?? {}
    if (plan?.prior === undefined)
      throw new ExternalError('Unavailable', 'it has to be observed before it is updated', { mayHaveTakenEffect: false })
    if (plan.action === 'replace' || replaces) {
      if (!replaces || !this.#isSaid(ALLOW_REPLACEMENT)) throw this.#needsReplacement(plan)
      await this.#makeWay(plan.prior, context)
      return {}
    }
    this.#options.repeats.applied(this.#it.uid, fieldPaths(this.#it.of.fields, plan.changes), context.now())
    const outcome = await this.#run('update', plan, context)
    if (outcome.errors.length > 0 || outcome.state === undefined) throw this.#failed(outcome, { mayHaveTakenEffect: true })
    const { fields, connectionKeys } = this.#it.of
    return {
      atProvider: toAtProvider(fields, outcome.state.value),
      connection: toConnection(fields, connectionKeys, outcome.state.value),
    }
  }

  #needsReplacement(plan: Plan): ExternalError {
    const { generation = 0 } = this.#it.resource.metadata
    const causes = fieldPaths(this.#it.of.fields, plan.causes)
    return new ExternalError(
      'Invalid',
      `changing ${causes} requires a replacement: the existing resource would be deleted, with everything in it, and created again. ` +
        `Change it back, or allow it with the annotation ${ALLOW_REPLACEMENT}: "${generation}"`,
    )
  }

  /** The first half of a replacement; the second is a create like any other. */
  async #makeWay(prior: ResourceState, context: CallContext): Promise<void> {
    const plan = await this.#it.ask((driver) => driver.planDelete(prior, { signal: context.signal }))
    const outcome = await this.#run('delete', plan, context)
    if (outcome.errors.length > 0) throw this.#failed(outcome, { mayHaveTakenEffect: true })
  }

  async delete(resource: ManagedResource, context: CallContext): Promise<void> {
    const { store, operations } = this.#options
    const running = operations.get(this.#it.uid)
    if (running !== undefined) await settled(running.done, context.signal)
    // It was looked at a moment ago, unless it was being worked on then.
    const seen = running === undefined ? this.#seen : undefined
    this.#seen = undefined
    const state = seen ?? (await this.#currentState(await store.load(resource), context))
    if (state !== undefined) await this.#makeWay(state, context)
  }

  /** Carries a change out, for as long as it takes. When the reconcile ends before, only the waiting does. */
  async #run(kind: OperationKind, plan: Plan, { signal, now }: CallContext, lookFor?: Foreseen): Promise<Outcome> {
    const { operations, store, reached } = this.#options
    const done = operations.run(this.#it.uid, kind, () => carryOut(this.#it, store, { kind, plan, now, lookFor, reached }))
    return settled(done, signal)
  }

  #failed({ errors, kind }: Outcome, effect: { readonly mayHaveTakenEffect: boolean }): unknown {
    if (errors.length === 0) return new ExternalError('Unavailable', `the provider did not report the result of the ${kind}`, effect)
    return this.#it.learn(this.#it.failure(new ProviderFailure('apply', errors), effect))
  }

  async #save(record: Partial<ResourceRecord>, state: ResourceState, name: string | undefined): Promise<void> {
    const { configured, of } = this.#it
    const { type, provider } = of
    const stored = await this.#it.ask((driver) => Promise.resolve(driver.store(state)))
    await this.#options.store.save(this.#it.resource, { ...record, type, provider, configured, state: stored, externalName: name })
  }
}

/** What it comes to, unless the signal ends the waiting. */
async function settled<T>(done: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw stillRunning()
  let onAbort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(stillRunning())
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([done, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const stillRunning = (): ExternalError =>
  new ExternalError('Unavailable', 'the provider is still working on it; the result is recorded when it is done', {
    mayHaveTakenEffect: true,
    retryAfterMs: SOON_MS,
  })

/** What had this name went before. Many types cannot be looked for by a name: then it is as gone as it was. */
function unlessKnown(record: ResourceRecord | undefined, name: string): (error: unknown) => undefined {
  return (error) => {
    if (record?.externalName === name && error instanceof ExternalError && error.code === 'Unavailable') return undefined
    throw error
  }
}
