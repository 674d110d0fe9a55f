import type { Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { compareObjects } from './compare.ts'
import { formatPaths, setOfPaths } from '../fields/field-set.ts'
import { TypeMismatch } from './list-items.ts'
import { mergeValues } from './merge.ts'
import { reconcileSet } from './reconcile.ts'
import { extractPaths, removePaths } from './remove.ts'
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
    { reason: 'null is a value', spec: { text: null }, paths: ['.spec.text'] },
    {
      reason: 'items and their fields',
      spec: { named: [{ name: 'a', value: 'v' }] },
      paths: ['.spec.named[name="a"]', '.spec.named[name="a"].name', '.spec.named[name="a"].value'],
    },
  ])('$reason', ({ spec, paths }) => {
    expect(formatPaths(fieldSetOf(type, of(spec)))).toEqual(paths)
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

  it('shares what does not change', () => {
    const left = of({ map: { a: '1' }, named: items('a', 'b'), text: 'x' })
    expect(mergeValues(type, left, of({ map: { a: '1' }, named: items('a') }))).toBe(left)
    const changed = mergeValues(type, left, of({ text: 'y' })) as { spec: Members }
    expect(changed.spec['named']).toBe((left['spec'] as Members)['named'])
  })
})

describe('removePaths and extractPaths', () => {
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
  it('removes nothing that is not there, and then shares', () => {
    expect(removePaths(type, object, setOfPaths(['f:spec', 'f:number'], ['f:spec', 'f:map', 'f:z']))).toBe(object)
  })
  it('extracts', () => {
    expect(extractPaths(type, object, paths)).toEqual({ spec: { text: 'a', map: { a: '1' }, named: [{ value: '1' }, {}], set: ['x'] } })
  })
})

describe('reconcileSet', () => {
  it('gives the whole of what became atomic to who owned a part', () => {
    const set = setOfPaths(['f:spec', 'f:whole', 'f:a'], ['f:spec', 'f:list', 'v:"a"'], ['f:spec', 'f:map', 'f:k'])
    expect(formatPaths(reconcileSet(set, type))).toEqual(['.spec.list', '.spec.whole', '.spec.map.k'])
    const result = reconcileSet(set, type)
    expect(reconcileSet(result, type)).toBe(result)
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
    {
      reason: 'several',
      spec: { text: 1, flag: 2 },
      problem: 'errors:\n  .spec.text: expected string, got &value.valueUnstructured{Value:1}\n  .spec.flag: expected boolean, got &{2}',
    },
  ])('$reason', ({ spec, problem }) => {
    expect(validateApplied(type, of(spec))).toBe(problem)
  })
})
