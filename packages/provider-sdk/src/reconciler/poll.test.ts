import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import type { Attempt } from './attempt.ts'
import { pollDelay, type PollState, unchangedFor } from './poll.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Without chance: the middle of what it may be. */
const delay = (state: PollState, maxPollIntervalMs?: number, random = 0.5): number =>
  pollDelay({ kind: { pollIntervalMs: MINUTE }, services: { random: () => random, maxPollIntervalMs } } as unknown as Attempt, state)

describe('how long an external resource is not looked at', () => {
  test.each<[string, PollState, number | undefined, number]>([
    ['the interval of its kind', { ready: true, unchangedMs: HOUR }, undefined, MINUTE],
    ['a tenth of the time for which nothing changed, where that is allowed', { ready: true, unchangedMs: HOUR }, 10 * MINUTE, 6 * MINUTE],
    ['the bound at most', { ready: true, unchangedMs: 24 * HOUR }, 10 * MINUTE, 10 * MINUTE],
    ['never less than the interval', { ready: true, unchangedMs: MINUTE }, 10 * MINUTE, MINUTE],
    ['the interval where the bound is shorter', { ready: true, unchangedMs: HOUR }, 1_000, MINUTE],
    ['the interval after a change', { ready: true }, 10 * MINUTE, MINUTE],
    ['little while it is not available, however long', { ready: false, unchangedMs: HOUR }, 10 * MINUTE, 2_000],
    ['ten intervals where it is watched', { ready: true, watched: true, unchangedMs: 24 * HOUR }, HOUR, 10 * MINUTE],
    ['what its provider says, if that is sooner', { ready: true, unchangedMs: HOUR, recheckAfterMs: 5_000 }, HOUR, 5_000],
  ])('%s', (_reason, state, bound, expected) => expect(delay(state, bound)).toBe(expected))

  test('a tenth more or less, so that what was applied together is not looked at together', () => {
    expect([0, 1].map((random) => delay({ ready: true, unchangedMs: 24 * HOUR }, 10 * MINUTE, random))).toEqual([9 * MINUTE, 11 * MINUTE])
  })
})

describe('for how long an object has not changed', () => {
  const written = (...times: readonly (string | undefined)[]): KubeObject => ({
    apiVersion: 'v1',
    kind: 'X',
    metadata: {
      name: 'x',
      managedFields: times.map((time) => ({ manager: 'm', ...(time !== undefined && { time }) })),
    } as KubeObject['metadata'],
  })
  const now = Date.parse('2026-01-01T01:00:00Z')
  test.each<[string, KubeObject, number | undefined]>([
    ['since the last of all writes', written('2026-01-01T00:00:00Z', '2026-01-01T00:50:00Z', undefined), 10 * MINUTE],
    ['not before it was written', written('2026-01-01T02:00:00Z'), 0],
    ['nobody knows', written(undefined), undefined],
    ['nobody knows', { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } }, undefined],
  ])('%s', (_reason, object, expected) => expect(unchangedFor(object, now)).toBe(expected))
})
