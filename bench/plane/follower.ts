import { findCondition, type GroupKind, type KubeObject } from '@weft/api'
import type { Client } from '@weft/client'
import { conditionsOf } from '@weft/composition'

/** Follows a kind and tells when something was first seen of each of its objects, or of what they stand for: that it is Ready, unless told otherwise. */
export interface Follower {
  /** By name, as performance.now(). */
  readonly readyAt: ReadonlyMap<string, number>
  /** Resolves when so many are Ready. */
  until(count: number): Promise<void>
  stop(): void
}

export async function follow(
  client: Client,
  kind: GroupKind,
  /** The name under which an object counts from now on; undefined: not yet. */
  seen: (object: KubeObject) => string | undefined = readyName,
): Promise<Follower> {
  const { metadata } = await client.list(kind, { limit: 1 })
  const abort = new AbortController()
  const readyAt = new Map<string, number>()
  let waiting: { readonly count: number; readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined
  const take = (object: KubeObject): void => {
    const name = seen(object)
    if (name !== undefined && !readyAt.has(name)) readyAt.set(name, performance.now())
  }
  const run = async (): Promise<void> => {
    for await (const events of client.watch(kind, { resourceVersion: metadata.resourceVersion, signal: abort.signal })) {
      for (const { type, object } of events) if (type === 'ADDED' || type === 'MODIFIED') take(object)
      if (waiting !== undefined && readyAt.size >= waiting.count) waiting.resolve()
    }
    throw new Error(`the watch of ${kind.kind} ended early`)
  }
  run().catch((error: unknown) => {
    if (!abort.signal.aborted) waiting?.reject(error)
  })
  return {
    readyAt,
    until: (count) =>
      readyAt.size >= count ? Promise.resolve() : new Promise((resolve, reject) => (waiting = { count, resolve, reject })),
    stop: () => abort.abort(),
  }
}

export const isReady = (object: KubeObject): boolean => findCondition(conditionsOf(object), 'Ready')?.status === 'True'

const readyName = (object: KubeObject): string | undefined => (isReady(object) ? object.metadata.name : undefined)
