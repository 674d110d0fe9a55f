import type { ProviderSchema } from '../schema/schema.ts'
import type { AttributePath, Diagnostic } from './diagnostic.ts'

/**
 * The calls of a provider's process, the same for protocols 5 and 6. Values travel as bytes (msgpack of the type that the schema says; answers
 * may be JSON, see `decodeWire`): what a plan answered goes to `apply` untouched.
 *
 * Failures that a provider foresees come as diagnostics beside an answer, and both count: an `apply` that failed may still say what it made.
 * Anything else rejects with GrpcError: the process crashed (Unavailable), or does not know the call (Unimplemented).
 *
 * All calls may run at a time, but two changes of one resource. `configure` is once in a process's life.
 */
export interface ProviderClient {
  readonly protocol: 5 | 6
  /** Includes the identities, where the provider has any. */
  schema(options?: CallOptions): Promise<SchemaAnswer>
  validateProvider(config: Uint8Array, options?: CallOptions): Promise<Diagnostic[]>
  configure(config: Uint8Array, options?: CallOptions): Promise<Diagnostic[]>
  validateResource(type: string, config: Uint8Array, options?: CallOptions): Promise<Diagnostic[]>
  validateDataSource(type: string, config: Uint8Array, options?: CallOptions): Promise<Diagnostic[]>
  /** A state as it was stored (JSON), by the version of the schema of that time. */
  upgradeState(type: string, stored: { readonly version: number; readonly json: string }, options?: CallOptions): Promise<UpgradeAnswer>
  upgradeIdentity(type: string, stored: { readonly version: number; readonly json: string }, options?: CallOptions): Promise<UpgradeAnswer>
  read(request: ReadRequest, options?: CallOptions): Promise<ReadAnswer>
  plan(request: PlanRequest, options?: CallOptions): Promise<PlanAnswer>
  /** Takes no signal and no time limit: either would end the operation half way, with nobody knowing what was made (T30). */
  apply(request: ApplyRequest): Promise<ApplyAnswer>
  import(request: ImportRequest, options?: CallOptions): Promise<ImportAnswer>
  readDataSource(request: DataSourceRequest, options?: CallOptions): Promise<DataSourceAnswer>
  /** Cancels every call under way in the process, which stays usable. For shutting down. */
  stop(): Promise<void>
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

export interface SchemaAnswer {
  readonly schema: ProviderSchema
  /** To be kept: `readStoredSchema` makes the schema from it again. */
  readonly stored: Uint8Array
}

/** What is known of one resource. All of it is needed again, the private bytes and the identity too. */
export interface ResourceBytes {
  readonly state: Uint8Array
  readonly private: Uint8Array
  /** Undefined: the type has none, or none yet. */
  readonly identity?: Uint8Array | undefined
}

interface ResourceRequest {
  readonly type: string
  /** Only where the schema has a providerMeta. */
  readonly providerMeta?: Uint8Array | undefined
}

interface Answer {
  readonly diagnostics: readonly Diagnostic[]
}

export interface UpgradeAnswer extends Answer {
  readonly upgraded: Uint8Array | undefined
}

export interface ReadRequest extends ResourceRequest, ResourceBytes {}

export interface ReadAnswer extends Answer {
  /** Undefined: the provider said nothing about it, as it may when it failed. */
  readonly state: Uint8Array | undefined
  readonly private: Uint8Array
  readonly identity: Uint8Array | undefined
  /** Not ready to say: look again later. */
  readonly deferred: boolean
}

export interface PlanRequest extends ResourceRequest {
  readonly prior: ResourceBytes
  readonly proposed: Uint8Array
  readonly config: Uint8Array
}

export interface PlanAnswer extends Answer {
  readonly planned: Uint8Array | undefined
  readonly private: Uint8Array
  readonly identity: Uint8Array | undefined
  readonly requiresReplace: readonly AttributePath[]
  /** The provider's values are known not to follow the rules, and are not held to them (T86). */
  readonly legacyTypes: boolean
  readonly deferred: boolean
}

export interface ApplyRequest extends ResourceRequest {
  readonly prior: Uint8Array
  readonly planned: ResourceBytes
  readonly config: Uint8Array
}

export interface ApplyAnswer extends Answer {
  readonly state: Uint8Array | undefined
  readonly private: Uint8Array
  readonly identity: Uint8Array | undefined
  readonly legacyTypes: boolean
}

/** By id or by identity. */
export type ImportRequest = { readonly type: string } & ({ readonly id: string } | { readonly identity: Uint8Array })

export interface ImportAnswer extends Answer {
  readonly resources: readonly (ResourceBytes & { readonly type: string })[]
  readonly deferred: boolean
}

export interface DataSourceRequest extends ResourceRequest {
  readonly config: Uint8Array
}

export interface DataSourceAnswer extends Answer {
  readonly state: Uint8Array | undefined
  readonly deferred: boolean
}
