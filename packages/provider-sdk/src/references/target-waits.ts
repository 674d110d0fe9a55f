import { deepEqual, formatGroupKind, type GroupKind, type KubeObject } from '@weft/api'
import type { Change, InformerLease, SharedInformers } from '@weft/client'

/** What a resource waits for: an object of one of these kinds, of this name and in this namespace where they are known. */
export interface AwaitedTarget {
  readonly kinds: readonly GroupKind[]
  readonly name?: string | undefined
  readonly namespace?: string | undefined
}

/**
 * Wakes resources whose references could not be resolved, when something appears that they may mean. A kind is watched while somebody
 * waits for it and no longer. Back-off goes on beside it, for what no watch can see: a kind that nobody may list, or one not installed.
 */
export interface TargetWaits {
  /** Replaces what `waiter` waited for before. */
  wait(waiter: string, target: AwaitedTarget, wake: () => void): void
  /** Everything is resolved, or the resource is gone. Cheap where it waits for nothing. */
  stop(waiter: string): void
  close(): Promise<void>
}

interface Waiting {
  readonly name: string | undefined
  readonly wake: () => void
}

interface Watched {
  readonly lease: InformerLease
  readonly unsubscribe: () => void
  readonly waiting: Map<string, Waiting>
}

export function createTargetWaits(informers: SharedInformers): TargetWaits {
  const watched = new Map<string, Watched>()
  const kindsOf = new Map<string, readonly string[]>()

  const watch = ({ group, kind }: GroupKind, namespace: string | undefined): Watched => {
    const lease = informers.acquire({ kind: { group, kind }, namespace })
    lease.informer.synced.catch(() => undefined)
    const waiting = new Map<string, Waiting>()
    const unsubscribe = lease.informer.subscribe((change) => {
      if (!mayResolve(change)) return
      const { name } = change.object.metadata
      for (const one of waiting.values()) if (one.name === undefined || one.name === name) one.wake()
    })
    return { lease, unsubscribe, waiting }
  }
  const leave = (waiter: string): Promise<void>[] => {
    const keys = kindsOf.get(waiter) ?? []
    kindsOf.delete(waiter)
    return keys.flatMap((key) => {
      const entry = watched.get(key)
      entry?.waiting.delete(waiter)
      if (entry === undefined || entry.waiting.size > 0) return []
      watched.delete(key)
      entry.unsubscribe()
      return [entry.lease.release()]
    })
  }
  return {
    wait(waiter, { kinds, name, namespace }, wake) {
      const keys = kinds.map((kind) => `${formatGroupKind(kind)}/${namespace ?? ''}`)
      for (const [i, kind] of kinds.entries()) {
        const key = keys[i] as string
        let entry = watched.get(key)
        if (entry === undefined) watched.set(key, (entry = watch(kind, namespace)))
        entry.waiting.set(waiter, { name, wake })
      }
      // After joining, so that a watch that is still wanted is not stopped and started again.
      const before = (kindsOf.get(waiter) ?? []).filter((key) => !keys.includes(key))
      kindsOf.set(waiter, before)
      void Promise.all(leave(waiter))
      kindsOf.set(waiter, keys)
    },
    stop(waiter) {
      if (kindsOf.has(waiter)) void Promise.all(leave(waiter))
    },
    async close() {
      await Promise.all([...kindsOf.keys()].flatMap(leave))
    },
  }
}

/** What a selector or a key looks at: labels, the fields by which an object belongs to a group, and the data of a secret. */
function mayResolve(change: Change): boolean {
  if (change.type !== 'updated') return change.type === 'added'
  return !deepEqual(content(change.object), content(change.previous))
}

const content = (object: KubeObject): unknown => [object.metadata.labels, object['spec'], object['data']]
