import type { KubeObject } from '@weft/api'
import { type Change, type Clock, type InformerReader, type Kind, scopeKey, type SharedInformers, sleep } from '@weft/client'
import { createWatchSet, type WatchScope, type WatchSet } from '../watches/watch-set.ts'

/** A watch that one object needs while it is reconciled, and until it says otherwise. */
export interface Need<W extends KubeObject = KubeObject> extends WatchScope<W> {
  /** Does this change call for the object? Unless given, the controller's `toFollowers` says whom a change calls for. */
  readonly wakes?: ((change: Change<W>) => boolean) | undefined
}

/** Types a need against the object of its own kind; lists of needs are of many kinds. */
export const need = <W extends KubeObject>(given: Need<W>): Need => given as unknown as Need

interface Calls {
  /** Something changed that objects follow. */
  followed(change: Change): void
  /** The object with this key waited for a change, and it came. */
  awaited(key: string): void
}

/** How long a watch may take to be complete before those who would rather wait for it work without. */
const PATIENCE_MS = 10_000

/** The watches that the objects of one controller need, each while some object does. */
export class Needs {
  readonly #clock: Clock
  readonly #followed: WatchSet
  readonly #awaited: WatchSet
  /** By watch, then by object. */
  readonly #wakes = new Map<string, Map<string, NonNullable<Need['wakes']>>>()
  /** What objects wait for, by object. */
  readonly #waits = new Map<string, readonly string[]>()
  /** Kinds that were waited for in vain. */
  readonly #late = new Set<string>()

  constructor(informers: SharedInformers, clock: Clock, calls: Calls) {
    this.#clock = clock
    this.#followed = createWatchSet(informers)
    this.#awaited = createWatchSet(informers)
    this.#followed.subscribe((change) => calls.followed(change))
    this.#awaited.subscribe((change, scope) => {
      for (const [key, wakes] of this.#wakes.get(scopeKey(scope)) ?? []) if (wakes(change)) calls.awaited(key)
    })
  }

  /** The object needs exactly these from now on. */
  set(key: string, needs: readonly Need[]): void {
    this.#followed.use(
      key,
      needs.filter(({ wakes }) => wakes === undefined),
    )
    const waits = needs.filter(({ wakes }) => wakes !== undefined)
    if (waits.length === 0 && !this.#waits.has(key)) return
    // First: what a watch already knows when it is joined was there for the reconcile to see.
    this.#awaited.use(key, waits)
    for (const scope of this.#waits.get(key) ?? []) {
      const waiting = this.#wakes.get(scope)
      waiting?.delete(key)
      if (waiting?.size === 0) this.#wakes.delete(scope)
    }
    this.#waits.delete(key)
    if (waits.length > 0) this.#waits.set(key, waits.map(scopeKey))
    for (const { wakes, ...scope } of waits) {
      if (wakes === undefined) continue
      const waiting = this.#wakes.get(scopeKey(scope)) ?? new Map<string, typeof wakes>()
      this.#wakes.set(scopeKey(scope), waiting.set(key, wakes))
    }
  }

  reader<K extends KubeObject>(kind: Kind<K>): InformerReader<K> | undefined {
    return this.#followed.reader(kind)
  }

  /**
   * Resolves when those of these kinds that some object follows are in memory. A watch that does not come about must keep nobody from working, so it is waited
   * for once: whoever asks after that waits for it no more.
   */
  async inMemory(kinds: readonly Kind[], signal: AbortSignal): Promise<void> {
    await Promise.all(kinds.map((kind) => (this.reader(kind) === undefined ? this.#await(kind, signal) : undefined)))
  }

  async #await(kind: Kind, signal: AbortSignal): Promise<void> {
    const key = scopeKey({ kind })
    if (this.#late.has(key)) return
    const over = new AbortController()
    const timeUp = sleep(this.#clock, PATIENCE_MS, AbortSignal.any([signal, over.signal])).then(
      () => void this.#late.add(key),
      () => undefined,
    )
    await Promise.race([this.#followed.complete([kind]).catch(() => undefined), timeUp])
    over.abort()
  }

  async close(): Promise<void> {
    await Promise.all([this.#followed.close(), this.#awaited.close()])
  }
}
