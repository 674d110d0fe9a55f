import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { isBindable, phaseOf, saysPhase, withPhase } from './phase.ts'

const resource = (status?: unknown): KubeObject => ({
  apiVersion: 'cloud.example.org/v1',
  kind: 'Server',
  metadata: { name: 'a' },
  ...(status !== undefined && { status }),
})
const ready = (status: 'True' | 'False') => ({ conditions: [{ type: 'Ready', status, reason: 'Any' }] })

describe('how far binding has come', () => {
  test.each([
    ['Unbound', 'Unbound', true],
    ['Bound', 'Bound', true],
    ['Released: what somebody else has used is not handed on', 'Released', false],
    ['Unbindable', 'Unbindable', false],
  ] as const)('%s', (_reason, phase, bindable) => {
    const object = withPhase(resource(ready('True')), phase)
    expect([phaseOf(object), saysPhase(object), isBindable(object)]).toEqual([phase, true, bindable])
  })

  test.each<[string, unknown, boolean]>([
    ['no status', undefined, false],
    ['not ready', ready('False'), false],
    ['ready, by a controller that knows nothing of phases', ready('True'), true],
    ['an empty phase is none', { ...ready('True'), bindingPhase: '' }, true],
    ['a phase that nobody knows is not taken for ready', { ...ready('True'), bindingPhase: 'Later' }, false],
    ['nor one that is no text', { ...ready('False'), bindingPhase: 7 }, false],
  ])('without a phase: %s', (_reason, status, bindable) => {
    expect(phaseOf(resource(status))).toBe('Unbindable')
    expect(isBindable(resource(status))).toBe(bindable)
  })

  test('a new phase leaves the rest of status alone', () => {
    expect(withPhase(resource({ address: 'a', bindingPhase: 'Unbound' }), 'Bound')['status']).toEqual({
      address: 'a',
      bindingPhase: 'Bound',
    })
    expect(withPhase(resource(), 'Unbound')['status']).toEqual({ bindingPhase: 'Unbound' })
  })
})
