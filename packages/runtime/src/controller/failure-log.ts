import { hasReason } from '@weft/api'
import type { Clock } from '@weft/client'
import { describeError } from '../log/safe-fields.ts'
import type { Log } from '../log/log.ts'

/** How long an object may fail before somebody has to look: much of what fails at first only waits for something that is being made. */
const PATIENCE_MS = 30_000
/** Lost races that follow each other so often are news. */
const RACES = 5

/** One object that fails now. */
interface Failing {
  readonly since: number
  /** The last that was logged of it; the same again is not. */
  told: string
  isWarned: boolean
}

/** What one failed reconcile came to. */
export interface Failure {
  readonly error: unknown
  readonly failures: number
  readonly retryInMs: number
}

/**
 * Says that objects fail: once when it begins (info), once more when it goes on for half a minute (warn), and when it is over. The object's own condition and
 * events tell its author at once; a log in which every attempt is a line hides what matters. Holds an entry for each object that fails, until it succeeds or goes.
 */
export class FailureLog {
  readonly #failing = new Map<string, Failing>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  failed(key: string, log: Log, { error, failures, retryInMs }: Failure): void {
    // Losing a race is how optimistic writes work.
    if (hasReason(error, 'Conflict') && failures < RACES) {
      log.debug('reconcile lost a race, trying again', { error, retryInMs })
      return
    }
    const known = this.#failing.get(key)
    const now = this.#clock.now()
    const state = known ?? { since: now, told: '', isWarned: false }
    if (known === undefined) this.#failing.set(key, state)
    const text = describeError(error)
    const isNews = text !== state.told
    const forMs = now - state.since
    state.told = text
    if (forMs >= PATIENCE_MS && (isNews || !state.isWarned)) {
      state.isWarned = true
      log.warn('reconcile keeps failing', { error, failures, forSeconds: Math.round(forMs / 1000), retryInMs })
    } else log[isNews ? 'info' : 'debug']('reconcile failed, trying again', { error, failures, retryInMs })
  }

  /** Nothing is tried again until something changes. */
  gaveUp(key: string, log: Log, error: unknown): void {
    const text = describeError(error)
    const known = this.#failing.get(key)
    if (known?.told === text) return
    this.#failing.set(key, { since: known?.since ?? this.#clock.now(), told: text, isWarned: true })
    log.error('reconcile failed, and trying again cannot help', { error })
  }

  succeeded(key: string, log: Log): void {
    const known = this.#failing.get(key)
    if (known === undefined) return
    this.#failing.delete(key)
    // Whoever was warned is told in the same way that it is over.
    if (known.isWarned) log.warn('reconcile works again', { afterSeconds: Math.round((this.#clock.now() - known.since) / 1000) })
    else log.debug('reconcile works again')
  }

  gone(key: string): void {
    this.#failing.delete(key)
  }
}
