import type { Schema } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareObjects } from './compare.ts'
import { formatPaths, setOfPaths } from '../fields/field-set.ts'
import { TypeMismatch } from './list-items.ts'
import { mergeValues } from './merge.ts'
import { reconcileSet } from './reconcile.ts'
import { removePaths, settleEmptied } from './remove.ts'
import { fieldSetOf } from './to-field-set.ts'
import { deducedType, rootType } from './type.ts'
import { validateApplied } from './validate.ts'
import type { Members } from './value.ts'

const named: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string' } } },
}
const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        number: { type: 'integer' },
        flag: { type: 'boolean' },
        struct: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'string' } } },
        list: { type: 'array', items: { type: 'string' } },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        named,
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['protocol', 'port'],
          items: { type: 'object', properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } } },
        },
        port: { 'x-kubernetes-int-or-string': true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        inner: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
}
const type = rootType(schema)
const of = (spec: unknown): Members => ({ apiVersion: 'g/v1', kind: 'K', metadata: { name: 'n' }, spec })

describe('compareObjects', () => {
  const table: { reason: string; from: unknown; to: unknown; added?: string[]; modified?: string[]; removed?: string[] }[] = [
    {
      reason: 'equal parts are no change',
      from: { text: 'a', list: ['x'], map: { k: 'v' } },
      to: { map: { k: 'v' }, list: ['x'], text: 'a' },
    },
    { reason: 'a scalar', from: { text: 'a' }, to: { text: 'b' }, modified: ['.spec.text'] },
    { reason: 'what comes as a whole comes with its containers', from: {}, to: { map: { k: 'v' } }, added: ['.spec.map', '.spec.map.k'] },
    { reason: 'what goes as a whole goes with them', from: { map: { k: 'v' } }, to: {}, removed: ['.spec.map', '.spec.map.k'] },
    {
      reason: 'a member leaves its map alone',
      from: { map: { k: 'v' } },
      to: { map: { l: 'v' } },
      added: ['.spec.map.l'],
      removed: ['.spec.map.k'],
    },
    { reason: 'atomic maps are leaves', from: { whole: { a: 'x' } }, to: { whole: { a: 'y' } }, modified: ['.spec.whole'] },
    { reason: 'so are lists unless told otherwise', from: { list: ['a'] }, to: { list: ['a', 'b'] }, modified: ['.spec.list'] },
    {
      reason: 'sets by value, whatever the order',
      from: { set: ['a', 'b'] },
      to: { set: ['b', 'c'] },
      added: ['.spec.set[="c"]'],
      removed: ['.spec.set[="a"]'],
    },
    {
      reason: 'list items by key',
      from: {
        named: [
          { name: 'a', value: '1' },
          { name: 'b', value: '1' },
        ],
      },
      to: {
        named: [
          { name: 'b', value: '2' },
          { name: 'a', value: '1' },
        ],
      },
      modified: ['.spec.named[name="b"].value'],
    },
    {
      reason: 'a key that is absent has its default',
      from: { ports: [{ port: 1 }] },
      to: { ports: [{ port: 1, protocol: 'TCP' }] },
      added: ['.spec.ports[port=1,protocol="TCP"].protocol'],
    },
    { reason: 'int-or-string changes shape but stays a leaf', from: { port: 1 }, to: { port: 'http' }, modified: ['.spec.port'] },
    {
      reason: 'unknown fields: maps granular',
      from: { free: { a: { b: 1 } } },
      to: { free: { a: { b: 1, c: 2 } } },
      added: ['.spec.free.a.c'],
    },
    {
      reason: 'unknown fields: lists are leaves',
      from: { free: { a: [{ b: 1 }] } },
      to: { free: { a: [{ b: 2 }] } },
      modified: ['.spec.free.a'],
    },
    {
      reason: 'an unknown field changes from map to scalar',
      from: { free: { a: { b: 1 } } },
      to: { free: { a: 1 } },
      modified: ['.spec.free.a'],
      removed: ['.spec.free.a.b'],
    },
    {
      reason: 'an unknown field changes from scalar to map',
      from: { free: { a: 1 } },
      to: { free: { a: { b: 1 } } },
      added: ['.spec.free.a.b'],
      modified: ['.spec.free.a'],
    },
    {
      reason: 'an unknown field changes from list to map',
      from: { free: { a: [1] } },
      to: { free: { a: { b: 1 } } },
      added: ['.spec.free.a.b'],
      modified: ['.spec.free.a'],
    },
    {
      reason: 'an unknown field changes from list to scalar',
      from: { free: { a: [1] } },
      to: { free: { a: 1 } },
      modified: ['.spec.free.a'],
    },
    { reason: 'null becomes a scalar', from: { text: null }, to: { text: 'a' }, modified: ['.spec.text'] },
    { reason: 'null becomes a map', from: { map: null }, to: { map: { k: 'v' } }, added: ['.spec.map.k'] },
    { reason: 'a set becomes null', from: { set: ['a'] }, to: { set: null }, removed: ['.spec.set[="a"]'] },
    { reason: 'an empty set becomes null', from: { set: [] }, to: { set: null }, modified: ['.spec.set'] },
    { reason: 'equal lists and structs are no change', from: { named: [{ name: 'a' }], set: [] }, to: { named: [{ name: 'a' }], set: [] } },
    {
      reason: 'items that come as a whole come with all that is in them',
      from: {},
      to: { named: [{ name: 'a', value: 'x' }], set: [], list: [], whole: { a: 'x' } },
      added: [
        '.spec.list',
        '.spec.named',
        '.spec.set',
        '.spec.whole',
        '.spec.named[name="a"]',
        '.spec.named[name="a"].name',
        '.spec.named[name="a"].value',
      ],
    },
    {
      reason: 'repeated items that come are one leaf',
      from: {},
      to: { named: [{ name: 'a', value: 'x' }, { name: 'a' }] },
      added: ['.spec.named', '.spec.named[name="a"]'],
    },
    {
      reason: 'an item that begins to be repeated goes as it was',
      from: { named: [{ name: 'a' }] },
      to: { named: [{ name: 'a' }, { name: 'a' }] },
      added: ['.spec.named[name="a"]'],
      removed: ['.spec.named[name="a"]', '.spec.named[name="a"].name'],
    },
    { reason: 'repeated items go as one leaf', from: { set: ['a', 'a', 'b'] }, to: { set: ['b'] }, removed: ['.spec.set[="a"]'] },
    { reason: 'repeated items that stay as they are', from: { set: ['a', 'a', 'b'] }, to: { set: ['b', 'a', 'a'] } },
    { reason: 'what the schema does not know', from: {}, to: { unknown: 1 } },
    { reason: 'undefined is absent', from: { text: undefined, number: 1 }, to: { flag: undefined, number: 1 } },
    { reason: 'undefined comes', from: { text: undefined }, to: { text: 'a' }, added: ['.spec.text'] },
    { reason: 'undefined goes', from: { map: { k: 'v' } }, to: { map: { k: undefined } }, removed: ['.spec.map.k'] },
    { reason: 'null and empty differ', from: { map: {} }, to: { map: null }, modified: ['.spec.map'] },
    {
      reason: 'an embedded object has typed metadata',
      from: { inner: { metadata: { finalizers: ['a'] } } },
      to: { inner: { metadata: { finalizers: ['a', 'b'] } } },
      added: ['.spec.inner.metadata.finalizers[="b"]'],
    },
    { reason: 'repeated items are one leaf', from: { set: ['a', 'a'] }, to: { set: ['a', 'a', 'a'] }, modified: ['.spec.set[="a"]'] },
    {
      reason: 'an item that stops being repeated comes anew',
      from: { named: [{ name: 'a' }, { name: 'a' }] },
      to: { named: [{ name: 'a' }] },
      added: ['.spec.named[name="a"]', '.spec.named[name="a"].name'],
      removed: ['.spec.named[name="a"]'],
    },
    {
      reason: 'user keys that Object.prototype has',
      from: { map: {} },
      to: { map: JSON.parse('{"__proto__":"x","constructor":"y"}') as unknown },
      added: ['.spec.map.__proto__', '.spec.map.constructor'],
    },
  ]
  it.each(table)('$reason', ({ from, to, added = [], modified = [], removed = [] }) => {
    const comparison = compareObjects(type, of(from), of(to))
    expect({
      added: formatPaths(comparison.added),
      modified: formatPaths(comparison.modified),
      removed: formatPaths(comparison.removed),
    }).toEqual({
      added,
      modified,
      removed,
    })
  })

  it('leaves out what belongs to the server', () => {
    const next = {
      apiVersion: 'g/v2',
      kind: 'L',
      metadata: { name: 'x', uid: '1', resourceVersion: '2', generation: 3, creationTimestamp: 't', labels: { a: 'b' } },
    }
    const comparison = compareObjects(type, { apiVersion: 'g/v1', kind: 'K' }, next)
    expect(formatPaths(comparison.added)).toEqual(['.metadata.labels', '.metadata.labels.a'])
  })

  it('takes value structs of built-in kinds as always there', () => {
    const builtIn = rootType(
      {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            default: {},
            properties: { a: { type: 'string' }, inner: { type: 'object', default: {}, properties: { b: { type: 'string' } } } },
          },
        },
      },
      { builtIn: true },
    )
    expect(formatPaths(compareObjects(builtIn, {}, { spec: { a: 'x', inner: { b: 'y' } } }).added)).toEqual(['.spec.a', '.spec.inner.b'])
    expect(formatPaths(compareObjects(builtIn, { spec: { a: 'x' } }, {}).removed)).toEqual(['.spec.a'])
    const items: Schema = {
      type: 'object',
      properties: {
        all: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { a: { type: 'string' }, inner: { type: 'object', default: {} } } },
        },
      },
    }
    expect(formatPaths(compareObjects(rootType(items, { builtIn: true }), {}, { all: { x: { a: 'y' } } }).added)).toEqual([
      '.all',
      '.all.x',
      '.all.x.a',
      '.all.x.inner',
    ])
    const filled = { all: { x: { inner: { b: 'y' } } } }
    expect(formatPaths(compareObjects(rootType(items, { builtIn: true }), {}, filled).added)).toEqual([
      '.all',
      '.all.x',
      '.all.x.inner',
      '.all.x.inner.b',
    ])
  })

  it('cannot track items without their key', () => {
    expect(() => compareObjects(type, of({}), of({ named: [{ value: 'x' }] }))).toThrow(TypeMismatch)
  })
})

