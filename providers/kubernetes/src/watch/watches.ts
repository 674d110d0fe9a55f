import type { WatchEvent } from '@weft/client'
import { setTimeout as sleep } from 'node:timers/promises'

/** All objects of a kind in one place, as one watch follows them. */
export interface WatchedKind {
  /** The same for whoever can share the watch: connection, kind, namespace. */
  readonly key: string
  /** The connection: how many watches it may have is limited. */
  readonly cluster: string
  /** Changes from now on. Rejects, or ends, when it breaks off. `opened` is called once it follows. */
  follow(signal: AbortSignal, opened: () => void): AsyncIterable<readonly WatchEvent[]>
}

/** One object of a kind. */
export interface Watched {
  readonly kind: WatchedKind
  readonly name: string
}

interface Follower {
  readonly names: ReadonlySet<string>
  wake(): void
}

interface Open {
  readonly cluster: string
  readonly followers: Map<string, Follower>
  readonly due: Set<string>
  readonly abort: AbortController
  live: boolean
  timer: NodeJS.Timeout | undefined
}

/** However fast a cluster tells of changes, an object is looked at no more often than this. */
const GATHER_MS = 250
const MAX_PER_CLUSTER = 100
const RETRY_MS = { first: 1_000, most: 60_000 }

/**
 * Shared watches: begun by the first who follows an object of the kind, ended by the last who stops. They tell only that something changed, and
 * keep nothing of it in memory. When one breaks off, everybody who followed is woken: to poll meanwhile, and again when it is back.
 */
export class Watches {
  readonly #open = new Map<string, Open>()
  /** By owner: the keys of what it follows. */
  readonly #followed = new Map<string, ReadonlySet<string>>()

  get size(): number {
    return this.#open.size
  }

  /** `owner` follows these objects from now on, and no others. Answers whether it is certain to be woken when any of them changes. */
  follow(owner: string, objects: readonly Watched[], wake: () => void): boolean {
    const kinds = new Map(objects.map(({ kind }) => [kind.key, kind]))
    this.#leave(owner, kinds)
    this.#followed.set(owner, new Set(kinds.keys()))
    let certain = true
    for (const kind of kinds.values()) {
      const names = new Set(objects.flatMap((each) => (each.kind.key === kind.key ? [each.name] : [])))
      certain = this.#join(owner, kind, { names, wake }) && certain
    }
    return certain
  }

  stop(owner: string): void {
    this.#leave(owner, new Map())
    this.#followed.delete(owner)
  }

  /** Answers whether the watch is open. */
  #join(owner: string, kind: WatchedKind, follower: Follower): boolean {
    let open = this.#open.get(kind.key)
    if (open === undefined) {
      const sameCluster = [...this.#open.values()].filter(({ cluster }) => cluster === kind.cluster)
      if (sameCluster.length >= MAX_PER_CLUSTER) return false
      open = { cluster: kind.cluster, followers: new Map(), due: new Set(), abort: new AbortController(), live: false, timer: undefined }
      this.#open.set(kind.key, open)
    }
    const first = open.followers.size === 0
    open.followers.set(owner, follower)
    if (first && !open.live) void this.#run(open, kind)
    return open.live
  }

  #leave(owner: string, kept: ReadonlyMap<string, unknown>): void {
    for (const key of this.#followed.get(owner) ?? []) {
      const open = this.#open.get(key)
      if (kept.has(key) || open === undefined) continue
      open.followers.delete(owner)
      if (open.followers.size > 0) continue
      this.#open.delete(key)
      end(open)
    }
  }

  close(): void {
    for (const open of this.#open.values()) end(open)
    this.#open.clear()
    this.#followed.clear()
  }

  async #run(open: Open, kind: WatchedKind): Promise<void> {
    const { signal } = open.abort
    for (let failures = 0; !signal.aborted;) {
      try {
        const opened = (): void => {
          failures = 0
          open.live = true
          wakeAll(open)
        }
        for await (const batch of kind.follow(signal, opened)) {
          const changed = new Set(batch.flatMap(({ type, object }) => (type === 'BOOKMARK' ? [] : [object.metadata?.name ?? ''])))
          for (const [owner, { names }] of open.followers) if ([...names].some((name) => changed.has(name))) wakeSoon(open, owner)
        }
      } catch {
        // Whatever it was, whoever follows meets it too when it looks, and says so.
      }
      if (signal.aborted) return
      if (open.live) wakeAll(open)
      open.live = false
      const delay = Math.min(RETRY_MS.first * 2 ** failures++, RETRY_MS.most)
      await sleep(delay, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
}

function end(open: Open): void {
  clearTimeout(open.timer)
  open.abort.abort()
}

function wakeAll(open: Open): void {
  for (const owner of open.followers.keys()) wakeSoon(open, owner)
}

function wakeSoon(open: Open, owner: string): void {
  open.due.add(owner)
  open.timer ??= setTimeout(() => {
    open.timer = undefined
    const due = [...open.due]
    open.due.clear()
    for (const each of due) open.followers.get(each)?.wake()
  }, GATHER_MS).unref()
}
