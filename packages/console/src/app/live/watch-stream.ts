import { type KubeObject, messageOf } from '@weft/api'
import type { WatchControl, WatchFailure, WatchLine, WatchStreamOpened } from '../../contract.ts'
import { type Api } from '../api/api.ts'
import { linesOf } from './lines.ts'

export interface WatchEvent {
  readonly type: string
  readonly object: KubeObject
}

/** Why a watch is over. `status` is absent when it simply ended, or when the connection broke: resume it. */
export interface WatchEnd {
  readonly status?: WatchFailure
}

/** Called in the order in which the server sent things; after `onEnd` nothing more is called. */
export interface WatchHandler {
  onEvent(event: WatchEvent): void
  onEnd(end: WatchEnd): void
}

/**
 * All watches of this tab over one connection. When it breaks every watch ends, and the stream connects again by itself, later
 * and later, until it is closed; watches opened meanwhile wait for it.
 */
export interface WatchStream {
  /** Answers how to close it. Closing calls no handler. */
  watch(path: string, handler: WatchHandler): () => void
  state(): StreamState
  subscribe(listener: () => void): () => void
  close(): void
}

/**
 * connecting: for the first time. live: lines come. broken: the connection was lost, and is tried again at `retryAt`; goes back to
 * live or stays broken, with a longer pause. closed: for good.
 */
export type StreamState =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'live' }
  | { readonly phase: 'broken'; readonly why: string; readonly retryAt: number }
  | { readonly phase: 'closed' }

export interface Timing {
  now(): number
  random(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const browserTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    }),
}

const PATH = '/console/watches'
/** The server says something every fifteen seconds; a connection that is silent for this long is dead, whatever the browser thinks. */
const SILENCE_MS = 50_000
/** What one request opens at most: the server reads no longer ones. */
const AT_ONCE = 1000
const CLOSED_AFTER_MS = 15_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000

/** The pause before attempt `n` (from 0): doubles, with up to a quarter taken off so that many tabs do not come at once. */
export const pauseBefore = (attempt: number, random: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (1 - random / 4)

/** Calls `onSilence` when the answer is not called for too long. */
function watchdog(onSilence: () => void, signal: AbortSignal): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = (): void => {
    clearTimeout(timer)
    if (!signal.aborted) timer = setTimeout(onSilence, SILENCE_MS)
  }
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  heard()
  return heard
}

export function openWatchStream(api: Api, timing: Timing = browserTiming): WatchStream {
  const stop = new AbortController()
  const listeners = new Set<() => void>()
  /** Those that the server knows, and those that wait to be sent. */
  const watches = new Map<string, { readonly path: string; readonly handler: WatchHandler }>()
  let state: StreamState = { phase: 'connecting' }
  let stream: string | undefined
  let control: { open: Map<string, string>; close: Set<string> } = { open: new Map(), close: new Set() }
  let sending = false
  let counter = 0

  const become = (next: StreamState): void => {
    state = next
    for (const listener of listeners) listener()
  }

  const end = (id: string, reason: WatchEnd): void => {
    const watch = watches.get(id)
    if (watch === undefined) return
    watches.delete(id)
    control.open.delete(id)
    watch.handler.onEnd(reason)
  }

  /** Changes that come while a request is under way go with the next one. */
  const flush = async (): Promise<void> => {
    if (sending || stream === undefined) return
    sending = true
    // Whoever opens many watches at once does so in one turn.
    await Promise.resolve()
    while (stream !== undefined && (control.open.size > 0 || control.close.size > 0)) {
      const { close } = control
      const open = new Map([...control.open].slice(0, AT_ONCE))
      control = { open: new Map([...control.open].slice(AT_ONCE)), close: new Set() }
      const body: WatchControl = { open: [...open].map(([watch, path]) => ({ watch, path })), close: [...close] }
      try {
        await api.send('POST', `${PATH}/${encodeURIComponent(stream)}`, body, { signal: stop.signal })
      } catch {
        // The server does not know the stream, or cannot be reached: these watches begin anew, as if they had ended.
        for (const id of open.keys()) end(id, {})
      }
    }
    sending = false
  }

  const take = (line: WatchLine): void => {
    if ('end' in line) return end(line.watch, line.end)
    watches.get(line.watch)?.handler.onEvent(line.event)
  }

  const run = async (): Promise<void> => {
    for (let attempt = 0; !stop.signal.aborted; attempt++) {
      let why = 'The server ended the connection.'
      const silence = new AbortController()
      try {
        const signal = AbortSignal.any([stop.signal, silence.signal])
        const heard = watchdog(() => silence.abort(new Error('The server has not sent anything for a while.')), signal)
        for await (const line of linesOf(await api.stream(PATH, signal), heard)) {
          const message = JSON.parse(line) as WatchLine | WatchStreamOpened
          if (!('stream' in message)) take(message)
          else {
            stream = message.stream
            attempt = 0
            become({ phase: 'live' })
            void flush()
          }
        }
      } catch (error) {
        why = messageOf(error)
      }
      silence.abort()
      if (stop.signal.aborted) break
      stream = undefined
      const pause = pauseBefore(attempt, timing.random())
      become({ phase: 'broken', why, retryAt: timing.now() + pause })
      control = { open: new Map(), close: new Set() }
      for (const id of [...watches.keys()]) end(id, {})
      await timing.sleep(pause, stop.signal)
    }
    become({ phase: 'closed' })
  }
  void run()

  return {
    watch: (path, handler) => {
      const id = String(++counter)
      watches.set(id, { path, handler })
      control.open.set(id, path)
      void flush()
      return () => {
        if (!watches.delete(id)) return
        if (!control.open.delete(id)) control.close.add(id)
        // Nobody waits for that: it goes with what is opened next, or a little later.
        void timing.sleep(CLOSED_AFTER_MS, stop.signal).then(flush)
      }
    },
    state: () => state,
    subscribe: (listener) => (listeners.add(listener), () => void listeners.delete(listener)),
    close: () => stop.abort(),
  }
}
