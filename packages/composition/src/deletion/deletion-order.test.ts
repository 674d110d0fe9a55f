import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { deletionOrderOf, nextToGo, type RankedMember } from './deletion-order.ts'

const member = (rank: number, kind: string, name: string, spec: object = {}, apiVersion = 'cloud.example.org/v1'): RankedMember => ({
  rank,
  object: { apiVersion, kind, metadata: { name }, spec } as KubeObject,
})

/** Everything in the order in which it goes; what goes together is joined by `+`. */
function order(members: readonly RankedMember[], mode: 'references' | 'reverse'): string {
  const waves: string[] = []
  let left = members
  while (left.length > 0) {
    const go = nextToGo(left, mode)
    expect(go.length, 'something must always be able to go').toBeGreaterThan(0)
    waves.push(
      go
        .map(({ object }) => object.metadata.name)
        .sort()
        .join('+'),
    )
    left = left.filter((each) => !go.includes(each))
  }
  return waves.join(' ')
}

const network = member(0, 'Network', 'net')
const subnet = member(1, 'Subnet', 'sub', { forProvider: { networkRef: { name: 'net' } } })
const rule = member(2, 'Rule', 'rule', { forProvider: { networkRefs: [{ name: 'net' }], note: { name: 'sub' } } })
const server = member(3, 'Server', 'srv', { forProvider: { subnetRef: { name: 'sub' }, zone: 'net' } })

