import { StatusError } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { jsonPatch } from './json-patch.ts'

const document = { a: { b: 1, n: null }, list: ['x', 'y', 'z'], 'k/e~y': true }

function failure(act: () => unknown): StatusError['status'] {
  try {
    act()
  } catch (error) {
    if (error instanceof StatusError) return error.status
    throw error
  }
  throw new Error('did not fail')
}

describe('jsonPatch', () => {
  it.each([
    { reason: 'add a member', op: { op: 'add', path: '/a/c', value: 2 }, result: { ...document, a: { b: 1, n: null, c: 2 } } },
    { reason: 'add without value is null', op: { op: 'add', path: '/a/b' }, result: { ...document, a: { b: null, n: null } } },
    { reason: 'insert', op: { op: 'add', path: '/list/1', value: 'q' }, result: { ...document, list: ['x', 'q', 'y', 'z'] } },
    { reason: 'append', op: { op: 'add', path: '/list/-', value: 'q' }, result: { ...document, list: ['x', 'y', 'z', 'q'] } },
    { reason: 'append by length', op: { op: 'add', path: '/list/3', value: 'q' }, result: { ...document, list: ['x', 'y', 'z', 'q'] } },
    {
      reason: 'a negative index counts from behind the end',
      op: { op: 'add', path: '/list/-1', value: 'q' },
      result: { ...document, list: ['x', 'y', 'z', 'q'] },
    },
    { reason: 'remove a negative index', op: { op: 'remove', path: '/list/-3' }, result: { ...document, list: ['y', 'z'] } },
    { reason: 'replace', op: { op: 'replace', path: '/list/-1', value: 'q' }, result: { ...document, list: ['x', 'y', 'q'] } },
    {
      reason: 'replace of what is missing adds',
      op: { op: 'replace', path: '/a/new', value: 1 },
      result: { ...document, a: { b: 1, n: null, new: 1 } },
    },
    { reason: 'replace everything', op: { op: 'replace', path: '', value: { z: 1 } }, result: { z: 1 } },
    { reason: 'move', op: { op: 'move', from: '/a/b', path: '/c' }, result: { ...document, a: { n: null }, c: 1 } },
    { reason: 'copy', op: { op: 'copy', from: '/list/0', path: '/c' }, result: { ...document, c: 'x' } },
    { reason: 'copy of what is missing is null', op: { op: 'copy', from: '/a/none', path: '/c' }, result: { ...document, c: null } },
    { reason: 'escapes', op: { op: 'remove', path: '/k~1e~0y' }, result: { a: document.a, list: document.list } },
    {
      reason: 'what precedes the first slash is ignored',
      op: { op: 'add', path: 'x/a/b', value: 3 },
      result: { ...document, a: { b: 3, n: null } },
    },
    { reason: 'test', op: { op: 'test', path: '/a', value: { n: null, b: 1 } }, result: document },
    { reason: 'test of what is missing against null', op: { op: 'test', path: '/a/none', value: null }, result: document },
    { reason: 'test of null', op: { op: 'test', path: '/a/n' }, result: document },
    {
      reason: '__proto__ is a name',
      op: { op: 'add', path: '/__proto__', value: 1 },
      result: JSON.parse(`{"a":{"b":1,"n":null},"list":["x","y","z"],"k/e~y":true,"__proto__":1}`) as unknown,
    },
  ])('$reason', ({ op, result }) => {
    const before = JSON.stringify(document)
    const patched = jsonPatch(document, [op])
    expect(patched).toEqual(result)
    expect(JSON.stringify(patched)).toBe(JSON.stringify(patched))
    expect(Object.getPrototypeOf(patched)).toBe(Object.prototype)
    expect(JSON.stringify(document)).toBe(before)
  })

  it.each([
    { reason: 'test fails', op: { op: 'test', path: '/a/b', value: 2 } },
    { reason: 'missing parent', op: { op: 'add', path: '/x/y', value: 1 } },
    { reason: 'through null', op: { op: 'add', path: '/a/n/x', value: 1 } },
    { reason: 'through a scalar', op: { op: 'test', path: '/a/b/c', value: null } },
    { reason: 'remove nothing', op: { op: 'remove', path: '/a/none' } },
    { reason: 'remove an inherited name', op: { op: 'remove', path: '/constructor' } },
    { reason: 'past the end', op: { op: 'add', path: '/list/4', value: 1 } },
    { reason: 'before the start', op: { op: 'remove', path: '/list/-4' } },
    { reason: 'not an index', op: { op: 'remove', path: '/list/one' } },
    { reason: 'the place behind the end cannot be replaced', op: { op: 'replace', path: '/list/-', value: 1 } },
    { reason: 'add everything', op: { op: 'add', path: '', value: {} } },
    { reason: 'move nothing', op: { op: 'move', from: '/none', path: '/a/b' } },
    { reason: 'unknown operation', op: { op: 'frob', path: '/a' } },
    { reason: 'no operation', op: null },
    { reason: 'no path', op: { op: 'add', value: 1 } },
  ])('$reason: 422, and nothing is said about why', ({ op }) => {
    expect(failure(() => jsonPatch(document, [op]))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'the server rejected our request due to an error in our request',
      reason: 'Invalid',
      details: {},
      code: 422,
    })
  })

  it.each([
    { op: { op: 'add', path: '/x/y', value: 1 }, cause: 'add operation does not apply: doc is missing path: "/x/y": missing value' },
    { op: { op: 'remove', path: '/x/y' }, cause: 'remove operation does not apply: doc is missing path: "/x/y": missing value' },
    { op: { op: 'replace', path: '/x/y', value: 1 }, cause: 'replace operation does not apply: doc is missing path: /x/y: missing value' },
    { op: { op: 'test', path: '/x/y', value: 1 }, cause: 'test operation does not apply: is missing path: /x/y: missing value' },
    { op: { op: 'move', from: '/x/y', path: '/z' }, cause: 'move operation does not apply: doc is missing from path: /x/y: missing value' },
    {
      op: { op: 'copy', from: '/a', path: '/x/y' },
      cause: 'copy operation does not apply: doc is missing destination path: /x/y: missing value',
    },
  ])('keeps why $op.op leads nowhere, for the authors of policies', ({ op, cause }) => {
    expect(() => jsonPatch(document, [op])).toThrow(expect.objectContaining({ cause: expect.objectContaining({ message: cause }) }))
  })

  it.each([
    {
      operations: { op: 'add' },
      message: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    },
    { operations: ['x'], message: 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp' },
    {
      operations: [{ op: 1 }],
      message: 'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    },
  ])('$operations is not a patch', ({ operations, message }) => {
    expect(failure(() => jsonPatch(document, operations))).toMatchObject({ code: 400, reason: 'BadRequest', message })
  })

  it('limits the number of operations and what copies add', () => {
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a/b', value: 1 }))
    expect(failure(() => jsonPatch(document, many))).toMatchObject({
      code: 413,
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    })
    const doubling = Array.from({ length: 30 }, () => ({ op: 'copy', from: '/list', path: '/list/-' }))
    expect(failure(() => jsonPatch(document, doubling))).toMatchObject({ code: 422 })
  })

  it('shares what it does not touch, and no operations change nothing', () => {
    expect((jsonPatch(document, [{ op: 'add', path: '/c', value: 1 }]) as typeof document).list).toBe(document.list)
    expect(jsonPatch(document, [])).toBe(document)
    expect(jsonPatch(document, null)).toBe(document)
  })

  it('keeps a copy apart from what it was copied from', () => {
    const operations = [
      { op: 'add', path: '/a/x', value: 1 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/a/y', value: 2 },
      { op: 'add', path: '/b/l/-', value: 3 },
      { op: 'move', from: '/b', path: '/c' },
    ]
    const document = { a: { l: [1] } }
    expect(jsonPatch(document, operations)).toEqual({ a: { l: [1], x: 1, y: 2 }, c: { l: [1, 3], x: 1 } })
    expect(document, 'what was patched').toEqual({ a: { l: [1] } })
  })

  it('refuses a result that is nested too deeply, however short the patch', () => {
    const deeper = [
      { op: 'add', path: '/t', value: {} },
      { op: 'move', from: '/a', path: '/t/a' },
      { op: 'move', from: '/t', path: '/a' },
    ]
    expect(() => jsonPatch({ a: {} }, Array.from({ length: 600 }, () => deeper).flat())).toThrow()
  })

  it('refuses copies that double the document again and again', () => {
    const operations = Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '/a', path: `/a/c${i}` }))
    expect(() => jsonPatch({ a: { text: 'x'.repeat(100) } }, operations)).toThrow()
  })
})
