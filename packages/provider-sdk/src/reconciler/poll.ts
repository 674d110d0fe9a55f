import type { Attempt } from './attempt.ts'
import { DEFAULTS } from './managed-kind.ts'

/** Part of an interval that is random, so that resources applied together are not looked at together for ever. */
const JITTER = 0.1

export interface PollState {
  readonly ready: boolean
  readonly recheckAfterMs?: number | undefined
  readonly watched?: boolean | undefined
}

/** Of what is watched, every tenth poll: a watch that a lying server keeps silent must not hide drift for ever. */
const POLLS_SAVED = 10

/** When to look again at an external resource. */
export function pollDelay({ kind, services }: Pick<Attempt, 'kind' | 'services'>, { ready, recheckAfterMs, watched }: PollState): number {
  const poll = kind.pollIntervalMs ?? DEFAULTS.pollIntervalMs
  const regular =
    (watched === true ? poll * POLLS_SAVED : ready ? poll : Math.min(poll, kind.notReadyIntervalMs ?? DEFAULTS.notReadyIntervalMs)) *
    (1 + JITTER * (2 * services.random() - 1))
  return Math.round(recheckAfterMs === undefined ? regular : Math.min(regular, Math.max(0, recheckAfterMs)))
}