describe('fieldSetOf', () => {
  it.each([
    {
      reason: 'declared fields speak through what they hold',
      spec: { struct: { a: 'x' }, text: 't' },
      paths: ['.spec.text', '.spec.struct.a'],
    },
    { reason: 'map members speak for themselves', spec: { free: { a: { b: 1 } } }, paths: ['.spec.free.a', '.spec.free.a.b'] },
    { reason: 'an empty map is meant', spec: { map: {} }, paths: ['.spec.map'] },
    { reason: 'an empty associative list says nothing', spec: { set: [], named: [] }, paths: [] },
    { reason: 'an empty atomic list is a value', spec: { list: [] }, paths: ['.spec.list'] },
    { reason: 'null is a value', spec: { text: null, map: null, set: null }, paths: ['.spec.map', '.spec.set', '.spec.text'] },
    { reason: 'undefined is none, and leaves a map empty', spec: { text: undefined, free: { a: undefined } }, paths: ['.spec.free'] },
    { reason: "what the schema does not know is nobody's", spec: { unknown: 1, text: 'a' }, paths: ['.spec.text'] },
    { reason: 'atomic maps and lists as a whole', spec: { whole: { a: 'x' }, list: ['a'] }, paths: ['.spec.list', '.spec.whole'] },
    { reason: 'repeated items as one', spec: { named: [{ name: 'a' }, { name: 'a', value: 'x' }] }, paths: ['.spec.named[name="a"]'] },
    { reason: 'what is empty on purpose', spec: { free: { a: {} }, inner: {} }, paths: ['.spec.inner', '.spec.free.a'] },
    {
      reason: 'items and their fields',
      spec: { named: [{ name: 'a', value: 'v' }] },
      paths: ['.spec.named[name="a"]', '.spec.named[name="a"].name', '.spec.named[name="a"].value'],
    },
  ])('$reason', ({ spec, paths }) => {
    expect(formatPaths(fieldSetOf(type, of(spec)))).toEqual(paths)
  })

  it('leaves out what belongs to the server', () => {
    const metadata = { name: 'n', uid: '1', resourceVersion: '2', managedFields: [], labels: { a: 'b' }, finalizers: ['f'] }
    expect(formatPaths(fieldSetOf(type, { apiVersion: 'g/v1', kind: 'K', metadata }))).toEqual([
      '.metadata.finalizers[="f"]',
      '.metadata.labels.a',
    ])
    expect(formatPaths(fieldSetOf(type, { metadata: {} }))).toEqual([])
  })
})

