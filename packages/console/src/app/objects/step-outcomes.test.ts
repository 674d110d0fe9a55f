import type { Condition } from '@weft/api'
import { describe, expect, it } from 'vitest'
import type { EventObject } from '../live/events.ts'
import type { CompositionStep } from '../../world/composition-steps.ts'
import { pipelineOutcome } from './step-outcomes.ts'

const steps: readonly CompositionStep[] = ['make', 'check', 'ready'].map((name) => ({
  name,
  fn: `function-${name}`,
  resources: [],
  credentials: [],
}))
const synced = (status: 'True' | 'False', message = ''): readonly Condition[] => [
  { type: 'Synced', status, reason: status === 'True' ? 'ReconcileSuccess' : 'ReconcileError', message },
]
const event = (message: string, type = 'Normal', lastTimestamp = '2026-01-01T00:00:00Z'): EventObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { uid: message },
  type,
  message,
  lastTimestamp,
})
const states = (conditions: readonly Condition[]): readonly string[] =>
  pipelineOutcome(steps, conditions, []).steps.map(({ name, state, why }) => `${name} ${state}${why === undefined ? '' : `: ${why}`}`)

describe('what became of the steps of a pipeline', () => {
  it.each<[string, readonly Condition[], readonly string[]]>([
    ['all ran', synced('True'), ['make ran', 'check ran', 'ready ran']],
    [
      'K62: one gave a fatal result, and those after it were not reached',
      synced('False', 'cannot compose resources: pipeline step "check" returned a fatal result: no such "zone"'),
      ['make ran', 'check failed: no such "zone"', 'ready not reached'],
    ],
    [
      'one could not be asked',
      synced('False', 'cannot compose resources: cannot run Composition pipeline step "make": function f is not there'),
      ['make failed: function f is not there', 'check not reached', 'ready not reached'],
    ],
    [
      'one lacks its credentials',
      synced(
        'False',
        'cannot compose resources: cannot get Composition pipeline step "ready" credential "key" from Secret: Secret "x" not found',
      ),
      ['make ran', 'check ran', 'ready failed: credential "key" from Secret: Secret "x" not found'],
    ],
    ['nobody has said', [], ['make unknown', 'check unknown', 'ready unknown']],
  ])('%s', (_, conditions, expected) => {
    expect(states(conditions)).toEqual(expected)
  })

  it('tells what came after them', () => {
    const outcome = pipelineOutcome(steps, synced('False', 'cannot compose resources: cannot apply composed resource "a": no'), [])
    expect(outcome.after).toContain('cannot apply')
    expect(outcome.steps.map(({ state }) => state)).toEqual(['ran', 'ran', 'ran'])
  })

  it('K60: has what functions said, the latest first, by step', () => {
    const { steps: told } = pipelineOutcome(steps, synced('True'), [
      event('Pipeline step "make": first'),
      event('Pipeline step "make": second: with a colon', 'Warning', '2026-01-02T00:00:00Z'),
      event('Pipeline step "ready" returned a result of unknown severity (assuming warning): odd', 'Warning'),
      event('Successfully composed resources'),
    ])
    expect(told.map(({ results }) => results.map(({ severity, message }) => `${severity} ${message}`))).toEqual([
      ['warning second: with a colon', 'normal first'],
      [],
      ['warning odd'],
    ])
  })

  it('knows those that are spoken of where the Composition is not known', () => {
    const told = pipelineOutcome(undefined, synced('False', 'pipeline step "check" returned a fatal result: no'), [
      event('Pipeline step "make": fine'),
    ])
    expect(told.steps.map(({ name, state }) => `${name} ${state}`)).toEqual(['make unknown', 'check failed'])
  })
})
