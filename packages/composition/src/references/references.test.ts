import type { JsonObject, KubeObject } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesSelector, matchingCandidates } from './match.ts'
import { nextStep, withReference, withReferencedValue } from './resolve.ts'
import type { ReferenceTarget } from './target.ts'
import { findReferences, MACHINERY_KEYS } from './walk.ts'

const object = (spec: object, metadata: KubeObject['metadata'] = { name: 'x' }): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'X',
  metadata,
  spec: spec,
})
const target = (field: string, more: Partial<ReferenceTarget> = {}): ReferenceTarget => ({
  field,
  kinds: [{ group: 'example.org', kind: 'Network' }],
  ...more,
})
const only = (from: KubeObject, targets: readonly ReferenceTarget[]) => {
  const fields = findReferences(from, targets)
  expect(fields).toHaveLength(1)
  return fields[0] as (typeof fields)[number]
}

describe('findReferences', () => {
  it('001:663-687, 002:1004: value, reference and selector of one field', () => {
    const from = object({
      forProvider: { network: '/projects/x', networkRef: { name: 'desired' }, networkSelector: { matchComposite: true } },
    })
    expect(only(from, [target('network')])).toMatchObject({
      name: 'network',
      many: false,
      valuePath: { text: 'spec.forProvider.network' },
      refPath: { text: 'spec.forProvider.networkRef' },
      value: '/projects/x',
      refs: [{ name: 'desired' }],
      selectors: [{ matchComposite: true }],
    })
  })

  it('a plain value is no reference', () => {
    expect(findReferences(object({ forProvider: { network: '/projects/x' } }), [target('network')])).toEqual([])
  })

  it('fields that are called so and hold no reference are none', () => {
    expect(findReferences(object({ forProvider: { networkRef: null, zoneRef: { name: '' }, subnetRefs: [], keySelector: 'x' } }))).toEqual(
      [],
    )
  })

  it('000:535-548, F16: directly under spec, nested, and inside lists', () => {
    const from = object({
      serverNameSelector: { matchAggregate: true },
      properties: { virtualNetworkSubnetIdRef: { name: 'private' } },
      pools: [{ networkRef: { name: 'a' } }, { networkRef: { name: 'b' } }],
    })
    expect(findReferences(from).map((f) => f.valuePath.text)).toEqual([
      'spec.serverName',
      'spec.properties.virtualNetworkSubnetId',
      'spec.pools[0].network',
      'spec.pools[1].network',
    ])
  })

  it('appendix A: machinery keys are not references', () => {
    const spec = Object.fromEntries([...MACHINERY_KEYS].map((key) => [key, { name: 'x' }]))
    expect(findReferences(object({ ...spec, infrastructure: spec }))).toEqual([])
  })

  it.each(['providerRef', 'providerConfigRef', 'classRef', 'claimRef', 'resourceRef', 'compositionRef', 'writeConnectionSecretToRef'])(
    'appendix A: %s is the machinery’s',
    (key) => {
      expect(findReferences(object({ [key]: { name: 'x' } }))).toEqual([])
    },
  )

  it('under forProvider nothing is machinery: a service account is a reference like any other', () => {
    expect(
      only(object({ serviceAccountRef: { name: 'no' }, forProvider: { config: { serviceAccountRef: { name: 'yes' } } } }), []).refs,
    ).toEqual([{ name: 'yes' }])
  })

  it('B9 000:438: an object with a name in X means XRef, where the data knows X', () => {
    const from = object({ resourceGroupName: { name: 'some-existing-group' }, other: { name: 'ordinary' } })
    expect(only(from, [target('resourceGroupName')])).toMatchObject({
      refs: [{ name: 'some-existing-group' }],
      disguised: true,
      value: undefined,
    })
    expect(findReferences(from)).toEqual([])
    expect(findReferences(object({ resourceGroupName: { name: 'x', more: 1 } }), [target('resourceGroupName')])).toEqual([])
  })

  it('lists of references', () => {
    const from = object({ forProvider: { subnetIdRefs: [{ name: 'a' }, { name: 'b', namespace: 'n' }] } })
    expect(only(from, [target('subnetIds')])).toMatchObject({
      many: true,
      valuePath: { text: 'spec.forProvider.subnetIds' },
      refPath: { text: 'spec.forProvider.subnetIdRefs' },
      refs: [{ name: 'a' }, { name: 'b', namespace: 'n' }],
    })
    const single = object({ forProvider: { subnetIdRef: [{ name: 'a' }, { name: 'b' }] } })
    expect(only(single, [])).toMatchObject({ many: false, refs: [{ name: 'a' }] })
    expect(only(single, []).refs).toHaveLength(1)
    const selecting = object({ forProvider: { subnetIdSelectors: [{ matchLabels: { a: 'b' } }] } })
    expect(only(selecting, [])).toMatchObject({ many: true, selectors: [{ matchLabels: { a: 'b' } }] })
    expect(only(object({ subnetIdSelector: {} }), [target('subnetIds', { many: true })])).toMatchObject({
      many: true,
      refPath: { text: 'spec.subnetIdRefs' },
    })
  })

  it('a path in the data wins over a name, with [*] for any index', () => {
    const byName = target('network')
    const byPath = target('pools[*].network', { kinds: [] })
    const from = object({ networkRef: { name: 'a' }, pools: [{ networkRef: { name: 'b' } }] })
    expect(findReferences(from, [byName, byPath]).map((f) => f.target)).toEqual([byName, byPath])
  })

  it('survives any spec', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (spec) => {
        expect(Array.isArray(findReferences({ ...object({}), spec }, [target('a'), target('b[*].c')]))).toBe(true)
      }),
    )
    const key = fc.constantFrom('a', 'aRef', 'aRefs', 'aSelector', 'aSelectors', '__proto__', 'as')
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (spec) => {
        expect(Array.isArray(findReferences(object(spec), [target('a')]))).toBe(true)
      }),
    )
  })
})

