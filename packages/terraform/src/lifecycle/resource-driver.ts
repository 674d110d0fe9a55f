import type { AttributePath, Diagnostic } from '../protocol/diagnostic.ts'
import { errorsOf } from '../protocol/diagnostic.ts'
import type { CallOptions, ImportRequest, PlanAnswer, ProviderClient, ResourceBytes } from '../protocol/provider-client.ts'
import { blockType, identityType } from '../schema/block-type.ts'
import { emptyBlock } from '../schema/empty-block.ts'
import type { Block, ProviderSchema, Schema } from '../schema/schema.ts'
import { equalValues } from '../value/compare-values.ts'
import { decodeJson, encodeJson } from '../value/json.ts'
import { encodeMsgpack } from '../value/msgpack.ts'
import type { Type } from '../value/type.ts'
import { isWhollyKnown, type Value } from '../value/value.ts'
import { decodeWire } from '../value/wire.ts'
import { checkApplied } from './check-applied.ts'
import { checkPlan } from './check-plan.ts'
import { differences, duplicatesIn } from './differences.ts'
import { normaliseState, withoutUnknowns } from './normalise-state.ts'
import { problem } from './problem.ts'
import { proposedNew } from './proposed-new.ts'
import { ProviderFailure, providerFault, throwErrors } from './provider-failure.ts'
import { replacementCauses } from './replacement.ts'

/** All that is known of a resource that exists. Every part is needed again by the next call; none can be made up. */
export interface ResourceState {
  readonly value: Value
  readonly private: Uint8Array
  readonly identity: Uint8Array | undefined
}

/** A state as it is kept: by the schema of its time, which the provider that reads it may have left behind. */
export interface StoredState {
  readonly version: number
  /** JSON, by the schema of that version. */
  readonly json: string
  readonly private: Uint8Array
  /** JSON; its version is that of the identity's schema. */
  readonly identity?: { readonly version: number; readonly json: string } | undefined
}

export type Action = 'none' | 'create' | 'update' | 'replace' | 'delete'

/** What a provider will do. `bytes` goes to `apply` as it is. */
export interface Plan {
  readonly action: Action
  readonly prior: ResourceState | undefined
  readonly config: Value
  readonly planned: Value
  readonly bytes: ResourceBytes
  /** Attributes that change; paths of what is replaced are in `causes` too. */
  readonly changes: readonly AttributePath[]
  /** Why it cannot be changed in place. */
  readonly causes: readonly AttributePath[]
  readonly legacyTypes: boolean
  readonly warnings: readonly Diagnostic[]
}

/** What a change led to. State and errors are independent: a create that failed may have made something. */
export interface Applied {
  /** Undefined: there is nothing, or as far as the provider knows, nothing changed. */
  readonly state: ResourceState | undefined
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
}

const NIL = Uint8Array.of(0xc0)
const NOTHING: ResourceBytes = { state: NIL, private: new Uint8Array() }

/**
 * Takes resources of one type through their life, as OpenTofu's core does. Pure but for the calls to the provider; keeps nothing. Throws
 * ProviderFailure for what a provider refuses, and what the client throws.
 */
export class ResourceDriver {
  readonly type: string
  readonly schema: Schema
  readonly #provider: ProviderClient
  readonly #providerSchema: ProviderSchema
  readonly #valueType: Type

  constructor(provider: ProviderClient, providerSchema: ProviderSchema, type: string) {
    const schema = providerSchema.resources.get(type)
    if (schema === undefined) throw new Error(`the provider has no resource type ${type}`)
    this.type = type
    this.schema = schema
    this.#provider = provider
    this.#providerSchema = providerSchema
    this.#valueType = blockType(schema.block)
  }

