import { hasReason, type KubeObject } from '@weft/api'
import type { Client, Kind, ObjectRef } from '@weft/client'
import { PATIENCE_MS, patienceMs } from './patience.ts'

export interface EventuallyOptions {
  readonly timeoutMs?: number
  /** Tried again whenever this calls back (an informer's subscribe, a watch); returns how to stop. */
  readonly wake?: (again: () => void) => () => void
  /** Tried again at least this often, for what nothing announces. */
  readonly intervalMs?: number
}

/**
 * Runs `check` until it does not throw, and answers what it returned. After the timeout it rejects with the last
 * failure, so that a test shows what was wrong and not that time was up.
 */
export async function eventually<T>(check: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const { timeoutMs = PATIENCE_MS, intervalMs = 25, wake } = options
  const deadline = Date.now() + patienceMs(timeoutMs)
  let again: () => void = () => undefined
  let woken = false
  const stop = wake?.(() => {
    woken = true
    again()
  })
  try {
    for (;;) {
      woken = false
      try {
        return await check()
      } catch (error) {
        if (Date.now() >= deadline) throw error
      }
      if (!woken) await pause(intervalMs, (resolve) => (again = resolve))
    }
  } finally {
    stop?.()
  }
}

async function pause(millis: number, onWake: (resolve: () => void) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, millis)
    onWake(resolve)
  })
  clearTimeout(timer)
}

export interface WaitOptions {
  readonly timeoutMs?: number
}

/**
 * The object once `predicate` holds for it, found by a watch: no polling. `predicate` gets undefined while the object
 * does not exist, so waiting for a deletion is `(object) => object === undefined`.
 */
export async function waitFor<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  ref: ObjectRef,
  predicate: (object: T | undefined) => boolean,
  options: WaitOptions = {},
): Promise<T | undefined> {
  const timeoutMs = patienceMs(options.timeoutMs ?? PATIENCE_MS)
  const abort = new AbortController()
  let last: T | undefined
  const timer = setTimeout(
    () =>
      abort.abort(
        new Error(`waited ${timeoutMs} ms for ${kind.kind} ${ref.namespace ?? ''}/${ref.name}; last seen: ${JSON.stringify(last)}`),
      ),
    timeoutMs,
  )
  try {
    for (;;) {
      try {
        const list = await client.list(kind, { namespace: ref.namespace, fieldSelector: `metadata.name=${ref.name}`, signal: abort.signal })
        last = list.items[0]
        if (predicate(last)) return last
        const events = client.watch(kind, {
          namespace: ref.namespace,
          fieldSelector: `metadata.name=${ref.name}`,
          resourceVersion: list.metadata.resourceVersion,
          signal: abort.signal,
        })
        for await (const batch of events)
          for (const { type, object } of batch) {
            if (type === 'BOOKMARK') continue
            last = type === 'DELETED' ? undefined : object
            if (predicate(last)) return last
          }
      } catch (error) {
        // A real server that has just got a new schema refuses lists and watches for a moment.
        if (!hasReason(error, 'TooManyRequests') && !hasReason(error, 'ServiceUnavailable')) throw error
        await pause(100, () => undefined)
      }
    }
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
}
