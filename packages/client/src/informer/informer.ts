import type { KubeList, KubeObject, LabelSelector } from '@weft/api'
import type { ObjectRef } from '../kind.ts'
import type { WatchEvent, WatchOptions } from '../transport/transport.ts'
import type { Change, IndexFunction } from './cache.ts'
import type { InformerProblem, InformerState } from './states.ts'

/** What an informer follows: one kind, in one scope. */
export interface InformerSource<T extends KubeObject = KubeObject> {
  list(options: { readonly signal: AbortSignal }): Promise<KubeList<T>>
  watch(options: WatchOptions & { readonly signal: AbortSignal }): AsyncIterable<readonly WatchEvent<T>[]>
}

/** Reads from memory. Everything is shared and deeply read-only, and may lag behind the server, but never goes back. */
export interface InformerReader<T extends KubeObject = KubeObject> {
  get(ref: ObjectRef): T | undefined
  list(options?: { readonly namespace?: string | undefined; readonly labels?: LabelSelector | string | undefined }): readonly T[]
  /** Objects that the index files under `value`. */
  byIndex(index: string, value: string): readonly T[]
  keys(): IterableIterator<string>
  readonly size: number
}

/**
 * Keeps a copy of all objects of a kind up to date and tells subscribers of every change. Started and stopped at run
 * time. Survives everything but `stop`: see InformerState for what it falls back to.
 */
export interface Informer<T extends KubeObject = KubeObject> extends InformerReader<T> {
  readonly state: InformerState
  /** Resolves when the cache has been complete once; rejects when the informer is stopped before. */
  readonly synced: Promise<void>
  readonly isSynced: boolean
  /** Callable at any time; files what is there already. A name that is taken is replaced. */
  addIndex(name: string, keysOf: IndexFunction<T>): void
  hasIndex(name: string): boolean
  /**
   * `handler` is called for each object that is there (as `added`), before this returns, then for each change in order.
   * It must be quick and not throw. Answers how to unsubscribe.
   */
  subscribe(handler: (change: Change<T>) => void): () => void
  /** Ends a wait between attempts early: somebody knows that the reason for it is gone. */
  retryNow(): void
  start(): void
  /** Resolves when nothing is running any more. Idempotent. */
  stop(): Promise<void>
}

export interface InformerReport {
  readonly problem: InformerProblem | 'history-reset' | 'handler'
  readonly error: unknown
  readonly attempt: number
  readonly retryInMs: number
}
