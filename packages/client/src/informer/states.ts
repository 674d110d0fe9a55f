import { hasReason, StatusError } from '@weft/api'
import { NoMatchError } from '../transport/errors.ts'

/**
 * What an informer is doing. Every state says what it falls back to when it fails; the cache goes on serving what it
 * has in all of them.
 *
 *     streaming ──bookmark──▶ watching ◀──── waiting(next: watching)
 *        │  not supported        │  ▲              ▲
 *        ▼                       │  └─ ended ──────┤ broken connection, server restart
 *     listing ───────────────────┘                 │
 *        ▲     ▲                                   │
 *        │     └──────── Expired (410) ────────────┤
 *        └──── waiting(next: streaming | listing) ◀┘
 */
export type InformerState =
  | { readonly phase: 'idle' }
  /** Gets the whole state as a watch (watch-list). Not supported → listing; failure → waiting, then again. */
  | { readonly phase: 'streaming'; readonly attempt: number }
  /** Gets the whole state as a list. Failure → waiting, then again. */
  | { readonly phase: 'listing'; readonly attempt: number }
  /** Follows changes after `from`. End → again from the last revision seen; Expired → the whole state; failure → waiting. */
  | { readonly phase: 'watching'; readonly from: string; readonly attempt: number }
  /** Between attempts. `problem` is what a person needs to know. */
  | {
      readonly phase: 'waiting'
      readonly problem: InformerProblem
      readonly error: unknown
      readonly attempt: number
      readonly next: { readonly phase: 'streaming' | 'listing' } | { readonly phase: 'watching'; readonly from: string }
    }
  | { readonly phase: 'stopped' }

export type InformerProblem =
  /** The server cannot be reached, restarts, or fails: soon again. */
  | 'unavailable'
  /** Permission was never there or was lost: slowly again, because a person has to act. */
  | 'denied'
  /** The kind is not served: a CRD is missing or was removed. */
  | 'absent'
  /** The server answered from the past (a lagging replica, a restored backup). */
  | 'stale'

/** How a step ended. */
export type StepOutcome =
  | { readonly type: 'complete'; readonly revision: string }
  /** The server ended the watch; `productive` when it had delivered something or lasted. */
  | { readonly type: 'ended'; readonly revision: string; readonly productive: boolean }
  | { readonly type: 'failed'; readonly error: unknown; readonly revision: string | undefined; readonly productive: boolean }
  | { readonly type: 'stale'; readonly error: unknown }

export interface Preferences {
  /** Watch-list until the server turns out not to know it. */
  readonly streaming: boolean
}

export function initialState({ streaming }: Preferences): InformerState {
  return { phase: streaming ? 'streaming' : 'listing', attempt: 0 }
}

type Active = Extract<InformerState, { phase: 'streaming' | 'listing' | 'watching' }>

/** The transition function: pure, so that every fallback is a line in a table of tests. */
export function nextState(state: Active, outcome: StepOutcome, preferences: Preferences): InformerState {
  const whole = { phase: preferences.streaming ? 'streaming' : 'listing' } as const
  switch (outcome.type) {
    case 'complete':
      return { phase: 'watching', from: outcome.revision, attempt: 0 }
    case 'stale':
      return { phase: 'waiting', problem: 'stale', error: outcome.error, attempt: state.attempt + 1, next: whole }
    case 'ended': {
      if (outcome.productive) return { phase: 'watching', from: outcome.revision, attempt: 0 }
      // A server that ends watches as soon as they begin must not be asked in a tight loop.
      const next = { phase: 'watching', from: outcome.revision } as const
      return { phase: 'waiting', problem: 'unavailable', error: undefined, attempt: state.attempt + 1, next }
    }
    case 'failed':
      return afterFailure(state, outcome, whole)
  }
}

function afterFailure(
  state: Active,
  { error, revision, productive }: Extract<StepOutcome, { type: 'failed' }>,
  whole: { readonly phase: 'streaming' | 'listing' },
): InformerState {
  const attempt = (productive ? 0 : state.attempt) + 1
  if (state.phase === 'watching' && isExpired(error))
    return attempt === 1 ? { ...whole, attempt } : { phase: 'waiting', problem: 'unavailable', error, attempt, next: whole }
  if (state.phase === 'streaming' && isUnsupported(error)) return { phase: 'listing', attempt: 0 }
  const next =
    state.phase === 'watching' ? ({ phase: 'watching', from: revision ?? state.from } as const) : ({ phase: state.phase } as const)
  return { phase: 'waiting', problem: problemOf(error), error, attempt, next }
}

/** Nothing can be resumed: the revision is compacted, or the server has not reached it because its history is another one. */
export const isExpired = (error: unknown): boolean =>
  hasReason(error, 'Gone') || (error instanceof StatusError && (error.code === 410 || causesOf(error).includes('ResourceVersionTooLarge')))

const causesOf = ({ status }: StatusError): (string | undefined)[] => (status.details?.causes ?? []).map(({ reason }) => reason)

/** Servers before watch-list refuse its parameters; the resourceVersion of another history is refused the same way. */
export const isUnsupported = (error: unknown): boolean =>
  error instanceof UnsupportedError || (error instanceof StatusError && (error.code === 422 || error.code === 400))

/** The server took the parameters of watch-list but never said that the state is complete. */
export class UnsupportedError extends Error {
  constructor() {
    super('the server does not mark the end of the initial state of a watch')
    this.name = 'UnsupportedError'
  }
}

function problemOf(error: unknown): InformerProblem {
  if (error instanceof NoMatchError) return 'absent'
  if (error instanceof StatusError && (error.code === 403 || error.code === 401)) return 'denied'
  return 'unavailable'
}