describe('mergeValues', () => {
  const items = (...names: string[]): { name: string }[] => names.map((name) => ({ name }))
  it.each([
    { reason: 'leaves from the right', left: { text: 'a', number: 1 }, right: { text: 'b' }, result: { text: 'b', number: 1 } },
    {
      reason: 'maps merge',
      left: { map: { a: '1', b: '2' } },
      right: { map: { b: '3', c: '4' } },
      result: { map: { a: '1', b: '3', c: '4' } },
    },
    { reason: 'atomic maps do not', left: { whole: { a: '1' } }, right: { whole: {} }, result: { whole: {} } },
    { reason: 'nor do atomic lists', left: { list: ['a', 'b'] }, right: { list: ['c'] }, result: { list: ['c'] } },
    {
      reason: 'new items come where the right has them',
      left: { named: items('a', 'c') },
      right: { named: items('a', 'b', 'c') },
      result: { named: items('a', 'b', 'c') },
    },
    {
      reason: 'the order of the right wins for what both have',
      left: { set: ['a', 'b', 'c'] },
      right: { set: ['c', 'a'] },
      result: { set: ['b', 'c', 'a'] },
    },
    {
      reason: 'items of the left alone keep their place',
      left: { set: ['x', 'a', 'y', 'b'] },
      right: { set: ['a', 'b'] },
      result: { set: ['x', 'a', 'y', 'b'] },
    },
    {
      reason: 'repeated items of the left are replaced by the one of the right',
      left: {
        named: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
      right: { named: items('a') },
      result: { named: items('a') },
    },
    {
      reason: 'items merge',
      left: { named: [{ name: 'a', value: '1' }] },
      right: { named: items('a') },
      result: { named: [{ name: 'a', value: '1' }] },
    },
    {
      reason: 'new items come after what they follow on the right',
      left: { set: ['a', 'x', 'b'] },
      right: { set: ['a', 'n', 'b', 'm'] },
      result: { set: ['a', 'x', 'n', 'b', 'm'] },
    },
    { reason: 'an empty list says nothing about what is in it', left: { set: ['a'] }, right: { set: [] }, result: { set: ['a'] } },
    { reason: 'nor does null', left: { set: ['a'] }, right: { set: null }, result: { set: ['a'] } },
    {
      reason: 'into null',
      left: { set: null, map: null },
      right: { set: ['a'], map: { k: 'v' } },
      result: { set: ['a'], map: { k: 'v' } },
    },
    {
      reason: 'null replaces what is empty',
      left: { set: [], map: {} },
      right: { set: null, map: null },
      result: { set: null, map: null },
    },
    { reason: 'undefined says nothing', left: { text: 'a' }, right: { text: undefined, number: 1 }, result: { text: 'a', number: 1 } },
    { reason: 'null replaces a scalar', left: { text: 'a' }, right: { text: null }, result: { text: null } },
    { reason: 'null says nothing about what is in a map', left: { map: { a: '1' } }, right: { map: null }, result: { map: { a: '1' } } },
    {
      reason: 'an unknown field takes the shape of the right',
      left: { free: { a: { b: 1 } } },
      right: { free: { a: [1] } },
      result: { free: { a: [1] } },
    },
  ])('$reason', ({ left, right, result }) => {
    expect((mergeValues(type, of(left), of(right)) as Members)['spec']).toEqual(result)
  })

  it('of lists holds each item once, and keeps the order of the right, and of the left where the right has none', () => {
    const letters = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 })
    fc.assert(
      fc.property(letters, letters, (left, right) => {
        const { set } = (mergeValues(type, of({ set: left }), of({ set: right })) as { spec: { set: string[] } }).spec
        expect(set.toSorted()).toEqual([...new Set([...left, ...right])].sort())
        expect(set.filter((item) => right.includes(item))).toEqual(right)
        expect(set.filter((item) => !right.includes(item))).toEqual(left.filter((item) => !right.includes(item)))
      }),
      { seed: 20260101, numRuns: 300 },
    )
  })

  it('shares what does not change', () => {
    const left = of({ map: { a: '1' }, named: items('a', 'b'), text: 'x' })
    expect(mergeValues(type, left, of({ map: { a: '1' }, named: items('a') }))).toBe(left)
    const changed = mergeValues(type, left, of({ text: 'y' })) as { spec: Members }
    expect(changed.spec['named']).toBe((left['spec'] as Members)['named'])
  })
})

