import { type Clock, systemClock } from '@weft/client'
import { digestOf, isSecret, newSecret } from './secret.ts'
import type { Identity } from './identity.ts'

/** Somebody who is signed in. */
export interface ConsoleSession {
  readonly identity: Identity
  readonly csrfToken: string
  /** Milliseconds since 1970: the end at the latest. */
  readonly expires: number
  /** Aborts when the session ends, for whatever reason: streams of it end with it. */
  readonly signal: AbortSignal
}

/**
 * Sessions live in memory and nowhere else: when the process ends, everybody is signed out. The browser holds the id in a
 * cookie, here only its digest is kept. A session ends when its owner signs out, when it was not used for a while, at the
 * end of its lifetime, and when too many others are used more.
 */
export interface Sessions {
  /** Answers the id, for the cookie. */
  begin(identity: Identity): { readonly id: string; readonly session: ConsoleSession }
  /** Counts as a use. */
  find(id: string): ConsoleSession | undefined
  /** Held open: the session is in use until the answer is called. */
  hold(session: ConsoleSession): () => void
  end(session: ConsoleSession): void
  isCsrfToken(session: ConsoleSession, token: string): boolean
  readonly size: number
  /** Ends all. */
  close(): void
}

export interface SessionsOptions {
  readonly clock?: Clock | undefined
  readonly lifetimeMs?: number | undefined
  readonly idleMs?: number | undefined
  readonly limit?: number | undefined
}

const HOUR = 3_600_000
const SWEEP_MS = 30_000

interface Entry extends ConsoleSession {
  readonly key: string
  readonly csrfDigest: Buffer
  readonly abort: AbortController
  lastUsed: number
  holds: number
}

export function createSessions(options: SessionsOptions = {}): Sessions {
  const { clock = systemClock, lifetimeMs = 12 * HOUR, idleMs = HOUR, limit = 64 } = options
  // In the order of use: the first one was used longest ago.
  const entries = new Map<string, Entry>()
  let timer: unknown

  const end = (entry: Entry): void => {
    if (!entries.delete(entry.key)) return
    entry.abort.abort(new Error('the session has ended'))
    void entry.identity.close()
  }
  const isOver = ({ expires, holds, lastUsed }: Entry): boolean =>
    clock.now() >= expires || (holds === 0 && clock.now() >= lastUsed + idleMs)
  const sweep = (): void => {
    for (const entry of [...entries.values()]) if (isOver(entry)) end(entry)
    if (entries.size > 0) schedule()
    else timer = undefined
  }
  const schedule = (): void => {
    timer = clock.setTimeout(sweep, SWEEP_MS)
    ;(timer as { unref?: () => void }).unref?.()
  }
  const use = (entry: Entry): Entry => {
    entry.lastUsed = clock.now()
    entries.delete(entry.key)
    entries.set(entry.key, entry)
    return entry
  }
  const entryOf = (session: ConsoleSession): Entry => session as Entry
  return {
    begin(identity) {
      const id = newSecret()
      const csrfToken = newSecret()
      const abort = new AbortController()
      const entry: Entry = {
        identity,
        csrfToken,
        csrfDigest: digestOf(csrfToken),
        key: digestOf(id).toString('base64'),
        expires: clock.now() + lifetimeMs,
        signal: abort.signal,
        abort,
        lastUsed: clock.now(),
        holds: 0,
      }
      for (const oldest of [...entries.values()].slice(0, Math.max(0, entries.size + 1 - limit))) end(oldest)
      entries.set(entry.key, entry)
      if (timer === undefined) schedule()
      return { id, session: entry }
    },
    find(id) {
      // The digest is what is looked up: the time that takes says nothing about the id.
      const entry = entries.get(digestOf(id).toString('base64'))
      if (entry === undefined) return undefined
      if (!isOver(entry)) return use(entry)
      end(entry)
      return undefined
    },
    hold(session) {
      const entry = entryOf(session)
      entry.holds++
      let held = true
      return () => {
        if (!held) return
        held = false
        entry.holds--
        if (entries.has(entry.key)) use(entry)
      }
    },
    end: (session) => end(entryOf(session)),
    isCsrfToken: (session, token) => isSecret(token, entryOf(session).csrfDigest),
    get size() {
      return entries.size
    },
    close() {
      for (const entry of [...entries.values()]) end(entry)
      if (timer !== undefined) clock.clearTimeout(timer)
      timer = undefined
    },
  }
}
