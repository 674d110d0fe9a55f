import type { KubeObject } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { childrenOf, ownerOf } from './relations.ts'
import { ownState, traceKey, traceTree } from './trace.ts'

const object = (kind: string, name: string, more: Record<string, unknown> = {}, namespace?: string): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind,
  metadata: { name, ...(namespace !== undefined && { namespace }), uid: `uid-${name}` },
  ...more,
})
const ready = (status: string, message = '') => ({ conditions: [{ type: 'Ready', status, reason: 'Creating', message }] })
const notSynced = (message: string) => ({ conditions: [{ type: 'Synced', status: 'False', reason: 'ReconcileError', message }] })
const ref = (kind: string, name: string) => ({ apiVersion: 'example.org/v1', kind, name })

const keyOf = ({ apiVersion, kind, metadata: { name = '', namespace } }: KubeObject): string =>
  traceKey({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) })

function trace(objects: readonly KubeObject[], root: KubeObject) {
  const known = new Map(objects.map((each) => [keyOf(each), each]))
  const { name = '', namespace } = root.metadata
  return traceTree(
    { ...ref(root.kind, name), ...(namespace !== undefined && { namespace }) },
    (wanted) => known.get(traceKey(wanted)) ?? null,
  )
}

describe('relations', () => {
  test.each<[string, KubeObject, readonly string[]]>([
    ['a claim', object('Claim', 'c', { spec: { resourceRef: ref('Server', 's') } }, 'default'), ['Server//s']],
    [
      'B18: a requirement whose author wrote a list',
      object('Need', 'n', { spec: { infrastructure: { resourceRef: [ref('X', 'x')] } } }),
      ['X//x'],
    ],
    ['a composite', object('X', 'x', { spec: { infrastructure: { composedRefs: [ref('A', 'a'), ref('B', 'b')] } } }), ['A//a', 'B//b']],
    [
      'C11: an application has members in its namespace',
      object('App', 'p', { spec: { application: { composedRefs: [ref('A', 'a')] } } }, 'web'),
      ['A/web/a'],
    ],
    ['an aggregate', object('AggregateResource', 'g', { status: { aggregatedResources: [ref('A', 'a')] } }), ['A//a']],
    ['a group of seed 001', object('CompositeResource', 'g', { status: { resources: [ref('A', 'a'), { kind: 'B' }] } }), ['A//a']],
    ['a reference without a name', object('Claim', 'c', { spec: { resourceRef: ref('Server', '') } }), []],
    ['a reference without a kind', object('Claim', 'c', { spec: { resourceRef: { apiVersion: 'example.org/v1', name: 's' } } }), []],
    [
      'a composite resource has members in its namespace, unless it says where',
      object('XR', 'x', { spec: { crossplane: { resourceRefs: [ref('A', 'a'), { ...ref('B', 'b'), namespace: 'there' }] } } }, 'web'),
      ['A/web/a', 'B/there/b'],
    ],
    ['an older one', object('XR', 'x', { spec: { resourceRefs: [ref('A', 'a')] } }), ['A//a']],
    ['nothing', object('Server', 's', { spec: {} }), []],
    ['nonsense', object('Server', 's', { spec: { resourceRef: 7 }, status: { resources: 'x' } }), []],
  ])('children of %s', (_reason, parent, expected) => {
    expect(childrenOf(parent).map(({ ref: { kind, namespace = '', name } }) => `${kind}/${namespace}/${name}`)).toEqual(expected)
  })

  test.each<[string, KubeObject, string | undefined]>([
    ['claimRef', object('A', 'a', { spec: { claimRef: { ...ref('Claim', 'c'), namespace: 'default' } } }), 'default/c'],
    [
      'requirementRef',
      object('X', 'x', { spec: { infrastructure: { requirementRef: { ...ref('Need', 'n'), namespace: 'web' } } } }),
      'web/n',
    ],
    [
      'a controller',
      { ...object('A', 'a'), metadata: { name: 'a', ownerReferences: [{ ...ref('X', 'x'), uid: 'u', controller: true }] } },
      '/x',
    ],
    ['nobody', object('A', 'a'), undefined],
  ])('the owner by %s', (_reason, owned, expected) => {
    const owner = ownerOf(owned)
    expect(owner && `${owner.namespace ?? ''}/${owner.name}`).toBe(expected)
  })
})

