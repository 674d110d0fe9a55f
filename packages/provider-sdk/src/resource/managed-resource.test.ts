import { describe, expect, it } from 'vitest'
import { creationRecordOf, nextStepTime } from './creation-record.ts'
import { type ManagedResource, parametersOf, withLateInit } from './managed-resource.ts'

const resource = (spec: object, annotations?: Record<string, string>): ManagedResource => ({
  apiVersion: 'x.org/v1',
  kind: 'X',
  metadata: { name: 'x', ...(annotations && { annotations }) },
  spec: spec as NonNullable<ManagedResource['spec']>,
})

describe('parametersOf', () => {
  it('are the spec without machinery, overlaid by forProvider at every depth (B13)', () => {
    const parameters = parametersOf(
      resource({
        location: 'East US',
        settings: { tier: 'a', disk: 1 },
        providerRef: { name: 'p' },
        classRef: { name: 'c' },
        reclaimPolicy: 'Delete',
        writeConnectionSecretToRef: { name: 's' },
        forProvider: { location: 'West US', settings: { disk: 2 } },
      }),
    )
    expect(parameters).toEqual({ location: 'West US', settings: { tier: 'a', disk: 2 } })
  })

  it('keep keys that objects have by themselves as data', () => {
    const parameters = parametersOf(resource(JSON.parse('{"forProvider": {"__proto__": 1, "constructor": {"a": 1}}}') as object))
    expect(Object.keys(parameters)).toEqual(['__proto__', 'constructor'])
  })
})

describe('withLateInit', () => {
  it.each([
    { reason: 'fills what nobody gave', spec: { forProvider: { a: 1 } }, chosen: { a: 9, b: 2 }, expected: { a: 1, b: 2 } },
    {
      reason: 'fills inside objects',
      spec: { forProvider: { s: { a: 1 } } },
      chosen: { s: { a: 9, b: 2 } },
      expected: { s: { a: 1, b: 2 } },
    },
    { reason: 'lists are one value', spec: { forProvider: { l: [1] } }, chosen: { l: [1, 2] }, expected: { l: [1] } },
    {
      reason: 'false and 0 are values',
      spec: { forProvider: { a: false, b: 0 } },
      chosen: { a: true, b: 1 },
      expected: { a: false, b: 0 },
    },
    {
      reason: 'what stands directly in the spec counts as given (B13)',
      spec: { tier: 'x', forProvider: {} },
      chosen: { tier: 'y' },
      expected: {},
    },
    { reason: 'the system has no opinion', spec: { forProvider: {} }, chosen: { a: null }, expected: {} },
  ])('$reason', ({ spec, chosen, expected }) => {
    expect(withLateInit(resource(spec), chosen as never).spec?.['forProvider']).toEqual(expected)
  })

  it('answers the very same resource when nothing changes', () => {
    const given = resource({ forProvider: { a: 1 } })
    expect(withLateInit(given, { a: 2 })).toBe(given)
  })
})

describe('creationRecordOf', () => {
  const pending = 'crossplane.io/external-create-pending'
  const succeeded = 'crossplane.io/external-create-succeeded'
  const failed = 'crossplane.io/external-create-failed'
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z']
  it.each([
    { reason: 'never tried', annotations: {}, incomplete: false },
    { reason: 'sent, and no word since', annotations: { [pending]: early }, incomplete: true },
    { reason: 'settled', annotations: { [pending]: early, [succeeded]: late }, incomplete: false },
    { reason: 'failed for certain', annotations: { [pending]: early, [failed]: late }, incomplete: false },
    { reason: 'tried again after success', annotations: { [pending]: late, [succeeded]: early }, incomplete: true },
    { reason: 'in the same second, as others write it', annotations: { [pending]: early, [succeeded]: early }, incomplete: false },
    { reason: 'nonsense is no note', annotations: { [pending]: 'yesterday' }, incomplete: false },
  ])('$reason', ({ annotations, incomplete }) => {
    expect(creationRecordOf(resource({}, annotations)).incomplete).toBe(incomplete)
  })

  it('a new step is later than all before, even when the clock was set back', () => {
    const record = creationRecordOf(resource({}, { [pending]: late }))
    expect(Date.parse(nextStepTime(record, Date.parse(early)))).toBeGreaterThan(Date.parse(late))
  })
})
