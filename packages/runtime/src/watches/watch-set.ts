import { formatGroupKind, type KubeObject } from '@weft/api'
import type { Change, IndexFunction, Informer, InformerLease, InformerReader, InformerScope, Kind, SharedInformers } from '@weft/client'
import { scopeKey } from '@weft/client'

/** What is watched: a kind, all of it or what a namespace and selectors leave of it. */
export interface WatchScope<W extends KubeObject = KubeObject> extends InformerScope<W> {
  /** How its objects are filed, for those who read them. */
  readonly indexes?: Readonly<Record<string, IndexFunction<W>>> | undefined
}

/**
 * Watches that come and go while they are used. Each is opened by the first user that needs it and closed when the last no longer does; the watch itself is
 * shared with everybody else in the process who looks at the same. Nothing of it outlives the process: who uses what is said again after a restart.
 */
export interface WatchSet {
  /** `user` needs exactly these from now on, whatever it needed before. A watch that is still needed is not interrupted. */
  use(user: string, scopes: readonly WatchScope[]): void
  /** A kind that is watched without selectors, from memory; undefined while it is not, or is not complete. */
  reader<K extends KubeObject>(kind: Kind<K>): InformerReader<K> | undefined
  /** Resolves when these kinds are complete; rejects when one is given up before, or is not watched. */
  complete(kinds: readonly Kind[]): Promise<void>
  /** What one kind, or every kind, files under a value. One that is not complete, or not filed so, has nothing: it never fails. */
  filed(index: string, value: string, kind?: Kind): readonly KubeObject[]
  /**
   * `handler` is told of every change from now on, of whatever is watched by then; of a watch that is opened later also of all that it finds. It must be
   * quick and not throw. Answers how to unsubscribe.
   */
  subscribe(handler: WatchHandler): () => void
  /** Resolves when every watch was given back. It cannot be used any more. */
  close(): Promise<void>
}

export type WatchHandler = (change: Change, scope: WatchScope) => void

export const createWatchSet = (informers: SharedInformers): WatchSet => new CountedWatches(informers)

interface Open {
  readonly scope: WatchScope
  readonly lease: InformerLease
  unsubscribe: () => void
  readonly users: Set<string>
}

class CountedWatches implements WatchSet {
  readonly #informers: SharedInformers
  readonly #open = new Map<string, Open>()
  /** Those without selectors, by kind: one for each version that is asked for. */
  readonly #whole = new Map<string, Open[]>()
  /** Keys of what each user needs. */
  readonly #uses = new Map<string, readonly string[]>()
  readonly #handlers = new Set<WatchHandler>()
  readonly #closing = new Set<Promise<void>>()

  constructor(informers: SharedInformers) {
    this.#informers = informers
  }

  use(user: string, scopes: readonly WatchScope[]): void {
    const before = this.#uses.get(user)
    if (before === undefined && scopes.length === 0) return
    const wanted = new Map(scopes.map((scope) => [scopeKey(scope), scope]))
    if (wanted.size === 0) this.#uses.delete(user)
    else this.#uses.set(user, [...wanted.keys()])
    for (const [key, scope] of wanted) (this.#open.get(key) ?? this.#start(key, scope)).users.add(user)
    // What a kind is used for may change while it is watched.
    for (const [key, { indexes }] of wanted) if (indexes !== undefined) addIndexes(this.#open.get(key)?.lease.informer, indexes)
    for (const key of before ?? []) if (!wanted.has(key)) this.#leave(key, user)
  }

  reader<K extends KubeObject>(kind: Kind<K>): InformerReader<K> | undefined {
    const informer = this.#find(kind)?.lease.informer
    return informer?.isSynced === true ? (informer as unknown as InformerReader<K>) : undefined
  }

  async complete(kinds: readonly Kind[]): Promise<void> {
    await Promise.all(
      kinds.map((kind) => this.#find(kind)?.lease.informer.synced ?? Promise.reject(new Error(`${formatGroupKind(kind)} is not watched`))),
    )
  }

  filed(index: string, value: string, kind?: Kind): readonly KubeObject[] {
    const asked = kind === undefined ? this.#open.values() : [this.#find(kind)]
    const found: KubeObject[] = []
    for (const one of asked) {
      const informer = one?.lease.informer
      if (informer?.isSynced === true && informer.hasIndex(index)) found.push(...informer.byIndex(index, value))
    }
    return found
  }

  subscribe(handler: WatchHandler): () => void {
    const own: WatchHandler = (change, scope) => handler(change, scope)
    this.#handlers.add(own)
    return () => this.#handlers.delete(own)
  }

  async close(): Promise<void> {
    this.#handlers.clear()
    this.#uses.clear()
    for (const key of [...this.#open.keys()]) this.#stop(key)
    await Promise.all(this.#closing)
  }

  #find({ version, ...kind }: Kind): Open | undefined {
    return this.#whole
      .get(formatGroupKind(kind))
      ?.find(({ scope }) => version === undefined || scope.kind.version === undefined || scope.kind.version === version)
  }

  #start(key: string, scope: WatchScope): Open {
    const lease = this.#informers.acquire(scope)
    // Whoever waits for it is told otherwise; a watch that is closed before it was complete is no error.
    lease.informer.synced.catch(() => undefined)
    const opened: Open = { scope, lease, users: new Set(), unsubscribe: () => undefined }
    this.#open.set(key, opened)
    if (isWhole(scope)) {
      const kind = formatGroupKind(scope.kind)
      this.#whole.set(kind, [...(this.#whole.get(kind) ?? []), opened])
    }
    addIndexes(lease.informer, scope.indexes ?? {})
    // Registered first: subscribing already reports what is there.
    opened.unsubscribe = lease.informer.subscribe((change) => this.#tell(change, scope))
    return opened
  }

  /** Whoever fails must not keep others from hearing of it; the informer reports the failure. */
  #tell(change: Change, scope: WatchScope): void {
    const failures: unknown[] = []
    for (const handler of this.#handlers) {
      try {
        handler(change, scope)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  #leave(key: string, user: string): void {
    const left = this.#open.get(key)
    left?.users.delete(user)
    if (left?.users.size === 0) this.#stop(key)
  }

  #stop(key: string): void {
    const stopped = this.#open.get(key)
    if (stopped === undefined) return
    this.#open.delete(key)
    const kind = formatGroupKind(stopped.scope.kind)
    const others = (this.#whole.get(kind) ?? []).filter((each) => each !== stopped)
    if (others.length === 0) this.#whole.delete(kind)
    else this.#whole.set(kind, others)
    stopped.unsubscribe()
    const closing = stopped.lease.release().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }
}

const isWhole = ({ namespace, labels, fieldSelector }: WatchScope): boolean =>
  namespace === undefined && labels === undefined && fieldSelector === undefined

function addIndexes(informer: Informer | undefined, indexes: Readonly<Record<string, IndexFunction>>): void {
  for (const [name, keysOf] of Object.entries(indexes)) if (informer?.hasIndex(name) === false) informer.addIndex(name, keysOf)
}