  get #block(): Block {
    return this.schema.block
  }

  /** Warnings; throws what is wrong with the configuration. */
  async validate(config: Value, options?: CallOptions): Promise<readonly Diagnostic[]> {
    const diagnostics = await this.#provider.validateResource(this.type, this.#encode(config), options)
    throwErrors('validate', diagnostics)
    return diagnostics
  }

  store({ value, private: bytes, identity }: ResourceState): StoredState {
    const schema = this.#providerSchema.identities.get(this.type)
    return {
      version: this.schema.version,
      json: encodeJson(this.#valueType, value),
      private: bytes,
      identity:
        schema === undefined || identity === undefined
          ? undefined
          : { version: schema.version, json: encodeJson(identityType(schema), decodeWire(identityType(schema), identity)) },
    }
  }

  /** Also when the version is the same: within one, attributes may have come and gone (T103). */
  async restore(stored: StoredState, options?: CallOptions): Promise<ResourceState> {
    if (stored.version > this.schema.version)
      throw providerRefusal(
        'upgrade the state',
        `the state was written by a newer version of the provider (its schema has version ${stored.version}, this provider's ${this.schema.version}): use that version again`,
      )
    const { upgraded, diagnostics } = await this.#provider.upgradeState(this.type, stored, options)
    throwErrors('upgrade the state', diagnostics)
    if (upgraded === undefined) throw providerFault('upgrade the state', [problem([], 'the provider answered no state')])
    return {
      value: this.#decodeState(upgraded),
      private: stored.private,
      identity: stored.identity === undefined ? undefined : await this.#restoreIdentity(stored.identity, options),
    }
  }

  async #restoreIdentity(
    stored: { readonly version: number; readonly json: string },
    options?: CallOptions,
  ): Promise<Uint8Array | undefined> {
    const schema = this.#providerSchema.identities.get(this.type)
    if (schema === undefined) return undefined
    if (stored.version === schema.version) return encodeMsgpack(identityType(schema), decodeJson(identityType(schema), stored.json))
    const { upgraded, diagnostics } = await this.#provider.upgradeIdentity(this.type, stored, options)
    throwErrors('upgrade the identity', diagnostics)
    return upgraded
  }

  /** What there is now; undefined: it is gone, or not shown yet. */
  async read(state: ResourceState, options?: CallOptions): Promise<ResourceState | undefined> {
    const answer = await this.#provider.read({ type: this.type, ...this.#bytes(state), ...this.#meta() }, options)
    throwErrors('read', answer.diagnostics)
    if (answer.deferred) throw providerRefusal('read', 'the provider is not ready to read this resource; it is tried again')
    const value = answer.state === undefined ? null : this.#decodeState(answer.state)
    if (value === null) return undefined
    if (!isWhollyKnown(value)) throw providerFault('read', [problem([], 'the provider read a value that is not known')])
    return { value, private: answer.private, identity: answer.identity ?? state.identity }
  }

  /** By id, or by identity (msgpack). What was found has been read; undefined: there is no such thing. */
  async import(by: { readonly id: string } | { readonly identity: Uint8Array }, options?: CallOptions): Promise<ResourceState | undefined> {
    const request: ImportRequest = { type: this.type, ...by }
    const { resources, diagnostics, deferred } = await this.#provider.import(request, options)
    throwErrors('import', diagnostics)
    if (deferred) throw providerRefusal('import', 'the provider is not ready to import this resource; it is tried again')
    const found = resources.filter(({ type }) => type === this.type)
    const [only] = found
    if (found.length > 1) throw providerRefusal('import', `the provider found ${found.length} resources for one name`)
    if (only === undefined) return undefined
    const value = this.#decodeState(only.state)
    return value === null ? undefined : this.read({ value, private: only.private, identity: only.identity }, options)
  }

  /** What has to be done to make of what there is (undefined: nothing) what is configured. Refuses plans that would do harm. */
  async plan(prior: ResourceState | undefined, config: Value, options?: CallOptions): Promise<Plan> {
    const answer = await this.#ask(prior === undefined ? NOTHING : this.#bytes(prior), prior?.value ?? null, config, options)
    const plan = this.#planOf(answer, prior, config)
    if (plan.causes.length === 0) return plan
    // The plan for what there is names the old thing: what takes its place is planned as if there were nothing.
    const fresh = await this.#ask({ ...NOTHING, private: answer.private }, null, config, options)
    return { ...this.#planOf(fresh, undefined, config), action: 'replace', prior, changes: plan.changes, causes: plan.causes }
  }

  async #ask(prior: ResourceBytes, before: Value, config: Value, options?: CallOptions): Promise<PlanAnswer> {
    const proposed = proposedNew(this.#block, before, config)
    const request = { type: this.type, prior, proposed: this.#encode(proposed), config: this.#encode(config), ...this.#meta() }
    const answer = await this.#provider.plan(request, options)
    throwErrors('plan', answer.diagnostics)
    if (answer.deferred) throw providerRefusal('plan', 'the provider is not ready to plan this resource; it is tried again')
    return answer
  }

  #planOf(answer: PlanAnswer, prior: ResourceState | undefined, config: Value): Plan {
    const planned = this.#decode(answer.planned ?? NIL)
    const before = prior?.value ?? null
    const twice = duplicatesIn(this.#block, planned)
    if (twice.length > 0)
      throw providerFault(
        'plan',
        twice.map((path) => problem(path, 'the plan has an element of a set twice, and applying it would lose one')),
      )
    if (!answer.legacyTypes) {
      const problems = checkPlan(this.#block, { prior: before, config, planned })
      if (problems.length > 0) throw providerFault('plan', problems)
    } else if (planned === null) throw providerFault('plan', [problem([], 'the plan removes what is configured')])
    const changes = differences(this.#block, before, normaliseState(this.#block, planned))
    const causes = replacementCauses(this.#block, { prior: before, planned, named: answer.requiresReplace })
    return {
      action: prior === undefined ? 'create' : changes.length === 0 && causes.length === 0 ? 'none' : 'update',
      prior,
      config,
      planned,
      bytes: { state: answer.planned ?? NIL, private: answer.private, identity: answer.identity },
      changes,
      causes,
      legacyTypes: answer.legacyTypes,
      warnings: answer.diagnostics,
    }
  }

  /** What deleting it would do; some providers refuse here, or keep something for the deletion itself. */
  async planDelete(prior: ResourceState, options?: CallOptions): Promise<Plan> {
    const plan: Plan = {
      action: 'delete',
      prior,
      config: null,
      planned: null,
      bytes: { state: NIL, private: prior.private, identity: prior.identity },
      changes: [],
      causes: [],
      legacyTypes: false,
      warnings: [],
    }
    if (!this.#providerSchema.capabilities.planDestroy) return plan
    const request = { type: this.type, prior: this.#bytes(prior), proposed: NIL, config: NIL, ...this.#meta() }
    const answer = await this.#provider.plan(request, options)
    throwErrors('plan the deletion', answer.diagnostics)
    if (this.#decode(answer.planned ?? NIL) !== null) throw providerFault('plan the deletion', [problem([], 'the plan leaves it there')])
    return {
      ...plan,
      bytes: { state: NIL, private: answer.private, identity: answer.identity ?? prior.identity },
      warnings: answer.diagnostics,
    }
  }

  /**
   * Does what was planned: of a replacement the second half, the first is `planDelete` and this. Nothing ends it early. Only what the client
   * throws is thrown; it means that nobody knows what was made.
   */
  async apply(plan: Plan): Promise<Applied> {
    const before = plan.action === 'replace' ? undefined : plan.prior
    const answer = await this.#provider.apply({
      type: this.type,
      prior: before === undefined ? NIL : this.#encode(before.value),
      planned: plan.bytes,
      config: this.#encode(plan.config),
      ...this.#meta(),
    })
    const errors = errorsOf(answer.diagnostics)
    const value = answer.state === undefined ? null : this.#decodeState(answer.state)
    const faults =
      errors.length === 0 && !(answer.legacyTypes && value !== null)
        ? providerFault('apply', checkApplied(this.#block, plan.planned, value)).diagnostics
        : []
    const forgotten =
      errors.length === 0 && !isWhollyKnown(value)
        ? providerFault('apply', [problem([], 'the provider left values unknown that it had to set; they are treated as null')]).diagnostics
        : []
    const state =
      value === null
        ? undefined
        : { value: withoutUnknowns(value), private: answer.private, identity: answer.identity ?? plan.bytes.identity }
    return {
      state,
      errors: [...errors, ...faults, ...forgotten],
      warnings: answer.diagnostics.filter(({ severity }) => severity === 'warning'),
    }
  }

  equal(a: ResourceState, b: ResourceState): boolean {
    return equalValues(this.#valueType, a.value, b.value) && Buffer.compare(a.private, b.private) === 0 && sameBytes(a.identity, b.identity)
  }

  #bytes({ value, private: bytes, identity }: ResourceState): ResourceBytes {
    return { state: this.#encode(value), private: bytes, identity }
  }

  #meta(): { providerMeta?: Uint8Array } {
    const meta = this.#providerSchema.providerMeta
    return meta === undefined ? {} : { providerMeta: encodeMsgpack(blockType(meta.block), emptyBlock(meta.block)) }
  }

  #encode(value: Value): Uint8Array {
    return encodeMsgpack(this.#valueType, value)
  }

  #decode(bytes: Uint8Array): Value {
    return bytes.length === 0 ? null : decodeWire(this.#valueType, bytes)
  }

  #decodeState(bytes: Uint8Array): Value {
    return normaliseState(this.#block, this.#decode(bytes))
  }
}

const sameBytes = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0

const providerRefusal = (call: string, summary: string): ProviderFailure =>
  new ProviderFailure(call, [{ severity: 'error', summary, detail: '', path: [] }])
