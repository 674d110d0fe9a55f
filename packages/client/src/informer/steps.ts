import type { KubeObject } from '@weft/api'
import type { Clock } from '../clock.ts'
import type { WatchEvent } from '../transport/transport.ts'
import type { InformerSource } from './informer.ts'
import { compareResourceVersions } from './resource-version.ts'
import { type StepOutcome, UnsupportedError } from './states.ts'

/** What the steps need of an informer: where to read, and where to put what was read. */
export interface Follower<T extends KubeObject> {
  readonly source: InformerSource<T>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** A whole state; false when it is refused because it is older than what is known. */
  replace(objects: readonly T[], revision: string, isOlder: (revision: string, than: string | undefined) => boolean): boolean
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void
  /** Everything up to `revision` has been seen. */
  reached(revision: string): void
}

/** A watch that has delivered its initial state and goes on: the events that came with the end of it, and the rest. */
export interface OpenWatch<T extends KubeObject> {
  readonly carried: readonly WatchEvent<T>[]
  readonly events: AsyncIterator<readonly WatchEvent<T>[]>
  close(): Promise<void>
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'
/** A server that knows watch-list is not silent for this long before the end of the state. */
const INITIAL_SILENCE_MS = 60_000
/** A watch that lasts this long was a good one, even if nothing happened. */
const GOOD_WATCH_MS = 5_000

const isOlder = (revision: string, than: string | undefined): boolean => than !== undefined && compareResourceVersions(revision, than) < 0

export class StaleError extends Error {
  constructor(revision: string) {
    super(`the server answered with revision ${revision}, which is older than what was seen before`)
    this.name = 'StaleError'
  }
}

export async function listState<T extends KubeObject>(follower: Follower<T>): Promise<StepOutcome> {
  try {
    const { items, metadata } = await follower.source.list({ signal: follower.signal })
    return accept(follower, items, metadata.resourceVersion ?? '')
  } catch (error) {
    return failed(error)
  }
}

/** Reads a watch up to the bookmark that ends the initial state, and leaves it open for what follows. */
export async function streamState<T extends KubeObject>(
  follower: Follower<T>,
): Promise<{ readonly outcome: StepOutcome; readonly open?: OpenWatch<T> }> {
  const { clock, source } = follower
  const abort = linkedAbort(follower.signal)
  const initial = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: true } as const
  const events = source.watch({ ...initial, signal: abort.signal })[Symbol.asyncIterator]()
  const close = async (): Promise<void> => {
    abort.end()
    await events.return?.(undefined).catch(() => undefined)
  }
  const objects = new Map<string, T>()
  let silence = clock.setTimeout(() => abort.abort(new UnsupportedError()), INITIAL_SILENCE_MS)
  try {
    for (let { value, done } = await events.next(); done !== true; { value, done } = await events.next()) {
      clock.clearTimeout(silence)
      const batch = value as readonly WatchEvent<T>[]
      for (let i = 0; i < batch.length; i++) {
        const { type, object } = batch[i] as WatchEvent<T>
        const key = `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`
        if (type === 'DELETED') objects.delete(key)
        else if (type !== 'BOOKMARK') objects.set(key, object)
        else if (object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true') {
          const outcome = accept(follower, [...objects.values()], object.metadata.resourceVersion ?? '')
          if (outcome.type === 'complete') return { outcome, open: { carried: batch.slice(i + 1), events, close } }
          await close()
          return { outcome }
        }
      }
      silence = clock.setTimeout(() => abort.abort(new UnsupportedError()), INITIAL_SILENCE_MS)
    }
    await close()
    return { outcome: failed(new Error('the watch ended before its initial state was complete')) }
  } catch (error) {
    await close()
    return { outcome: failed(error) }
  } finally {
    clock.clearTimeout(silence)
  }
}

/** Follows changes from `from` on until the watch ends or fails. */
export async function followChanges<T extends KubeObject>(follower: Follower<T>, from: string, open?: OpenWatch<T>): Promise<StepOutcome> {
  const startedAt = follower.clock.now()
  let revision = from
  let delivered = false
  const productive = (): boolean => delivered || open !== undefined || follower.clock.now() - startedAt >= GOOD_WATCH_MS
  const take = (batch: readonly WatchEvent<T>[]): void => {
    for (const { type, object } of batch) {
      const version = object.metadata.resourceVersion ?? ''
      // Events come in order of revision. One from the past means that the server's history is not the one we know.
      if (isOlder(version, revision)) throw new StaleError(version)
      if (type !== 'BOOKMARK') follower.apply(type, object)
      if (version !== '') revision = version
      delivered = true
    }
    follower.reached(revision)
  }
  const events =
    open?.events ??
    follower.source.watch({ resourceVersion: from, allowWatchBookmarks: true, signal: follower.signal })[Symbol.asyncIterator]()
  try {
    if (open !== undefined) take(open.carried)
    for (let { value, done } = await events.next(); done !== true; { value, done } = await events.next())
      take(value as readonly WatchEvent<T>[])
    return { type: 'ended', revision, productive: productive() }
  } catch (error) {
    await events.return?.(undefined).catch(() => undefined)
    return error instanceof StaleError ? { type: 'stale', error } : { type: 'failed', error, revision, productive: productive() }
  } finally {
    await open?.close()
  }
}

function accept<T extends KubeObject>(follower: Follower<T>, objects: readonly T[], revision: string): StepOutcome {
  return follower.replace(objects, revision, isOlder) ? { type: 'complete', revision } : { type: 'stale', error: new StaleError(revision) }
}

const failed = (error: unknown): StepOutcome => ({ type: 'failed', error, revision: undefined, productive: false })

interface LinkedAbort {
  readonly signal: AbortSignal
  abort(reason: Error): void
  /** Lets go of the outer signal. */
  end(): void
}

/** A signal of one's own that follows another, without staying attached to it for ever. */
function linkedAbort(outer: AbortSignal): LinkedAbort {
  const own = new AbortController()
  const onAbort = (): void => own.abort(outer.reason)
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    end() {
      outer.removeEventListener('abort', onAbort)
      own.abort()
    },
  }
}
