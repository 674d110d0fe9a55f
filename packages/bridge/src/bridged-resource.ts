import { getOwn, isJsonObject, type JsonObject } from '@weft/api'
import { type Client } from '@weft/client'
import { requestedExternalName } from '@weft/composition'
import { ExternalError, isBeingDeleted, type ManagedResource, parametersOf, specOf } from '@weft/provider-sdk'
import {
  type ConnectionKey,
  type Field,
  type PoolRequest,
  type ProviderPool,
  type ProviderSchema,
  readDataSource,
  ResourceDriver,
  type ResourceState,
  toConfig,
  type Value,
} from '@weft/terraform'
import { externalError } from './failure.ts'
import { statedName } from './format-name.ts'
import { redact, sensitiveTexts } from './redact.ts'
import type { ResourceRecord } from './resource-record.ts'
import { statedIdentity } from './stated-identity.ts'
import { lookUpSecrets } from './secrets.ts'

/** A kind that is bridged: which type of which provider it stands for, and how its fields are translated. */
export interface BridgedType {
  readonly type: string
  readonly sort: 'resource' | 'data'
  readonly fields: readonly Field[]
  readonly connectionKeys: readonly ConnectionKey[]
  /** How the name that it is imported by is made of attributes: `{vpc_id}/{name}`. */
  readonly importFormat?: string | undefined
  readonly schema: ProviderSchema
  /** Address and version, for people. */
  readonly provider: string
}

interface Access {
  readonly client: Client
  readonly pool: ProviderPool
  readonly request: PoolRequest
  readonly secrets: readonly string[]
  readonly configured: boolean
}

/** One resource, with what it takes to ask its provider about it. */
export class BridgedResource {
  /** As the API server has it, as far as is known. */
  resource: ManagedResource
  readonly of: BridgedType
  /** By a ProviderConfig, rather than by the provider's own defaults. */
  readonly configured: boolean
  readonly #client: Client
  readonly #pool: ProviderPool
  readonly #request: PoolRequest
  /** Texts that must not be shown: added to as more of them become known. */
  readonly #secrets: string[]

  constructor(resource: ManagedResource, of: BridgedType, { client, pool, request, secrets, configured }: Access) {
    this.resource = resource
    this.of = of
    this.configured = configured
    this.#client = client
    this.#pool = pool
    this.#request = request
    this.#secrets = [...secrets]
    pool.conceal(secrets)
  }

  get uid(): string {
    return this.resource.metadata.uid ?? ''
  }

  /** The name that somebody gave, or that was written down. */
  get externalName(): string | undefined {
    return requestedExternalName(this.resource) ?? statedIdentity(this.of, this.resource)
  }

  /**
   * Is what there is still looked for where it was made? Without its ProviderConfig a provider would take its own defaults, which may lead somewhere
   * else: there it would find nothing, and make everything anew. Throws if not.
   */
  mustReach(record: ResourceRecord | undefined): void {
    if (record?.configured !== true || this.configured) return
    throw new ExternalError('Invalid', 'the settings of the ProviderConfig "default" that it was created with are gone: restore them')
  }

  /** Calls the provider. What it throws may be shown. */
  async ask<T>(call: (driver: ResourceDriver) => Promise<T>, effect: { readonly mayHaveTakenEffect?: boolean } = {}): Promise<T> {
    try {
      return await this.#pool.use(this.#request, (client) => call(new ResourceDriver(client, this.of.schema, this.of.type)))
    } catch (error) {
      throw this.learn(this.failure(error, effect))
    }
  }

  /** What concerns all that have the same configuration. Answers the failure. */
  learn(failure: unknown): unknown {
    if (!(failure instanceof ExternalError)) return failure
    // What the process logged in with may have expired.
    if (failure.code === 'Denied') this.#pool.renew(this.#request)
    if (failure.code === 'Throttled') this.#pool.throttled(this.#request)
    return failure
  }

  failure(error: unknown, effect: { readonly mayHaveTakenEffect?: boolean } = {}): unknown {
    return externalError(error, { secrets: this.#secrets, ...effect })
  }

  /** What a data source says. */
  async readData(config: Value, signal: AbortSignal): Promise<Value> {
    const { schema, type } = this.of
    try {
      const state = await this.#pool.use(this.#request, (client) => readDataSource(client, schema, { type, config }, { signal }))
      this.knows(state)
      return state
    } catch (error) {
      throw this.learn(this.failure(error))
    }
  }

  /**
   * What is configured. `prior`: what there is, for parameters that are for the creation only. `unknown`: texts that stand for what is not known
   * before something else is made.
   */
  async config(prior: Value, signal: AbortSignal, unknown?: (text: string) => boolean): Promise<Value> {
    try {
      const parameters = parametersOf(this.resource)
      const given = getOwn(specOf(this.resource), 'initProvider')
      const initial: JsonObject | undefined = isJsonObject(given) ? given : undefined
      const client = this.#client.withSignal(signal)
      const { namespace } = this.resource.metadata
      const own = await lookUpSecrets(client, this.of.fields, parameters, namespace)
      const first = initial === undefined ? own : await lookUpSecrets(client, this.of.fields, initial, namespace)
      const config = toConfig(this.of.fields, parameters, {
        secrets: (ref) => own(ref) ?? first(ref),
        initial,
        prior,
        unknown,
        subject: `${this.of.type} of ${this.of.provider}`,
      })
      this.knows(config)
      return config
    } catch (error) {
      throw this.failure(error)
    }
  }

  /** Remembers what is sensitive in a value. */
  knows(value: Value): void {
    const { schema: of, type, sort } = this.of
    const schema = (sort === 'data' ? of.dataSources : of.resources).get(type)
    if (schema === undefined) return
    const texts = sensitiveTexts(schema.block, value)
    this.#secrets.push(...texts)
    this.#pool.conceal(texts)
  }

  shown(text: string): string {
    return redact(text, this.#secrets)
  }

  get isBeingDeleted(): boolean {
    return isBeingDeleted(this.resource)
  }

  /** The name under which a provider finds it again: as somebody said that it is imported; its id; of what has none, its identity (T147, T149). */
  nameOf({ value, identity }: ResourceState, identityText: () => string | undefined): string {
    const stated = statedName(this.of.importFormat, value)
    return stated ?? (identity === undefined ? undefined : identityText()) ?? this.resource.metadata.name ?? ''
  }
}
