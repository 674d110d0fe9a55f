import type { KubeObject, LabelSelector } from '@weft/api'
import type { BackoffOptions, Change, Client, IndexFunction, InformerReader, Kind } from '@weft/client'
import type { Log } from '../log/log.ts'
import type { WatchScope, WatchSet } from '../watches/watch-set.ts'
import type { Need } from './needs.ts'

/** The object that needs attention. It may be gone by now. */
export interface Request {
  readonly namespace?: string | undefined
  readonly name: string
}

/**
 * Makes the world match one object. Called with the object's name only, because by then it may have changed again: read
 * it, compare, act, and say how it went.
 *
 * - `done`: nothing more to do until something that is watched changes.
 * - `requeueAfter`: call again after this time, or earlier when something changes.
 * - an error (thrown): call again after a delay that doubles with every failure of this object.
 * - a TerminalError (thrown): trying again cannot help; call again when something changes.
 *
 * Never called twice at a time for one object. Must be idempotent: it may have died half-way before. When `signal`
 * aborts (timeout, stop, lost leadership) it must come to an end; its client refuses further requests then.
 */
export type Reconcile<T extends KubeObject = KubeObject> = (request: Request, context: ReconcileContext<T>) => Promise<Result>

export type Result = { readonly type: 'done' } | { readonly type: 'underWay' } | { readonly type: 'requeueAfter'; readonly millis: number }

export const done: Result = { type: 'done' }

/**
 * Somebody else is at it, and calls back when there is something to know. Whether it works is not known until then, so failures before it are not forgotten: what
 * fails again is tried again later than the last time.
 */
export const underWay: Result = { type: 'underWay' }

export const requeueAfter = (millis: number): Result => ({ type: 'requeueAfter', millis })

/** Trying again cannot help: the object itself has to change. */
export class TerminalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TerminalError'
  }
}

export interface ReconcileContext<T extends KubeObject = KubeObject> {
  readonly signal: AbortSignal
  /** Reads and writes the server itself; bound to `signal`. */
  readonly client: Client
  readonly log: Log
  /** The controller's own kind, from memory. */
  readonly primary: InformerReader<T>
  /** A kind that the controller watches, from memory. Throws for any other: reading it would need a watch. */
  cached<K extends KubeObject>(kind: Kind<K>): InformerReader<K>
  /** A kind that the controller watches or objects of it follow, from memory; undefined while nobody does, or it is not complete. */
  readonly known: Known
  /**
   * The object that is reconciled needs these watches from now on, besides the controller's own and in place of those that it needed before. One is open
   * while any object needs it. They are given up when the object is gone, or the controller stops; what calls comes from changes after this, so whoever
   * looks, finds nothing and follows comes back by an error.
   */
  follow(needs: readonly Need[]): void
  /**
   * Resolves when those of these kinds that are followed are in memory, so that `known` has them: then nobody asks the server for them one by one. Resolves as well
   * when that takes too long.
   */
  inMemory(kinds: readonly Kind[]): Promise<void>
  /** This reconcile waits for somebody who may take long: others of its controller may be worked on meanwhile. May be called again. */
  waits(): void
}

export type Known = <K extends KubeObject>(kind: Kind<K>) => InformerReader<K> | undefined

export type Predicate<T extends KubeObject = KubeObject> = (change: Change<T>) => boolean

/**
 * Which objects need attention when `object` (of a watched kind) changes. `primary` is the controller's own kind, from memory; `known` what else the
 * controller has there.
 */
export type Mapper<W extends KubeObject = KubeObject, T extends KubeObject = KubeObject> = (
  object: W,
  primary: InformerReader<T>,
  known: Known,
) => Iterable<Request>

/**
 * For how many milliseconds a change may be left lying, because what says more is usually about to come and calls by itself: a provider writes down what it is
 * about to do, then publishes, then reports. 0: it calls at once. Nobody is forgotten by it; only a pass that would find nothing to do is saved.
 */
export type Patience<W extends KubeObject = KubeObject> = (change: Change<W>, known: Known) => number

export interface WatchSpec<W extends KubeObject = KubeObject, T extends KubeObject = KubeObject> extends WatchScope<W> {
  readonly predicate?: Predicate<W> | undefined
  readonly map: Mapper<W, T>
  readonly patience?: Patience<W> | undefined
}

/** Watches that several controllers share, and that somebody else opens and closes: which kinds there are is data. */
export interface SharedWatchSpec<T extends KubeObject = KubeObject> {
  readonly from: WatchSet
  /**
   * Whom a change of an object of `kind` calls for. Only of changes since the controller runs: at its start it looks at all its objects anyway. Asked of every
   * change of everything in the set, so it must be quick about what is none of its business.
   */
  readonly map: (change: Change, primary: InformerReader<T>, kind: Kind) => Iterable<Request>
}

export interface ControllerSpec<T extends KubeObject = KubeObject> {
  /** Unique in its manager; names the controller in logs and metrics: `composite/xnetworks.example.org`. */
  readonly name: string
  readonly kind: Kind<T>
  readonly namespace?: string | undefined
  readonly labels?: LabelSelector | string | undefined
  /** Which changes of the controller's own kind matter; all unless told. */
  readonly predicate?: Predicate<T> | undefined
  readonly watches?: readonly WatchSpec<KubeObject, T>[] | undefined
  readonly shares?: readonly SharedWatchSpec<T>[] | undefined
  /** Whom a change of something that objects follow calls for. */
  readonly toFollowers?: Mapper<KubeObject, T> | undefined
  /** With which patience. */
  readonly followersPatience?: Patience | undefined
  /** Indexes on the controller's own kind, for mappers and reconciles. */
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>> | undefined
  readonly reconcile: Reconcile<T>
  /** What it reads and writes through; the manager's client unless given. */
  readonly client?: Client | undefined
  /** Objects worked on at a time. */
  readonly concurrency?: number | undefined
  /** How many at a time together with those that said that they wait; as many as `concurrency` unless given. */
  readonly withWaiting?: number | undefined
  readonly timeoutMs?: number | undefined
  readonly backoff?: BackoffOptions | undefined
  readonly queueCapacity?: number | undefined
}

/** Types a watch against the object of its own kind; lists of watches are of many kinds. */
export function watch<W extends KubeObject, T extends KubeObject>(spec: WatchSpec<W, T>): WatchSpec<KubeObject, T> {
  return spec as unknown as WatchSpec<KubeObject, T>
}
