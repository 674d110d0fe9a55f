import { expired, failure, forbidden, internalError } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { ConnectionError, NoMatchError } from '../transport/errors.ts'
import { type InformerState, initialState, nextState, type StepOutcome, UnsupportedError } from './states.ts'

type Active = Parameters<typeof nextState>[0]

const lost = new ConnectionError('gone', { mayHaveTakenEffect: true })
const denied = forbidden({ group: '', resource: 'secrets' }, 'no')
const tooLarge = failure({ code: 504, reason: 'Timeout', message: 'x', details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } })
const watching: Active = { phase: 'watching', from: '7', attempt: 0 }
const failed = (error: unknown, revision?: string, productive = false): StepOutcome => ({ type: 'failed', error, revision, productive })

const rows: { reason: string; state: Active; outcome: StepOutcome; streaming?: boolean; next: Partial<InformerState> & object }[] = [
  {
    reason: 'a complete state is followed',
    state: { phase: 'streaming', attempt: 3 },
    outcome: { type: 'complete', revision: '9' },
    next: { phase: 'watching', from: '9', attempt: 0 },
  },
  {
    reason: 'a server without watch-list is listed',
    state: { phase: 'streaming', attempt: 0 },
    outcome: failed(new UnsupportedError()),
    next: { phase: 'listing', attempt: 0 },
  },
  {
    reason: 'a refused parameter means no watch-list',
    state: { phase: 'streaming', attempt: 0 },
    outcome: failed(failure({ code: 422, reason: 'Invalid', message: 'x' })),
    next: { phase: 'listing' },
  },
  {
    reason: 'a failed list is tried again',
    state: { phase: 'listing', attempt: 1 },
    outcome: failed(internalError('x')),
    next: { phase: 'waiting', problem: 'unavailable', attempt: 2, next: { phase: 'listing' } },
  },
  {
    reason: 'a watch that ends is resumed at once',
    state: watching,
    outcome: { type: 'ended', revision: '12', productive: true },
    next: { phase: 'watching', from: '12', attempt: 0 },
  },
  {
    reason: 'a watch that ends at once is not resumed in a tight loop',
    state: watching,
    outcome: { type: 'ended', revision: '7', productive: false },
    next: { phase: 'waiting', attempt: 1, next: { phase: 'watching', from: '7' } },
  },
  {
    reason: 'a lost connection resumes from the last event',
    state: watching,
    outcome: failed(lost, '11', true),
    next: { phase: 'waiting', problem: 'unavailable', attempt: 1, next: { phase: 'watching', from: '11' } },
  },
  {
    reason: '410 reads the whole state',
    state: watching,
    outcome: failed(expired('old'), '7', true),
    next: { phase: 'streaming', attempt: 1 },
  },
  {
    reason: '410 without watch-list lists',
    state: watching,
    outcome: failed(expired('old'), '7', true),
    streaming: false,
    next: { phase: 'listing', attempt: 1 },
  },
  {
    reason: '410 again and again backs off',
    state: { ...watching, attempt: 2 },
    outcome: failed(expired('old'), '7'),
    next: { phase: 'waiting', attempt: 3, next: { phase: 'streaming' } },
  },
  {
    reason: 'a revision the server has not reached cannot be resumed',
    state: watching,
    outcome: failed(tooLarge, '7', true),
    next: { phase: 'streaming' },
  },
  {
    reason: 'lost permission is retried slowly, from where it was',
    state: watching,
    outcome: failed(denied, '8', true),
    next: { phase: 'waiting', problem: 'denied', next: { phase: 'watching', from: '8' } },
  },
  {
    reason: 'permission that was never there',
    state: { phase: 'streaming', attempt: 0 },
    outcome: failed(denied),
    next: { phase: 'waiting', problem: 'denied', next: { phase: 'streaming' } },
  },
  {
    reason: 'a kind without CRD is absent',
    state: { phase: 'streaming', attempt: 4 },
    outcome: failed(new NoMatchError({ group: 'g', kind: 'K' })),
    next: { phase: 'waiting', problem: 'absent', attempt: 5 },
  },
  {
    reason: 'a state from the past is asked for again',
    state: { phase: 'listing', attempt: 0 },
    outcome: { type: 'stale', error: lost },
    streaming: false,
    next: { phase: 'waiting', problem: 'stale', next: { phase: 'listing' } },
  },
]

describe('informer states', () => {
  it.each(rows)('$reason', ({ state, outcome, streaming = true, next }) => {
    expect(nextState(state, outcome, { streaming })).toMatchObject(next)
  })

  it('starts as it prefers', () => {
    expect(initialState({ streaming: true })).toEqual({ phase: 'streaming', attempt: 0 })
    expect(initialState({ streaming: false })).toEqual({ phase: 'listing', attempt: 0 })
  })
})
