import type { KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { differenceOf, missingFrom } from './difference.ts'

const deployment = (spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', ...metadata } as KubeObject['metadata'],
  spec,
})
const managed = (manager: string, fieldsV1: object) => ({ managedFields: [{ manager, operation: 'Apply', fieldsV1 }] })

describe('differenceOf', () => {
  it.each([
    { reason: 'nothing', before: deployment({ replicas: 1 }), after: deployment({ replicas: 1 }), expected: undefined },
    {
      reason: 'what a server counts',
      before: deployment({ replicas: 1 }, { resourceVersion: '1', generation: 1 }),
      after: deployment({ replicas: 1 }, { resourceVersion: '2', generation: 2 }),
      expected: undefined,
    },
    { reason: 'a field', before: deployment({ replicas: 1 }), after: deployment({ replicas: 2 }), expected: 'spec.replicas' },
    {
      reason: 'a label',
      before: deployment({}, { labels: { a: 'b' } }),
      after: deployment({}, { labels: {} }),
      expected: 'metadata.labels.a',
    },
    { reason: 'an element of a list', before: deployment({ l: [1, 2] }), after: deployment({ l: [1, 3] }), expected: 'spec.l' },
    {
      reason: 'many fields',
      before: deployment({}),
      after: deployment({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }),
      expected: 'spec.a, spec.b, spec.c, spec.d, spec.e, …',
    },
    {
      reason: 'who owns a field',
      before: deployment({ replicas: 1 }, managed('somebody', { a: {} })),
      after: deployment({ replicas: 1 }, managed('us', { a: {} })),
      expected: 'ownership of fields',
    },
    {
      reason: 'when it was applied',
      before: deployment({}, { managedFields: [{ manager: 'us', operation: 'Apply', fieldsV1: {}, time: '1' }] }),
      after: deployment({}, { managedFields: [{ manager: 'us', operation: 'Apply', fieldsV1: {}, time: '2' }] }),
      expected: undefined,
    },
  ])('tells of $reason', ({ before, after, expected }) => {
    expect(differenceOf(before, after, 'us')).toBe(expected)
  })

  it('never tells a value', () => {
    expect(differenceOf(deployment({ password: 'old-value' }), deployment({ password: 'new-value' }), 'us')).toBe('spec.password')
  })
})

describe('missingFrom', () => {
  it.each([
    {
      reason: 'what the server added',
      current: { a: 1, added: 2, list: [{ x: 1, y: 2 }] },
      wanted: { a: 1, list: [{ x: 1 }] },
      expected: undefined,
    },
    { reason: 'another value', current: { a: 1 }, wanted: { a: 2 }, expected: 'spec.a' },
    { reason: 'a longer list', current: { list: [1, 2] }, wanted: { list: [1] }, expected: 'spec.list' },
  ])('looks at $reason', ({ current, wanted, expected }) => {
    expect(missingFrom(deployment(current), deployment(wanted))).toBe(expected)
  })
})
