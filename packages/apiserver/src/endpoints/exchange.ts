import type { Readable } from 'node:stream'
import type { PeerCertificate, UserInfo } from '../auth/index.ts'
import type { StoredObject } from '../registry/index.ts'

/**
 * One request and its answer, free of sockets. The HTTP front makes them from bytes, the in-process transport from
 * objects; everything between is the same code.
 */
export interface ApiRequest {
  readonly method: string
  /** Decoded path, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  header(name: string): string | undefined
  /** All values of headers that may repeat (Impersonate-Group), and all headers with a prefix (Impersonate-Extra-). */
  headersWithPrefix(prefix: string): readonly (readonly [string, string])[]
  readonly body: RequestBody
  readonly credentials: CallerCredentials
  readonly remoteAddress: string
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
}

export type CallerCredentials =
  | { readonly kind: 'network'; readonly peerCertificate?: PeerCertificate }
  /** An in-process caller: its identity is established by holding the transport. RBAC and admission apply all the same. */
  | { readonly kind: 'internal'; readonly user: UserInfo }

export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; read(limit: number): Promise<Buffer> }
  /** Shared and read-only, already the JSON model. */
  | { readonly kind: 'object'; readonly object: unknown }

export interface ApiResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly warnings?: readonly string[]
  readonly body: ResponseBody
}

export type ResponseBody =
  | { readonly kind: 'stored'; readonly stored: StoredObject }
  | { readonly kind: 'object'; readonly object: object }
  | { readonly kind: 'list'; readonly list: ListBody }
  | { readonly kind: 'bytes'; readonly contentType: string; readonly bytes: Buffer | string }
  | { readonly kind: 'watch'; readonly watch: WatchBody; /** Lines of JSON unless given. */ readonly encoding?: WatchEncoding }
  /** Large bytes that are not worth holding in memory. `open` is called once. */
  | { readonly kind: 'stream'; readonly contentType: string; open(): Readable }

export interface ListBody {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number }
  readonly items: readonly StoredObject[]
  /** Set where items travel without apiVersion and kind, as those of built-in kinds do: the kind to leave out. */
  readonly itemKind?: string
}

/** How the events of a watch are written. */
export interface WatchEncoding {
  readonly contentType: string
  /** One event with what parts it from the next. Events are shared by watches: made once. */
  encode(event: WatchEvent): Buffer
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'

export interface WatchEvent {
  readonly type: WatchEventType
  readonly object: WatchObject
}

/** Something with an object and its JSON, made once. */
export type WatchObject = StoredObject | { readonly object: object; readonly json: Buffer }

/** An endless answer. `open` is called once; events arrive in order until `close` (by the server) or the returned cancel (by the client). */
export interface WatchBody {
  open(sink: WatchSink): () => void
}

export interface WatchSink {
  /** Must not block. A sink that cannot keep up ends itself by calling the cancel function. */
  send(events: readonly WatchEvent[]): void
  close(): void
}

export const ok = (object: object, status = 200): ApiResponse => ({ status, body: { kind: 'object', object } })
