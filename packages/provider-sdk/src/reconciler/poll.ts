import type { KubeObject } from '@weft/api'
import type { Attempt } from './attempt.ts'
import { DEFAULTS } from './managed-kind.ts'

/** Part of an interval that is random, so that resources applied together are not looked at together for ever. */
const JITTER = 0.1

export interface PollState {
  readonly ready: boolean
  readonly recheckAfterMs?: number | undefined
  readonly watched?: boolean | undefined
  /** How long nothing about it has changed; undefined: it just did, or nobody knows. */
  readonly unchangedMs?: number | undefined
}

/** Of what is watched, every tenth poll: a watch that a lying server keeps silent must not hide drift for ever. */
const POLLS_SAVED = 10
/** What has not changed for so long is looked at again after this part of it: drift lasts longer the less there was, and never by much in comparison. */
const QUIET_PART = 0.1

/** When to look again at an external resource. */
export function pollDelay({ kind, services }: Pick<Attempt, 'kind' | 'services'>, state: PollState): number {
  const { ready, recheckAfterMs, watched } = state
  const poll = kind.pollIntervalMs ?? DEFAULTS.pollIntervalMs
  const interval =
    watched === true
      ? poll * POLLS_SAVED
      : ready
        ? quietInterval(poll, services.maxPollIntervalMs, state.unchangedMs)
        : Math.min(poll, kind.notReadyIntervalMs ?? DEFAULTS.notReadyIntervalMs)
  const regular = interval * (1 + JITTER * (2 * services.random() - 1))
  return Math.round(recheckAfterMs === undefined ? regular : Math.min(regular, Math.max(0, recheckAfterMs)))
}

const quietInterval = (poll: number, most = poll, unchangedMs = 0): number => Math.max(poll, Math.min(most, unchangedMs * QUIET_PART))

/** For how long an object has been as it is, by the times at which its fields were last written; undefined where those are not known. */
export function unchangedFor({ metadata }: KubeObject, nowMs: number): number | undefined {
  const times = (metadata.managedFields ?? []).flatMap(({ time }) => (time === undefined ? [] : [Date.parse(time)]))
  return times.length === 0 ? undefined : Math.max(0, nowMs - Math.max(...times))
}
