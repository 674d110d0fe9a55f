import { type Schema, StatusError } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { strategicMergePatch } from './strategic-merge-patch.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        strategy: {
          type: 'object',
          'x-kubernetes-patch-strategy': 'retainKeys',
          properties: { type: { type: 'string' }, rolling: { type: 'object' } },
        },
        whole: { type: 'object', 'x-kubernetes-patch-strategy': 'replace' },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        args: { type: 'array', items: { type: 'string' } },
        names: { type: 'array', items: { type: 'string' }, 'x-kubernetes-patch-strategy': 'merge' },
        keyless: { type: 'array', items: { type: 'object' }, 'x-kubernetes-patch-strategy': 'merge' },
        items: {
          type: 'array',
          'x-kubernetes-patch-strategy': 'merge',
          'x-kubernetes-patch-merge-key': 'name',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              env: {
                type: 'array',
                items: { type: 'object' },
                'x-kubernetes-patch-strategy': 'merge',
                'x-kubernetes-patch-merge-key': 'name',
              },
            },
          },
        },
      },
    },
  },
}

const item = (name: string, more: object = {}): object => ({ name, ...more })
const patched = (spec: object, patch: object): unknown => strategicMergePatch({ spec } as never, { spec: patch }, schema)['spec']

function failure(act: () => unknown): StatusError['status'] {
  try {
    act()
  } catch (error) {
    if (error instanceof StatusError) return error.status
    throw error
  }
  throw new Error('did not fail')
}

