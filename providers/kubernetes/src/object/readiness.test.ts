import type { JsonObject, KubeObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { object } from '../objects.fixture.ts'
import { readinessOf } from './readiness.ts'

const observed = (status: object, metadata: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'x', ...metadata } as KubeObject['metadata'],
  spec: { replicas: 2 },
  status,
})
const conditions = (...list: readonly [string, string][]) => ({ conditions: list.map(([type, status]) => ({ type, status })) })
const by = (policy: string, celQuery?: string) =>
  object('o', {}, { readiness: { policy, ...(celQuery !== undefined && { celQuery }) } as JsonObject })

describe('readinessOf', () => {
  it.each([
    { policy: 'SuccessfulCreate', status: {}, expected: 'available' },
    { policy: 'DeriveFromObject', status: {}, expected: 'unavailable', message: /no condition Ready/ },
    { policy: 'DeriveFromObject', status: conditions(['Ready', 'False']), expected: 'unavailable', message: /Ready is not True/ },
    { policy: 'DeriveFromObject', status: conditions(['Other', 'False'], ['Ready', 'True']), expected: 'available' },
    { policy: 'AllTrue', status: {}, expected: 'unavailable', message: /no conditions/ },
    { policy: 'AllTrue', status: { conditions: 'nonsense' }, expected: 'unavailable', message: /no conditions/ },
    { policy: 'AllTrue', status: conditions(['A', 'True'], ['B', 'False'], ['C', 'Unknown']), expected: 'unavailable', message: /: B, C$/ },
    { policy: 'AllTrue', status: conditions(['A', 'True'], ['B', 'True']), expected: 'available' },
    { policy: 'DeriveFromCelQuery', query: 'object.status.ready == object.spec.replicas', status: { ready: 2 }, expected: 'available' },
    {
      policy: 'DeriveFromCelQuery',
      query: 'object.status.ready == object.spec.replicas',
      status: { ready: 1 },
      expected: 'unavailable',
      message: /does not hold/,
    },
    {
      policy: 'DeriveFromCelQuery',
      query: 'object.status.conditions.exists(c, c.type == "A" && c.status == "True")',
      status: conditions(['A', 'True']),
      expected: 'available',
    },
    {
      policy: 'DeriveFromCelQuery',
      query: 'object.status.missing.field',
      status: {},
      expected: 'unavailable',
      message: /cannot be answered: no such key: missing/,
    },
    { policy: 'DeriveFromCelQuery', query: 'object.status.', status: {}, expected: 'unavailable', message: /not an expression/ },
    { policy: 'DeriveFromCelQuery', query: '1 + 1', status: {}, expected: 'unavailable', message: /true or false/ },
    {
      policy: 'DeriveFromCelQuery',
      query: 'object.status.ready',
      status: { ready: 'yes' },
      expected: 'unavailable',
      message: /true or false/,
    },
    { policy: 'DeriveFromCelQuery', status: {}, expected: 'unavailable', message: /must be set/ },
  ])('$policy $query of $status is $expected', ({ policy, query, status, expected, message }) => {
    const answer = readinessOf(by(policy, query), observed(status))
    expect(answer.readiness).toBe(expected)
    if (message !== undefined) expect(answer.message).toMatch(message)
  })

  it('is deleting when it is being deleted, whatever the policy', () => {
    expect(readinessOf(by('SuccessfulCreate'), observed({}, { deletionTimestamp: '2026-01-01T00:00:00Z' })).readiness).toBe('deleting')
  })

  it('bounds what a query may cost', () => {
    const many = Array.from({ length: 5_000 }, (_, i) => i)
    const query = 'object.status.list.all(a, object.status.list.all(b, object.status.list.all(c, a + b + c >= 0)))'
    expect(readinessOf(by('DeriveFromCelQuery', query), observed({ list: many })).message).toMatch(/takes too long/)
  })
})