describe('what goes next', () => {
  test.each<[string, readonly RankedMember[], string, string]>([
    ['nobody refers to anybody', [member(0, 'A', 'a'), member(1, 'B', 'b'), member(2, 'C', 'c')], 'a+b+c', 'c b a'],
    ['a chain, whatever its order in the Composition', [network, subnet, rule, server], 'rule+srv sub net', 'srv rule sub net'],
    [
      'references against the order of the Composition',
      [member(0, 'App', 'app', { databaseRef: { name: 'db' } }), member(1, 'Database', 'db')],
      'app db',
      'app db',
    ],
    [
      'a circle, and one who refers to itself',
      [
        member(0, 'A', 'a', { otherRef: { name: 'b' } }),
        member(1, 'B', 'b', { otherRef: { name: 'a' } }),
        member(2, 'C', 'c', { selfRef: { name: 'c' } }),
      ],
      'c b a',
      'c b a',
    ],
    [
      'two of one name: the field says which',
      [
        member(0, 'Network', 'x'),
        member(1, 'Bucket', 'x', {}),
        member(2, 'Server', 's', { networkRef: { name: 'x' } }),
        member(3, 'User', 'u', { kindly: { kind: 'Bucket', name: 'x' } }),
      ],
      's+u x+x',
      'u s x x',
    ],
    [
      'another group or kind of that name',
      [
        member(0, 'Config', 'x'),
        member(1, 'User', 'u', {
          one: { apiVersion: 'other.example.org/v1', kind: 'Config', name: 'x' },
          twoRef: { kind: 'Other', name: 'x' },
        }),
      ],
      'u+x',
      'u x',
    ],
    [
      'a configuration of the provider that is composed too',
      [member(5, 'ProviderConfig', 'pc'), member(0, 'Server', 's', { providerConfigRef: { name: 'pc' } })],
      's pc',
      's pc',
    ],
  ])('%s', (_name, members, together, oneByOne) => {
    expect(order(members, 'references')).toBe(together)
    expect(order([...members].reverse(), 'references')).toBe(together)
    expect(order(members, 'reverse')).toBe(oneByOne)
  })

  test('a usage that was composed says who goes before whom, and holds up neither', () => {
    const end = (kind: string, name: string): object => ({ apiVersion: 'cloud.example.org/v1', kind, resourceRef: { name } })
    const usage = member(
      2,
      'ClusterUsage',
      'keep',
      { of: end('Chart', 'base'), by: end('Chart', 'app') },
      'protection.crossplane.io/v1beta1',
    )
    const both = [member(1, 'Chart', 'base'), member(0, 'Chart', 'app')]
    expect(order([...both, usage], 'references')).toBe('app+keep base')
    // It waits for who uses something by itself.
    expect(nextToGo([...both, usage], 'reverse').map(({ object }) => object.metadata.name)).toEqual(['keep', 'app'])
  })

  test.each([
    ['protection.crossplane.io/v1beta1', 'Usage', true],
    ['protection.crossplane.io/v1beta1', 'ClusterUsage', true],
    ['apiextensions.crossplane.io/v1beta1', 'Usage', true],
    ['apiextensions.crossplane.io/v1beta1', 'ClusterUsage', false],
    ['protection.crossplane.io/v1beta1', 'Protection', false],
    ['cloud.example.org/v1', 'Usage', false],
  ])('%s %s is a usage: %s', (apiVersion, kind, counts) => {
    const end = (name: string): object => ({ apiVersion: 'cloud.example.org/v1', kind: 'Chart', resourceRef: { name } })
    const spec = { of: end('base'), by: end('app') }
    const members = [member(1, 'Chart', 'base'), member(0, 'Chart', 'app'), member(2, kind, 'keep', counts ? spec : {}, apiVersion)]
    expect(order(members, 'references')).toBe(counts ? 'app+keep base' : 'app+base+keep')
    expect(order(members, 'reverse')).toBe(counts ? 'app+keep base' : 'keep base app')
  })

  test.each<[string, object]>([
    ['names nobody', { of: { kind: 'Chart', resourceRef: {} }, by: { kind: 'Chart', resourceRef: { name: 'app' } } }],
    ['has one end', { of: { kind: 'Chart', resourceRef: { name: 'base' } } }],
    ['is of others', { of: { kind: 'Other', resourceRef: { name: 'base' } }, by: { kind: 'Chart', resourceRef: { name: 'app' } } }],
    ['is by others', { of: { kind: 'Chart', resourceRef: { name: 'base' } }, by: { kind: 'Other', resourceRef: { name: 'app' } } }],
    ['is nonsense', { of: 'base', by: ['app'] }],
  ])('a usage that %s holds nobody up', (_reason, spec) => {
    const usage = member(2, 'Usage', 'keep', spec, 'protection.crossplane.io/v1beta1')
    expect(order([member(1, 'Chart', 'base'), member(0, 'Chart', 'app'), usage], 'references')).toBe('app+base+keep')
  })

  test('a usage by nobody who is there holds nobody up, one by somebody does', () => {
    const end = (name: string): object => ({ kind: 'Chart', resourceRef: { name } })
    const usage = (by: string) => member(3, 'Usage', 'keep', { of: end('base'), by: end(by) }, 'protection.crossplane.io/v1beta1')
    const charts = [member(1, 'Chart', 'base'), member(0, 'Chart', 'app')]
    expect(order([...charts, usage('gone')], 'references')).toBe('app+base+keep')
    expect(order([...charts, usage('app')], 'references')).toBe('app+keep base')
  })

  test('of two with the same place, the later name goes first', () => {
    expect(order([member(1, 'A', 'a'), member(1, 'A', 'b'), member(1, 'B', 'a')], 'reverse')).toBe('a b a')
    expect(nextToGo([member(1, 'A', 'a'), member(1, 'B', 'a')], 'reverse').map(({ object }) => object.kind)).toEqual(['B'])
  })

  test('names in lists of lists count, however they are nested', () => {
    const nested = Array.from({ length: 20 }).reduce<unknown>((inner) => [inner], { kind: 'Network', name: 'net' })
    expect(order([network, member(1, 'Rule', 'rule', { parts: nested })], 'references')).toBe('rule net')
    const deep = Array.from({ length: 25 }).reduce<unknown>((inner) => ({ part: inner }), { kind: 'Network', name: 'net' })
    expect(order([network, member(1, 'Rule', 'rule', { part: deep })], 'references')).toBe('rule net')
  })

  test('thousands of members, all of which refer to one', () => {
    const many = Array.from({ length: 3000 }, (_, i) => member(i, 'Leaf', `l${i}`, { rootRef: { name: 'root' } }))
    expect(nextToGo([...many, member(9999, 'Root', 'root')], 'references')).toHaveLength(3000)
  })
})

test('an order is one of two; anything else turns it off', () => {
  const said = (value?: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'X',
    metadata: { ...(value !== undefined && { annotations: { 'weft.dev/deletion-order': value } }) },
  })
  expect(['references', 'reverse', 'none', '', undefined].map((value) => deletionOrderOf(said(value)))).toEqual([
    'references',
    'reverse',
    'none',
    'none',
    undefined,
  ])
})
