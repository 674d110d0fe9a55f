import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldElement, keyElement, valueElement } from './element.ts'
import {
  difference,
  differenceWithChildren,
  EMPTY_SET,
  equalSets,
  type FieldSet,
  fieldsNamed,
  formatPaths,
  hasPath,
  intersection,
  isEmptySet,
  NodeBuilder,
  pathsOf,
  setOfPaths,
  union,
  unionOf,
} from './field-set.ts'
import { decodeFieldsV1 } from './fields-v1.ts'

const element = fc.oneof(
  fc.constantFrom('a', 'b', 'é', '__proto__', 'constructor', '.').map(fieldElement),
  fc.tuple(fc.constantFrom('x', 'y', '<'), fc.integer({ min: 0, max: 20 })).map(([name, port]) =>
    keyElement([
      ['name', name],
      ['port', port],
    ]),
  ),
  fc.oneof(fc.integer({ min: -3, max: 20 }), fc.constantFrom('x', 'é"', 'a&b'), fc.boolean()).map(valueElement),
  fc.nat({ max: 12 }).map((index) => `i:${index}`),
)
const path = fc.array(element, { minLength: 1, maxLength: 3 })
const fieldSet = fc.array(path, { maxLength: 8 }).map((paths) => setOfPaths(...paths))
const texts = (set: FieldSet): string[] => Array.from(pathsOf(set), (steps) => steps.join('\u0000')).sort()
const reference = (set: FieldSet): Set<string> => new Set(texts(set))

// One seed, so that a failure is the same for everybody; more runs find more.
const ALWAYS = { seed: 20260101, numRuns: 200 }

describe('FieldSet', () => {
  it('is FieldsV1: what is written reads back as the very same object', () => {
    fc.assert(
      fc.property(fieldSet, (set) => {
        expect(decodeFieldsV1(set)).toBe(set)
        const wire = JSON.parse(JSON.stringify(set)) as unknown
        const decoded = decodeFieldsV1(wire)
        expect(decoded).toBe(wire)
        expect(equalSets(decoded, set)).toBe(true)
        expect(JSON.stringify(decoded)).toBe(JSON.stringify(set))
      }),
      ALWAYS,
    )
  })

  it('does set algebra like sets of paths', () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        const [pa, pb] = [reference(a), reference(b)]
        expect(texts(union(a, b))).toEqual([...new Set([...pa, ...pb])].sort())
        expect(texts(intersection(a, b))).toEqual([...pa].filter((p) => pb.has(p)).sort())
        expect(texts(difference(a, b))).toEqual([...pa].filter((p) => !pb.has(p)).sort())
        const below = (p: string): boolean => [...pb].some((q) => p === q || p.startsWith(`${q}\u0000`))
        expect(texts(differenceWithChildren(a, b))).toEqual([...pa].filter((p) => !below(p)).sort())
      }),
      ALWAYS,
    )
  })

  it('keeps results canonical and shares what does not change', () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        for (const set of [union(a, b), intersection(a, b), difference(a, b), differenceWithChildren(a, b)])
          expect(decodeFieldsV1(set)).toBe(set)
        const both = union(a, b)
        expect(union(both, a)).toBe(both)
        const rest = difference(a, b)
        expect(difference(rest, b)).toBe(rest)
        expect(equalSets(union(a, b), union(b, a))).toBe(true)
      }),
      ALWAYS,
    )
  })

  it('is the union of many, however many there are', () => {
    fc.assert(
      fc.property(fc.array(fieldSet, { maxLength: 7 }), (sets) => {
        expect(texts(unionOf(sets))).toEqual([...new Set(sets.flatMap(texts))].sort())
      }),
      ALWAYS,
    )
  })

  it('of hundreds of items is in order, too', () => {
    const items = Array.from({ length: 300 }, (_, i) => valueElement((i * 7919) % 300))
    const builder = new NodeBuilder()
    for (const item of items) builder.add(item, EMPTY_SET)
    expect(Object.keys(builder.finish() ?? {})).toEqual(Array.from({ length: 300 }, (_, i) => `v:${i}`))
    expect(new NodeBuilder().finish()).toBeUndefined()
  })

  it('is the same as another that holds the same, and no other', () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (a, b) => {
        expect(equalSets(a, b)).toBe(JSON.stringify(texts(a)) === JSON.stringify(texts(b)))
        expect(equalSets(a, structuredClone(a))).toBe(true)
      }),
      ALWAYS,
    )
    const pair = fieldsNamed(['a', 'b'], ['c'])
    expect([fieldsNamed(['a', 'b']), fieldsNamed(['a'], ['a', 'b'], ['c']), EMPTY_SET].map((other) => equalSets(pair, other))).toEqual([
      false,
      false,
      false,
    ])
  })

  it('lists the members of a level before what lies below them', () => {
    expect(formatPaths(fieldsNamed(['a', 'x'], ['a', 'x', 'y'], ['b']))).toEqual(['.b', '.a.x', '.a.x.y'])
  })

  it('answers membership', () => {
    const set = fieldsNamed(['spec'], ['spec', 'a'], ['metadata', 'labels', 'x'])
    expect(hasPath(set, ['f:spec'])).toBe(true)
    expect(hasPath(set, ['f:spec', 'f:a'])).toBe(true)
    expect(hasPath(set, ['f:metadata'])).toBe(false)
    expect(hasPath(set, [])).toBe(false)
    expect(hasPath(set, ['f:nothing'])).toBe(false)
    expect(hasPath(set, ['f:spec', 'f:a', 'f:below'])).toBe(false)
    expect(isEmptySet(EMPTY_SET)).toBe(true)
    expect(JSON.stringify(set)).toBe('{"f:metadata":{"f:labels":{"f:x":{}}},"f:spec":{".":{},"f:a":{}}}')
  })
})