describe('removePaths', () => {
  const object = of({ text: 'a', map: { a: '1', b: '2' }, named: [{ name: 'a', value: '1' }, { name: 'b' }], set: ['x', 'y'] })
  const paths = setOfPaths(
    ['f:spec', 'f:text'],
    ['f:spec', 'f:map', 'f:a'],
    ['f:spec', 'f:named', 'k:{"name":"b"}'],
    ['f:spec', 'f:named', 'k:{"name":"a"}', 'f:value'],
    ['f:spec', 'f:set', 'v:"x"'],
  )

  it('removes', () => {
    expect((removePaths(type, object, paths) as Members)['spec']).toEqual({ map: { b: '2' }, named: [{ name: 'a' }], set: ['y'] })
  })
  it('leaves atomic parts alone, and marks what it emptied', () => {
    const inside = setOfPaths(['f:spec', 'f:whole', 'f:a'], ['f:spec', 'f:list', 'v:"a"'], ['f:spec', 'f:text', 'f:x'])
    const whole = of({ whole: { a: 'x' }, list: ['a'], text: 'a' })
    expect(removePaths(type, whole, inside)).toBe(whole)
    const all = setOfPaths(['f:spec', 'f:map', 'f:a'], ['f:spec', 'f:set', 'v:"x"'], ['f:spec', 'f:named', 'k:{"name":"a"}', 'f:name'])
    const emptied = removePaths(type, of({ map: { a: '1' }, set: ['x'], named: [{ name: 'a' }], text: 'a' }), all)
    expect((settleEmptied(emptied, false) as Members)['spec']).toEqual({ map: null, set: null, named: [null], text: 'a' })
    expect((settleEmptied(emptied, true) as Members)['spec']).toEqual({ named: [{}], text: 'a' })
    const empty = of({ map: {}, set: [], named: [{}] })
    expect(settleEmptied(empty, true)).toBe(empty)
  })
  it('removes nothing that is not there, and then shares', () => {
    expect(removePaths(type, object, setOfPaths(['f:spec', 'f:number'], ['f:spec', 'f:map', 'f:z']))).toBe(object)
  })
})

