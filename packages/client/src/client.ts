import type { KubeList, KubeObject, LabelSelector } from '@weft/api'
import type { Mapping } from './discovery/rest-mapper.ts'
import type { Kind, ObjectRef } from './kind.ts'
import type {
  CallOptions,
  DeleteOptions,
  GetOptions,
  Impersonation,
  ListOptions,
  Patch,
  PatchOptions,
  Selectors,
  Transport,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './transport/transport.ts'

/**
 * Reads and writes objects of any kind. Typed where the kind is (`secretKind`), dynamic for everything else
 * (`{ group, kind }`, resolved by discovery). What it answers is shared and deeply read-only: to change an object,
 * build a new one (`withMeta`, spread) and write that.
 *
 * Failures reject with StatusError (see Transport), or NoMatchError when the server does not serve the kind. A
 * namespaced object without a namespace is taken to be in the client's default namespace.
 */
export interface Client {
  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: ReadOptions): Promise<T>
  /** As `get`, but answers undefined when there is no such object. */
  find<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, options?: ReadOptions): Promise<T | undefined>
  /** One page when `limit` is given, else everything. All namespaces unless one is given. */
  list<T extends KubeObject>(kind: Kind<T>, options?: ListCallOptions): Promise<KubeList<T>>
  /** See Transport.watch. */
  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchCallOptions): AsyncIterable<readonly WatchEvent<T>[]>
  create<T extends KubeObject>(object: T, options?: WriteCallOptions): Promise<T>
  /** Replaces; fails with Conflict unless `metadata.resourceVersion` is the current one (where it is given). */
  update<T extends KubeObject>(object: T, options?: WriteCallOptions): Promise<T>
  updateStatus<T extends KubeObject>(object: T, options?: WriteCallOptions): Promise<T>
  patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: Patch, options?: PatchCallOptions): Promise<T>
  /**
   * Server-side apply: the object becomes what is given in the fields that are given, and this manager owns them.
   * Fields it owned before and no longer gives are removed. Creates the object if need be. Idempotent.
   */
  apply<T extends KubeObject>(object: T, options?: PatchCallOptions): Promise<T>
  /** Answers false when there was nothing to delete. The object may linger until its finalizers are gone. */
  delete(kind: Kind, ref: ObjectRef, options?: DeleteCallOptions): Promise<boolean>
  deleteAll(kind: Kind, options?: DeleteCallOptions & Scope): Promise<void>
  mapping(kind: Kind, signal?: AbortSignal): Promise<Mapping>
  /** The same client, acting as somebody else. */
  impersonate(user: Impersonation): Client
  /** The same client, all of whose requests end when `signal` aborts. */
  withSignal(signal: AbortSignal): Client
  readonly transport: Transport
}

export interface SubresourceOption {
  readonly subresource?: string | undefined
}

export interface Scope {
  readonly namespace?: string | undefined
  readonly labels?: LabelSelector | string | undefined
  readonly fieldSelector?: string | undefined
}

export type ReadOptions = GetOptions & CallOptions & SubresourceOption
export type ListCallOptions = Omit<ListOptions, keyof Selectors> & CallOptions & Scope
export type WatchCallOptions = Omit<WatchOptions, keyof Selectors> & CallOptions & Scope
export type WriteCallOptions = WriteOptions & CallOptions & SubresourceOption
export type PatchCallOptions = PatchOptions & CallOptions & SubresourceOption
export type DeleteCallOptions = DeleteOptions & CallOptions