describe('strategicMergePatch', () => {
  it.each([
    {
      reason: 'maps merge, null removes',
      spec: { map: { a: '1', b: '2' } },
      patch: { map: { a: null, c: '3' } },
      result: { map: { b: '2', c: '3' } },
    },
    { reason: 'null for something absent does nothing', spec: {}, patch: { map: null }, result: {} },
    { reason: 'nulls stay out of what is new', spec: {}, patch: { map: { a: null, b: '1' } }, result: { map: { b: '1' } } },
    { reason: 'lists without a strategy are replaced', spec: { args: ['a', 'b'] }, patch: { args: ['c'] }, result: { args: ['c'] } },
    {
      reason: 'objects with strategy replace are replaced',
      spec: { whole: { a: 1 } },
      patch: { whole: { b: 2 } },
      result: { whole: { b: 2 } },
    },
    { reason: 'scalar lists merge', spec: { names: ['a', 'b'] }, patch: { names: ['c', 'a'] }, result: { names: ['c', 'a', 'b'] } },
    {
      reason: 'items merge by key',
      spec: { items: [item('a', { v: 1 }), item('b')] },
      patch: { items: [item('a', { w: 2 }), item('c')] },
      result: { items: [item('a', { v: 1, w: 2 }), item('c'), item('b')] },
    },
    {
      reason: 'lists inside items merge',
      spec: { items: [item('a', { env: [item('X', { v: 1 })] })] },
      patch: { items: [item('a', { env: [item('Y')] })] },
      result: { items: [item('a', { env: [item('Y'), item('X', { v: 1 })] })] },
    },
    {
      reason: '$patch: delete takes an item away',
      spec: { items: [item('a'), item('b')] },
      patch: { items: [item('a', { $patch: 'delete' })] },
      result: { items: [item('b')] },
    },
    {
      reason: '$patch: delete of what is not there',
      spec: { items: [item('b')] },
      patch: { items: [item('a', { $patch: 'delete' })] },
      result: { items: [item('b')] },
    },
    {
      reason: '$patch: replace in a list',
      spec: { items: [item('a'), item('b')] },
      patch: { items: [item('c'), { $patch: 'replace' }] },
      result: { items: [item('c')] },
    },
    {
      reason: '$patch: replace of an object',
      spec: { map: { a: '1' } },
      patch: { map: { $patch: 'replace', b: '2' } },
      result: { map: { b: '2' } },
    },
    { reason: '$patch: delete of an object', spec: { map: { a: '1' } }, patch: { map: { $patch: 'delete' } }, result: { map: {} } },
    {
      reason: 'a directive about nothing leaves nothing',
      spec: {},
      patch: { map: { $patch: 'delete' }, items: [item('a', { $patch: 'delete' })] },
      result: { items: [] },
    },
    {
      reason: '$deleteFromPrimitiveList',
      spec: { names: ['a', 'b', 'c'] },
      patch: { '$deleteFromPrimitiveList/names': ['b', 'x'] },
      result: { names: ['a', 'c'] },
    },
    { reason: '$deleteFromPrimitiveList of nothing', spec: {}, patch: { '$deleteFromPrimitiveList/names': ['b'] }, result: {} },
    {
      reason: '$retainKeys',
      spec: { strategy: { type: 'Rolling', rolling: { a: 1 } } },
      patch: { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      result: { strategy: { type: 'Recreate' } },
    },
    {
      reason: '$setElementOrder orders what is there',
      spec: { items: [item('a'), item('b'), item('c')] },
      patch: { '$setElementOrder/items': [item('c'), item('a')] },
      result: { items: [item('b'), item('c'), item('a')] },
    },
    {
      reason: '$setElementOrder with items',
      spec: { items: [item('a'), item('server'), item('b')] },
      patch: { '$setElementOrder/items': [item('b'), item('new'), item('a')], items: [item('new')] },
      result: { items: [item('server'), item('b'), item('new'), item('a')] },
    },
    {
      reason: '$setElementOrder of scalars',
      spec: { names: ['a', 'b'] },
      patch: { '$setElementOrder/names': ['c', 'b', 'a'], names: ['c'] },
      result: { names: ['c', 'b', 'a'] },
    },
    {
      reason: 'new items take the places of deleted ones',
      spec: { items: [item('main'), item('x'), item('gone')] },
      patch: { '$setElementOrder/items': [item('gone'), item('new')], items: [item('gone', { $patch: 'delete' }), item('new')] },
      result: { items: [item('main'), item('x'), item('new')] },
    },
    { reason: 'another type replaces', spec: { map: { a: '1' } }, patch: { map: 'x' }, result: { map: 'x' } },
  ])('$reason', ({ spec, patch, result }) => {
    const before = JSON.stringify([spec, patch])
    expect(patched(spec, patch)).toEqual(result)
    expect(JSON.stringify([spec, patch])).toBe(before)
  })

  it('knows metadata of every kind', () => {
    const document = { metadata: { finalizers: ['a'], ownerReferences: [{ uid: '1', name: 'x' }] } }
    const patch = { metadata: { finalizers: ['b'], ownerReferences: [{ uid: '1', name: 'y' }, { uid: '2' }] } }
    expect(strategicMergePatch(document, patch, { type: 'object' })).toEqual({
      metadata: { finalizers: ['b', 'a'], ownerReferences: [{ uid: '1', name: 'y' }, { uid: '2' }] },
    })
  })

  it('shares what it does not change', () => {
    const document = { spec: { map: { a: '1' }, items: [item('a')] } }
    expect(strategicMergePatch(document as never, { spec: { map: { a: '1' }, items: [item('a')] } }, schema)).toBe(document)
    expect(strategicMergePatch(document as never, null, schema)).toBe(document)
  })

  it.each([
    {
      reason: 'a list',
      document: {},
      patch: [1],
      code: 400,
      message: 'json: cannot unmarshal array into Go value of type map[string]interface {}',
    },
    {
      reason: 'an unknown directive',
      document: { map: {} },
      patch: { map: { $patch: 'frob' } },
      code: 500,
      message: 'unknown patch type: frob in map: map[$patch:frob]',
    },
    {
      reason: '$patch: merge in a list',
      document: { items: [item('a')] },
      patch: { items: [item('a', { $patch: 'merge' })] },
      code: 500,
      message: 'merging lists cannot yet be specified in the patch',
    },
    {
      reason: 'no merge key',
      document: { items: [item('a')] },
      patch: { items: [{ v: 'x' }] },
      code: 500,
      message: 'map: map[v:x] does not contain declared merge key: name',
    },
    {
      reason: 'objects without a merge key',
      document: { keyless: [{}] },
      patch: { keyless: [{}] },
      code: 500,
      message: 'cannot merge lists without merge key for struct',
    },
    {
      reason: 'mixed items',
      document: { names: ['a'] },
      patch: { names: [1] },
      code: 500,
      message: 'list element types are not identical: [[a] [1]]',
    },
    {
      reason: 'lists of lists',
      document: { names: [] },
      patch: { names: [['a']] },
      code: 422,
      message: 'the server rejected our request due to an error in our request',
    },
    {
      reason: 'bad deletion',
      document: {},
      patch: { $deleteFromPrimitiveListnames: ['a'] },
      code: 400,
      message: 'invalid patch format of primitive list',
    },
    {
      reason: 'bad order',
      document: {},
      patch: { $setElementOrder: [] },
      code: 400,
      message: 'invalid patch format of setElementOrder list',
    },
    {
      reason: 'order that is no list',
      document: {},
      patch: { '$setElementOrder/names': 'x' },
      code: 500,
      message: 'expected a []interface {}, but received a string',
    },
    {
      reason: 'bad retainKeys',
      document: {},
      patch: { strategy: { $retainKeys: 'x' } },
      code: 400,
      message: 'invalid patch format of retainKeys',
      existing: true,
    },
    {
      reason: 'more than retainKeys allows',
      document: { strategy: {} },
      patch: { strategy: { $retainKeys: ['a'], b: 1 } },
      code: 400,
      message: 'invalid patch format of retainKeys',
    },
    {
      reason: 'items against the order',
      document: { items: [] },
      patch: { '$setElementOrder/items': [item('a'), item('b')], items: [item('b'), item('a')] },
      code: 500,
      message: "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
    },
  ])('refuses $reason', ({ document, patch, code, message, existing }) => {
    const spec = existing === true ? { strategy: {} } : document
    const failed = failure(() => strategicMergePatch({ spec } as never, Array.isArray(patch) ? patch : { spec: patch }, schema))
    expect(failed).toMatchObject({ code, message })
  })

  it('is not for kinds without a schema of their own', () => {
    expect(() => strategicMergePatch({}, {}, undefined)).toThrow('strategic merge patch format is not supported')
  })
})