describe('reconcileSet', () => {
  it('gives the whole of what became atomic to who owned a part', () => {
    const set = setOfPaths(['f:spec', 'f:whole', 'f:a'], ['f:spec', 'f:list', 'v:"a"'], ['f:spec', 'f:map', 'f:k'])
    expect(formatPaths(reconcileSet(set, type))).toEqual(['.spec.list', '.spec.whole', '.spec.map.k'])
    const result = reconcileSet(set, type)
    expect(reconcileSet(result, type)).toBe(result)
  })
  it('looks into lists and maps, and leaves alone what is as it was', () => {
    const deep = rootType({
      type: 'object',
      properties: {
        named: { ...named, items: { type: 'object', properties: { name: { type: 'string' }, list: { type: 'array' } } } },
        any: {},
      },
    })
    const inList = setOfPaths(['f:named', 'k:{"name":"a"}', 'f:list', 'i:0'], ['f:named', 'k:{"name":"a"}'])
    expect(formatPaths(reconcileSet(inList, deep))).toEqual(['.named[name="a"]', '.named[name="a"].list'])
    const inMap = setOfPaths(['f:metadata', 'f:ownerReferences', 'k:{"uid":"1"}', 'f:name'])
    expect(formatPaths(reconcileSet(inMap, deep))).toEqual(['.metadata.ownerReferences[uid="1"]'])
    for (const same of [
      setOfPaths(['f:any', 'f:x', 'f:y']),
      setOfPaths(['f:unknown', 'f:x']),
      setOfPaths(['f:named', 'k:{"name":"a"}', 'f:list']),
      setOfPaths(['f:named', 'k:{"name":"a"}', 'f:name', 'f:below']),
    ])
      expect(reconcileSet(same, deep)).toBe(same)
  })
  it('knows nothing of changes without a schema', () => {
    const set = setOfPaths(['f:spec', 'f:a', 'f:b'])
    expect(reconcileSet(set, deducedType)).toBe(set)
  })
})

