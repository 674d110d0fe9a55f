import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { parseWish } from './condition.ts'

const object = (generation: number, condition: object, status: object = {}): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name: 'x', generation },
  status: { ...status, conditions: [{ type: 'Ready', status: 'True', ...condition }] },
})

describe('waiting for a condition', () => {
  it.each<[string, boolean, KubeObject]>([
    ['said of this generation', true, object(2, { observedGeneration: 2 })],
    ['said of an earlier one: it says nothing about what was asked since', false, object(2, { observedGeneration: 1 })],
    ['said without a generation', true, object(2, {})],
    ['the status is of an earlier generation', false, object(2, {}, { observedGeneration: 1 })],
    ['the condition knows better than the status', true, object(2, { observedGeneration: 2 }, { observedGeneration: 1 })],
    ['false', false, object(1, { observedGeneration: 1, status: 'False' })],
  ])('%s: %s', (_reason, expected, given) => {
    expect(parseWish('condition=Ready').isMet(given)).toBe(expected)
  })
})