describe('matchesSelector', () => {
  const group = (field: string, name: string, uid?: string) => ({
    [field]: { apiVersion: 'example.org/v1', kind: 'Group', name, ...(uid && { uid }) },
  })
  const controlled = (uid: string, name = uid) =>
    object({}, { name, uid: name, ownerReferences: [{ apiVersion: 'v1', kind: 'C', name: 'c', uid, controller: true }] })
  const owned = object({}, { name: 'o', ownerReferences: [{ apiVersion: 'v1', kind: 'C', name: 'c', uid: 'u' }] })
  const aggregated = object(group('aggregateRef', 'g', 'u1'))
  const composed = object(group('compositeRef', 'g'))

  it.each<[string, JsonObject, KubeObject, KubeObject, boolean]>([
    ['A15 matchAggregate: the same', { matchAggregate: true }, aggregated, object(group('aggregateRef', 'g', 'u1')), true],
    ['A15 matchAggregate: another', { matchAggregate: true }, aggregated, object(group('aggregateRef', 'g', 'u2')), false],
    ['A15 REC: without aggregateRef nothing matches', { matchAggregate: true }, object({}), object({}), false],
    ['F17 matchComposite: the same', { matchComposite: true }, composed, object(group('compositeRef', 'g')), true],
    ['F17 matchComposite: another', { matchComposite: true }, composed, object(group('compositeRef', 'h')), false],
    [
      'X4: the version does not count',
      { matchComposite: true },
      composed,
      object({ compositeRef: { apiVersion: 'example.org/v2', kind: 'Group', name: 'g' } }),
      true,
    ],
    ['B11 matchComposite: the same controller', { matchComposite: true }, controlled('u', 'a'), controlled('u', 'b'), true],
    ['C41 matchControllerRef: the same', { matchControllerRef: true }, controlled('u', 'a'), controlled('u', 'b'), true],
    ['C41 matchControllerRef: another', { matchControllerRef: true }, controlled('u', 'a'), controlled('v', 'b'), false],
    ['C41 matchControllerRef: an owner that is no controller', { matchControllerRef: true }, controlled('u', 'a'), owned, false],
    ['two uncontrolled objects are not related', { matchControllerRef: true }, object({}), object({}), false],
    ['C41: the compositeRef is not enough', { matchControllerRef: true }, composed, object(group('compositeRef', 'g')), false],
    ['false asks for nothing', { matchControllerRef: false, matchComposite: false, matchAggregate: false }, object({}), object({}), true],
    ['A15 matchClassRef', { matchClassRef: { name: 'c' } }, object({}), object({ classRef: { name: 'c' } }), true],
    ['A15 matchClassRef: another', { matchClassRef: { name: 'c' } }, object({}), object({ classRef: { name: 'd' } }), false],
    ['C42 matchLabels', { matchLabels: { example: 'label' } }, object({}), object({}, { labels: { example: 'label', more: 'x' } }), true],
    ['C42 matchLabels: another value', { matchLabels: { example: 'label' } }, object({}), object({}, { labels: { example: 'x' } }), false],
    ['C42: ANDed', { matchLabels: { a: 'b' }, matchComposite: true }, composed, object(group('compositeRef', 'g')), false],
    ['an empty selector matches any', {}, object({}), object({}), true],
  ])('%s', (_reason, selector, from, candidate, expected) => {
    expect(matchesSelector(selector, from, candidate)).toBe(expected)
  })

  it('nothing matches itself', () => {
    const self = controlled('u', 'self')
    expect(matchingCandidates({ matchControllerRef: true }, self, [self, { ...self }, controlled('u', 'other')])).toHaveLength(1)
  })
})