describe('validateApplied', () => {
  it.each([
    {
      reason: 'fine',
      spec: { text: 'a', number: 1, flag: true, port: 'x', free: { any: [1] }, named: [{ name: 'a' }] },
      problem: undefined,
    },
    { reason: 'null fits everything', spec: { text: null, number: null, named: null, map: null }, problem: undefined },
    { reason: 'string', spec: { text: 1 }, problem: '.spec.text: expected string, got &value.valueUnstructured{Value:1}' },
    { reason: 'number', spec: { number: 'x' }, problem: '.spec.number: expected numeric (int or float), got string' },
    { reason: 'boolean', spec: { flag: 'x' }, problem: '.spec.flag: expected boolean, got &{x}' },
    { reason: 'map', spec: { map: [1, 'a'] }, problem: '.spec.map: expected map, got &{[1 a]}' },
    { reason: 'list', spec: { list: { b: 1, a: 'x' } }, problem: '.spec.list: expected list, got &{map[a:x b:1]}' },
    { reason: 'unknown', spec: { nope: 1 }, problem: '.spec.nope: field not declared in schema' },
    { reason: 'duplicate in a set', spec: { set: ['a', 'a'] }, problem: '.spec.set: duplicate entries for key [="a"]' },
    {
      reason: 'duplicate key',
      spec: { named: [{ name: 'a' }, { name: 'a' }] },
      problem: '.spec.named: duplicate entries for key [name="a"]',
    },
    {
      reason: 'no key',
      spec: { named: [{ value: 'a' }] },
      problem:
        '.spec.named: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    },
    { reason: 'null in a set', spec: { set: [null] }, problem: expect.stringContaining('.spec.set: element 0') },
    { reason: 'a list in a set', spec: { set: ['a', ['a']] }, problem: expect.stringContaining('.spec.set: element 1') },
    { reason: 'a map in a set', spec: { set: [{}] }, problem: expect.stringContaining('.spec.set: element 0') },
    { reason: 'null among items', spec: { named: [null] }, problem: expect.stringContaining('.spec.named: element 0') },
    { reason: 'text among items', spec: { named: ['a'] }, problem: expect.stringContaining('.spec.named: element 0') },
    {
      reason: 'inside of items',
      spec: { named: [{ name: 'a', value: 1 }] },
      problem: expect.stringContaining('.spec.named[name="a"].value: '),
    },
    { reason: 'inside of atomic lists', spec: { list: ['a', 1] }, problem: expect.stringContaining('.spec.list[1]: ') },
    { reason: 'a key is null', spec: { ports: [{ port: null }] }, problem: undefined },
    { reason: 'a key has its default', spec: { ports: [{}, { protocol: 'UDP' }] }, problem: undefined },
    {
      reason: 'the same key, once by default',
      spec: { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
      problem: '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
    },
    { reason: 'any scalar', spec: { port: 1.5, text: 'a', number: 9007199254740993n }, problem: undefined },
    { reason: 'undefined is absent', spec: { nope: undefined }, problem: undefined },
    {
      reason: 'several',
      spec: { text: 1, flag: 2 },
      problem: 'errors:\n  .spec.text: expected string, got &value.valueUnstructured{Value:1}\n  .spec.flag: expected boolean, got &{2}',
    },
  ])('$reason', ({ spec, problem }) => {
    expect(validateApplied(type, of(spec))).toEqual(problem)
  })
})
