import { describe, expect, test } from 'vitest'
import { fieldChanges } from './field-changes.ts'

const told = (before: unknown, after: unknown): readonly string[] =>
  fieldChanges(before, after).map(({ path, ...values }) => {
    const was = 'before' in values ? JSON.stringify(values.before) : '+'
    return `${path}: ${was} → ${'after' in values ? JSON.stringify(values.after) : '-'}`
  })

describe('lists, element by element', () => {
  test.each<[string, readonly unknown[], readonly unknown[], readonly string[]]>([
    ['one taken out of the middle', ['a', 'b', 'c', 'd'], ['a', 'c', 'd'], ['l[1]: "b" → -']],
    ['one put in front', ['b', 'c'], ['a', 'b', 'c'], ['l[0]: + → "a"']],
    ['one changed', ['a', 'b', 'c'], ['a', 'x', 'c'], ['l[1]: "b" → "x"']],
    ['two apart', ['a', 'b', 'c', 'd', 'e'], ['a', 'x', 'c', 'e'], ['l[1]: "b" → "x"', 'l[3]: "d" → -']],
    ['objects without names', [{ a: 1 }, { a: 2 }], [{ a: 2 }], ['l[0]: {"a":1} → -']],
    ['a field of an object without a name', [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 3 }], ['l[1].a: 2 → 3']],
    [
      'objects by name, in another order',
      [{ name: 'a', n: 1 }, { name: 'b' }],
      [{ name: 'b' }, { name: 'a', n: 2 }],
      ['l[name=a].n: 1 → 2'],
    ],
    ['an object by name that goes', [{ name: 'a', n: 1 }, { name: 'b' }], [{ name: 'b' }], ['l[name=a]: {"name":"a","n":1} → -']],
    [
      'names that are not their own',
      [
        { name: 'a', n: 1 },
        { name: 'a', n: 2 },
      ],
      [{ name: 'a', n: 2 }],
      ['l[0]: {"name":"a","n":1} → -'],
    ],
    ['all of them gone', ['a', 'b'], [], ['l: ["a","b"] → []']],
    ['a new one', [], ['a'], ['l[0]: + → "a"']],
  ])('%s', (_case, before, after, expected) => {
    const changes = told({ l: before }, { l: after })
    expect(changes).toEqual(expected)
  })

  test('long lists are compared in bounded time: by position where too much differs', () => {
    const [before, after] = [Array.from({ length: 5_000 }, (_, i) => i), Array.from({ length: 5_000 }, (_, i) => -1 - i)]
    expect(fieldChanges({ l: before }, { l: after })).toHaveLength(5_000)
    // What both begin and end with is left out first, however long they are.
    expect(told({ l: before }, { l: before.toSpliced(2_500, 1) })).toEqual(['l[2500]: 2500 → -'])
  })
})

test('what is new is told field by field, and references as one', () => {
  const ref = { apiVersion: 'v1', kind: 'Secret', name: 'a' }
  expect(told({}, { spec: { size: { gb: 1 }, zones: ['a'], none: {}, ref } })).toEqual([
    'spec.none: + → {}',
    `spec.ref: + → ${JSON.stringify(ref)}`,
    'spec.size.gb: + → 1',
    'spec.zones[0]: + → "a"',
  ])
  expect(told({ ref }, { ref: { ...ref, name: 'b' } })).toHaveLength(1)
})

test.each<[object, boolean]>([
  [{ spec: { claimRef: { name: 'a' } } }, true],
  [{ spec: { infrastructure: { resourceRef: { name: 'a' } } } }, true],
  [{ spec: { crossplane: { resourceRefs: [{ name: 'a' }] } } }, true],
  [{ spec: { classRef: { uid: 'a' } } }, true],
  [{ metadata: { labels: { 'resourceclaim.crossplane.io/name': 'a' } } }, true],
  [{ metadata: { ownerReferences: [{ name: 'a' }] } }, true],
  [{ spec: { classRef: { name: 'a' } } }, false],
  [{ spec: { forProvider: { resourceRef: { name: 'a' } } } }, false],
  [{ spec: { crossplane: { compositionRevisionRef: { name: 'a' } } } }, false],
  [{ metadata: { labels: { 'crossplane.io.example.org/name': 'a' } } }, false],
  [{ metadata: { annotations: { 'crossplane.io/external-name': 'a' } } }, false],
])('%j is bookkeeping: %s', (object, expected) => {
  expect(fieldChanges({}, object).map(({ bookkeeping = false }) => bookkeeping)).toEqual([expected])
})
