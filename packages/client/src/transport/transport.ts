import type { KubeObject } from '@weft/api'

/**
 * The one way to an API server. Two implementations: HTTP to any Kubernetes API (`httpTransport`), and in-process to
 * the embedded server. Callers cannot tell them apart, and fakes and fault injectors take the same place.
 *
 * Protocol:
 * - What is answered is shared and deeply read-only: the in-process transport hands out the server's own objects.
 * - Failures reject with a StatusError: the server's own, or a ConnectionError when there was no answer. After a
 *   ConnectionError a write may or may not have taken effect.
 * - When `signal` aborts, the promise rejects with the signal's reason. A write may have taken effect.
 * - A transport retries what is safe to retry (429, broken connections of reads); everything else is the caller's.
 */
export interface Transport {
  request(request: TransportRequest): Promise<TransportAnswer>
  /**
   * Events in order, in batches as they arrive. Opened by the first `next()`; `return()` (a `break`) closes it. Ends
   * when the server ends it, which is normal and happens at least every hour: resume from the last resourceVersion seen.
   * An ERROR event of the server is thrown as StatusError (`Expired`: list again).
   */
  watch(request: WatchRequest): AsyncIterable<readonly WatchEvent[]>
  /** Closes connections; requests in flight fail. */
  close(): Promise<void>
  /** Answers are references into this process: a list costs nothing to send, so callers take it whole. */
  readonly local?: boolean | undefined
}

/** The coordinates of a resource in URLs. No namespace: cluster-scoped, or all namespaces. No name: the collection. */
export interface ResourcePath {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: string | undefined
}

export type TransportRequest = CallOptions &
  (
    | { readonly verb: 'get'; readonly resource: ResourcePath; readonly options?: GetOptions; readonly accept?: string | undefined }
    | { readonly verb: 'list'; readonly resource: ResourcePath; readonly options?: ListOptions; readonly accept?: string | undefined }
    | { readonly verb: 'create' | 'update'; readonly resource: ResourcePath; readonly object: object; readonly options?: WriteOptions }
    | { readonly verb: 'patch'; readonly resource: ResourcePath; readonly patch: Patch; readonly options?: PatchOptions }
    | { readonly verb: 'delete'; readonly resource: ResourcePath; readonly options?: DeleteOptions }
    | { readonly verb: 'deletecollection'; readonly resource: ResourcePath; readonly options?: DeleteOptions & Selectors }
    /** A path that is not a resource: discovery, health, version. */
    | { readonly verb: 'read'; readonly path: string; readonly accept?: string }
    /** A question to such a path that is too long for one. */
    | { readonly verb: 'post'; readonly path: string; readonly object: object }
  )

export interface WatchRequest extends CallOptions {
  readonly resource: ResourcePath
  readonly options?: WatchOptions
  /** Another representation than JSON objects: a Table. */
  readonly accept?: string | undefined
}

export type TransportVerb = TransportRequest['verb'] | 'watch'

export interface TransportAnswer {
  /** HTTP's: 201 tells a create from an update in an apply. */
  readonly status: number
  /** An object, a list, a Status; text when the server answered neither JSON nor an object. */
  readonly body: unknown
  readonly warnings: readonly string[]
}

export interface WatchEvent<T extends KubeObject = KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: T
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  readonly impersonate?: Impersonation | undefined
}

/** Act as somebody else; the server checks that the real user may. */
export interface Impersonation {
  readonly username: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export interface GetOptions extends TableOptions {
  readonly resourceVersion?: string | undefined
}

/** Of answers that are a Table: what comes with each row. */
export interface TableOptions {
  readonly includeObject?: 'None' | 'Metadata' | 'Object' | undefined
}

export interface Selectors {
  /** Query form: `a=b,c in (d)`. */
  readonly labelSelector?: string | undefined
  readonly fieldSelector?: string | undefined
}

export interface ListOptions extends Selectors, TableOptions {
  readonly limit?: number | undefined
  readonly continue?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined
}

export interface WatchOptions extends Selectors, TableOptions {
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: 'NotOlderThan' | undefined
  readonly sendInitialEvents?: boolean | undefined
  readonly allowWatchBookmarks?: boolean | undefined
  readonly timeoutSeconds?: number | undefined
}

export interface WriteOptions {
  readonly dryRun?: boolean | undefined
  readonly fieldManager?: string | undefined
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined
}

export interface PatchOptions extends WriteOptions {
  /** Apply only: take fields over from other managers. */
  readonly force?: boolean | undefined
}

export interface DeleteOptions {
  readonly dryRun?: boolean | undefined
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined
  readonly gracePeriodSeconds?: number | undefined
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined
}

export type Patch =
  | { readonly type: 'merge' | 'strategic' | 'apply'; readonly body: object }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] }

export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string }
