import { readFileSync } from 'node:fs'
import type { KubeObject } from '@weft/api'
import { recording } from '@weft/testing'
import { describe, expect, test } from 'vitest'
import { attemptOn, concernedKeys, detailsOf, inUseMessage, objectKey, type Usage, usedKey } from './usage.ts'

const usage = (spec: Partial<Usage['spec']>, metadata: object = {}, kind = 'Usage'): Usage => ({
  apiVersion: 'protection.crossplane.io/v1beta1',
  kind,
  metadata: { name: 'u', ...metadata },
  spec: { of: { apiVersion: 'example.org/v1', kind: 'Lake', resourceRef: { name: 'deep' } }, ...spec },
})
const BY = { apiVersion: 'example.org/v1', kind: 'Mill', resourceRef: { name: 'old' } }

describe('a usage', () => {
  test.each<[string, Usage, string]>([
    [
      'by an object',
      usage({ by: BY, reason: 'never told' }, {}, 'ClusterUsage'),
      'This resource is in-use by 2 usage(s), including the *v1beta1.ClusterUsage "u" by resource Mill/old.',
    ],
    [
      'for a reason, in a namespace',
      usage({ reason: 'a "show"' }, { namespace: 'team-a' }),
      'This resource is in-use by 2 usage(s), including the *v1beta1.Usage "u" (in namespace "team-a") with reason: "a \\"show\\"".',
    ],
    ['for nothing', usage({}), 'This resource is in-use by 2 usage(s), including the *v1beta1.Usage "u".'],
  ])('K141: %s says so to whoever deletes', (_name, given, expected) => expect(inUseMessage(given, 2)).toBe(expected))

  test.each<[string, Usage, string]>([
    ['its reason', usage({ by: BY, reason: 'winter' }), 'winter'],
    ['who uses what', usage({ by: BY }), 'Mill/old uses Lake/deep'],
    [
      'where',
      usage({ by: BY, of: { apiVersion: 'example.org/v1', kind: 'Lake', resourceRef: { name: 'deep', namespace: 'b' } } }),
      'Mill/old uses Lake/deep in namespace b',
    ],
    ['nothing', usage({}), 'undefined'],
  ])('K140: tells %s in its details', (_name, given, expected) => expect(detailsOf(given)).toBe(expected))

  test('K143: is of an object whatever its version, in its own namespace unless it says otherwise', () => {
    const lake = (namespace?: string): string =>
      objectKey({ apiVersion: 'example.org/v9', kind: 'Lake', metadata: { name: 'deep', ...(namespace && { namespace }) } })
    expect(usedKey(usage({}))).toBe(lake())
    expect(usedKey(usage({}, { namespace: 'a' }))).toBe(lake('a'))
    expect(usedKey(usage({ of: { ...usage({}).spec.of, resourceRef: { name: 'deep', namespace: '' } } }, { namespace: 'a' }))).toBe(lake())
    expect(usedKey(usage({ of: { kind: 'Lake' } }))).toBeUndefined()
    // Names with dots do not run into each other.
    const dotted = (kind: string, name: string): string => objectKey({ apiVersion: 'example.org/v1', kind, metadata: { name } })
    expect(dotted('A', 'b.c')).not.toBe(dotted('A.b', 'c'))
    expect(concernedKeys(usage({ by: BY }, { namespace: 'a' }))).toHaveLength(3)
  })

  test('K142: an attempt is one of three, whatever somebody wrote', () => {
    const noted = (policy: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'X',
      metadata: { annotations: { 'usage.crossplane.io/deletion-attempt-with-policy': policy } },
    })
    expect(attemptOn(noted('Foreground'))).toBe('Foreground')
    expect(attemptOn(noted('Quickly'))).toBeUndefined()
    expect(attemptOn({ apiVersion: 'v1', kind: 'X', metadata: {} })).toBeUndefined()
  })

  test.skipIf(recording('world.json') === undefined)('K140, K143: says of every recorded usage what Crossplane said', () => {
    const { items } = JSON.parse(readFileSync(recording('world.json') ?? '', 'utf8')) as { items: readonly KubeObject[] }
    const usages = items.filter((each): each is Usage => each.kind === 'Usage' || each.kind === 'ClusterUsage')
    const inUse = items.filter(({ metadata }) => metadata.labels?.['crossplane.io/in-use'] === 'true')
    expect(usages.length).toBeGreaterThan(0)
    for (const each of usages) expect(detailsOf(each)).toBe(each.metadata.annotations?.['crossplane.io/usage-details'])
    expect(inUse.map(objectKey).sort()).toEqual(usages.map(usedKey).sort())
  })
})