describe('the order of elements', () => {
  it.each([
    {
      reason: 'fields before keys before values before indices',
      wire: { 'i:0': {}, 'v:1': {}, 'k:{"a":1}': {}, 'f:z': {} },
      order: ['f:z', 'k:{"a":1}', 'v:1', 'i:0'],
    },
    { reason: 'numbers by size, not by text', wire: { 'v:10': {}, 'v:9': {}, 'v:-1': {} }, order: ['v:-1', 'v:9', 'v:10'] },
    { reason: 'numbers before strings before booleans', wire: { 'v:true': {}, 'v:"a"': {}, 'v:5': {} }, order: ['v:5', 'v:"a"', 'v:true'] },
    {
      reason: 'keys by value, whatever the quotes',
      wire: { 'k:{"n":"a"}': {}, 'k:{"n":"a!"}': {} },
      order: ['k:{"n":"a"}', 'k:{"n":"a!"}'],
    },
    {
      reason: 'UTF-8 order: beyond the BMP comes after all of it',
      wire: { 'f:\u{1f600}': {}, 'f:\uffee': {} },
      order: ['f:\uffee', 'f:\u{1f600}'],
    },
  ])('$reason', ({ wire, order }) => {
    expect(Object.keys(decodeFieldsV1(wire))).toEqual(order)
  })
})

describe('decodeFieldsV1', () => {
  it.each([
    { reason: 'nothing', wire: undefined, set: {} },
    { reason: 'a lone dot is a leaf', wire: { 'f:a': { '.': {} } }, set: { 'f:a': {} } },
    { reason: 'the whole object has no owner', wire: { '.': {}, 'f:a': {} }, set: { 'f:a': {} } },
    { reason: 'a dot after what it stands for', wire: { 'f:a': { 'f:b': {}, '.': {} } }, set: { 'f:a': { '.': {}, 'f:b': {} } } },
    {
      reason: 'what stands below a dot says nothing',
      wire: { 'f:a': { '.': { junk: 1 }, 'f:b': {} } },
      set: { 'f:a': { '.': {}, 'f:b': {} } },
    },
    { reason: 'nor does what stands in its place', wire: { 'f:a': { '.': 1, 'f:b': {} } }, set: { 'f:a': { '.': {}, 'f:b': {} } } },
    { reason: 'the same element, written twice', wire: { 'v:"x"': {}, 'v: "x"': { 'f:a': {} } }, set: { 'v:"x"': { 'f:a': {} } } },
    { reason: 'null is a leaf', wire: { 'f:a': null }, set: { 'f:a': {} } },
    { reason: 'unknown types of element are dropped', wire: { 'x:1': {}, 'f:a': { 'y:2': {} } }, set: { 'f:a': {} } },
    { reason: 'keys are put in order', wire: { 'k:{"b":1,"a":"x"}': {} }, set: { 'k:{"a":"x","b":1}': {} } },
    { reason: 'spaces go', wire: { 'k:{ "a" : 1 }': {}, 'v: "x"': {} }, set: { 'k:{"a":1}': {}, 'v:"x"': {} } },
    { reason: 'escapes as Kubernetes writes them', wire: { 'v:"a<b"': {} }, set: { 'v:"a\\u003cb"': {} } },
  ])('$reason', ({ wire, set }) => {
    expect(decodeFieldsV1(wire)).toEqual(set)
  })

  it.each([{ a: {} }, { __proto__x: {} }, { 'f:a': 'x' }, { 'v:{': {} }, { 'i:x': {} }, { 'k:[1]': {} }, []])('refuses %j', (wire) => {
    expect(() => decodeFieldsV1(wire)).toThrow(/\w/)
  })
})

it('formats paths as messages show them', () => {
  const set = setOfPaths(['f:spec', 'k:{"name":"a","port":80}', 'f:v'], ['f:spec', 'v:"x\\ny"'], ['f:spec', 'i:3'], ['f:data', 'f:a.b'])
  expect(formatPaths(set)).toEqual(['.data.a.b', '.spec[="x\\ny"]', '.spec[3]', '.spec[name="a",port=80].v'])
})