describe('resolving', () => {
  const network = (name: string, annotations?: Record<string, string>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Network',
    metadata: { name, ...(annotations && { annotations }) },
  })
  const targets = [target('network')]

  it('A16: selector → reference → value, and then nothing more to write', () => {
    let from = object({ networkSelector: { matchComposite: true } })
    const selecting = only(from, targets)
    expect(nextStep(selecting)).toMatchObject({ kind: 'select', selectors: [{ matchComposite: true }] })
    const referenced = withReference(from, selecting, [{ name: 'net-1' }])
    from = referenced.ok ? referenced.value : from
    expect(from['spec']).toMatchObject({ networkRef: { name: 'net-1' } })

    const getting = only(from, targets)
    expect(nextStep(getting)).toEqual({ kind: 'get', refs: [{ name: 'net-1' }] })
    const valued = withReferencedValue(from, getting, [network('net-1', { 'crossplane.io/external-name': 'real' })])
    from = valued.ok ? valued.value : from
    expect(from['spec']).toEqual({ network: 'real', networkRef: { name: 'net-1' }, networkSelector: { matchComposite: true } })

    const again = withReferencedValue(from, only(from, targets), [network('net-1', { 'crossplane.io/external-name': 'real' })])
    expect(again.ok && again.value).toBe(from)
  })

  it('A16: a reference beats a selector and sets X again; B27: X is the external name, or the name', () => {
    const from = object({ network: 'stale', networkRef: { name: 'net-2', policy: { keep: true } }, networkSelector: {} })
    const result = withReferencedValue(from, only(from, targets), [network('net-2')])
    expect(result).toMatchObject({ ok: true, value: { spec: { network: 'net-2', networkRef: { name: 'net-2', policy: { keep: true } } } } })
  })

  it('B9: a disguised reference becomes a proper one', () => {
    const from = object({ network: { name: 'net-3' } })
    expect(withReferencedValue(from, only(from, targets), [network('net-3')])).toMatchObject({
      ok: true,
      value: { spec: { network: 'net-3', networkRef: { name: 'net-3' } } },
    })
  })

  it('lists', () => {
    const from = object({ subnetIdRefs: [{ name: 'a' }, { name: 'b' }] })
    expect(withReferencedValue(from, only(from, [target('subnetIds')]), [network('a'), network('b')])).toMatchObject({
      ok: true,
      value: { spec: { subnetIds: ['a', 'b'] } },
    })
  })

  it('a field without a known target is left alone', () => {
    expect(nextStep(only(object({ someRef: { name: 'x' } }), []))).toEqual({ kind: 'ignore' })
  })

  it('T146: X is what the status of the target says, and waits for it, where the data names a field of that', () => {
    const from = object({ networkRef: { name: 'net-1' } })
    const field = only(from, [target('network', { attribute: 'arn' })])
    expect(withReferencedValue(from, field, [network('net-1')])).toMatchObject({ ok: false, error: { code: 'FieldNotFound' } })
    const known = { ...network('net-1'), status: { atProvider: { arn: 'arn:net', id: 'x' } } }
    expect(withReferencedValue(from, field, [known])).toMatchObject({ ok: true, value: { spec: { network: 'arn:net' } } })
  })

  it('nothing referenced, nothing written', () => {
    const from = object({ networkRef: { name: 'gone' } })
    expect(withReferencedValue(from, only(from, targets), [])).toMatchObject({ ok: false, error: { code: 'FieldNotFound' } })
  })
})