test.each<[string, Record<string, unknown>, object, string]>([
  ['is paused', { annotations: { 'crossplane.io/paused': 'true' } }, ready('True'), 'paused'],
  ['is to go, paused or not', { annotations: { 'crossplane.io/paused': 'true' }, deletionTimestamp: 'now' }, ready('True'), 'deleting'],
  ['is ready', {}, ready('True'), 'ready'],
  ['waits', {}, ready('False'), 'waiting'],
  ['failed', {}, notSynced('no'), 'failed'],
])('the state of what %s', (_reason, metadata, status, state) => {
  const made = object('A', 'a', { status })
  expect(ownState({ ...made, metadata: { ...made.metadata, ...metadata } })).toBe(state)
})

describe('trace', () => {
  const claim = object('Claim', 'c', { spec: { resourceRef: ref('AggregateResource', 'g') }, status: ready('False', 'waiting') }, 'default')
  const group = object('AggregateResource', 'g', {
    status: { ...ready('False', 'waiting for 2'), aggregatedResources: [ref('A', 'a'), ref('B', 'b')] },
  })
  const fine = object('A', 'a', { spec: { forProvider: {} }, status: ready('True') })

  test('the root says whose fault it is, however deep', () => {
    const broken = object('B', 'b', { spec: { aggregateRef: ref('AggregateResource', 'g') }, status: notSynced('quota exceeded') })
    const { node, unknown } = trace([claim, group, fine, broken], claim)
    expect(unknown).toEqual([])
    expect(node).toMatchObject({ state: 'waiting', why: 'B b cannot be synced: quota exceeded' })
    expect(node.children[0]?.children.map(({ state, externalName }) => [state, externalName])).toEqual([
      ['ready', 'a'],
      ['failed', 'b'],
    ])
  })

  test('who only passes on what a member says is not blamed: the reason is told once, with the member that has it', () => {
    const broken = object('B', 'b', { status: notSynced('quota exceeded') })
    const passing = object('AggregateResource', 'g', {
      status: { ...notSynced('B b is not synced: quota exceeded'), aggregatedResources: [ref('B', 'b')] },
    })
    expect(trace([claim, passing, broken], claim).node.why).toBe('B b cannot be synced: quota exceeded')
    const own = { ...passing, status: { ...(passing['status'] as object), ...notSynced('no class') } }
    expect(trace([claim, own, broken], claim).node.why).toBe('AggregateResource g cannot be synced: no class')
  })

  test.each([
    ['says something else', 'disk full'],
    ['says nothing', ''],
  ])('who fails by itself is blamed where its failing member %s', (_reason, message) => {
    const broken = object('B', 'b', { status: notSynced(message) })
    const passing = object('AggregateResource', 'g', { status: { ...notSynced('no quota'), aggregatedResources: [ref('B', 'b')] } })
    expect(trace([passing, broken], passing).node.why).toBe('AggregateResource g cannot be synced: no quota')
  })

  test('what fails counts before what is missing, and that before what is merely slow', () => {
    const slow = { ...fine, status: ready('False', 'it takes a while') }
    expect(trace([claim, group, slow], claim).node.why).toBe('B b does not exist')
  })

  test('X2: a name without an object is a node of its own', () => {
    const { node } = trace([claim], claim)
    expect(node.children).toMatchObject([{ state: 'missing', relation: 'resourceRef', ref: { name: 'g' }, children: [] }])
  })

  test('what nobody has asked for yet is unknown, not missing for good', () => {
    const { unknown } = traceTree(ref('Claim', 'c'), () => undefined)
    expect(unknown).toEqual([ref('Claim', 'c')])
  })

  test.each<[string, Record<string, unknown>, string | undefined]>([
    [
      'the composition that its status names',
      { status: { composition: 'c' }, spec: { compositionRef: { name: 'other' } } },
      'Composition/c',
    ],
    ['the composition that it refers to', { spec: { compositionRef: { name: 'c' } } }, 'Composition/c'],
    ['where newer kinds have it', { spec: { crossplane: { compositionRef: { name: 'c' } } } }, 'Composition/c'],
    ['its class', { spec: { classRef: ref('ServerClass', 'gold') } }, 'ServerClass/gold'],
    ['no class without a kind', { spec: { classRef: { name: 'gold' } } }, undefined],
    ['no class without a name', { spec: { classRef: { kind: 'ServerClass' } } }, undefined],
    ['nothing', { spec: {}, status: { composition: '' } }, undefined],
  ])('it was made from %s', (_reason, more, madeFrom) => {
    const made = object('A', 'a', more)
    expect(trace([made], made).node.madeFrom).toBe(madeFrom)
  })

  test.each<[string, Record<string, unknown>, string | undefined]>([
    ['parameters for a provider', { spec: { forProvider: {} } }, 'a'],
    ['a provider', { spec: { providerRef: { name: 'p' } } }, 'a'],
    ['a configuration of a provider', { spec: { providerConfigRef: { name: 'p' } } }, 'a'],
    ['a claim', { spec: { claimRef: ref('Claim', 'c') } }, 'a'],
    ['nothing of the kind', { spec: { size: 1 } }, undefined],
    ['members of its own', { spec: { forProvider: {}, infrastructure: { composedRefs: [ref('B', 'b')] } } }, undefined],
  ])('an object with %s has an external name, or none', (_reason, more, externalName) => {
    const made = object('A', 'a', more)
    expect(trace([made], made).node.externalName).toBe(externalName)
  })

  test('one that the reader may not see is named, and nothing more', () => {
    const { node, unknown } = traceTree({ ...ref('Claim', 'c'), namespace: 'default' }, () => 'hidden')
    expect(unknown).toEqual([])
    expect(node).toMatchObject({ state: 'hidden', why: 'Claim default/c is not visible to you', children: [] })
  })

  test('a failure without words is a failure all the same', () => {
    const failed = object('A', 'a', { status: { conditions: [{ type: 'Synced', status: 'False', message: '' }] } })
    expect(trace([failed], failed).node).toMatchObject({ state: 'failed', why: 'A a cannot be synced: no reason is given' })
    expect(trace([failed], failed).node.synced).toEqual({ status: 'False' })
    const bare = object('A', 'a', { status: { conditions: [{ type: 'Ready', status: 'False', reason: '', message: 'slow' }] } })
    expect(trace([bare], bare).node.ready).toEqual({ status: 'False', message: 'slow' })
    const reason = object('A', 'a', { status: { conditions: [{ type: 'Synced', status: 'False', reason: 'Quota' }] } })
    expect(trace([reason], reason).node).toMatchObject({ why: 'A a cannot be synced: Quota', synced: { status: 'False', reason: 'Quota' } })
  })

  test('a cycle ends', () => {
    const a = object('X', 'a', { spec: { infrastructure: { composedRefs: [ref('X', 'b')] } } })
    const b = object('X', 'b', { spec: { infrastructure: { composedRefs: [ref('X', 'a')] } } })
    expect(trace([a, b], a).node.children[0]?.children[0]?.children).toEqual([])
  })

  test('one that is being deleted says what it waits for', () => {
    const going = { ...fine, metadata: { ...fine.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['f.example.org'] } }
    expect(trace([going], going).node).toMatchObject({ state: 'deleting', why: 'A a is being deleted, and waits for f.example.org' })
    const free = { ...going, metadata: { ...going.metadata, finalizers: [] } }
    expect(trace([free], free).node.why).toBe('A a is being deleted')
  })
})
