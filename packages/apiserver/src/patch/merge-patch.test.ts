import { StatusError } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergePatch } from './merge-patch.ts'

// One seed, so that a failure is the same for everybody; more runs find more.
const ALWAYS = { seed: 20260101, numRuns: 200 }

describe('mergePatch', () => {
  it.each([
    { reason: 'replaces and adds', document: { a: 1 }, patch: { a: 2, b: 3 }, result: { a: 2, b: 3 } },
    { reason: 'null removes', document: { a: 1, b: 2 }, patch: { a: null, c: null }, result: { b: 2 } },
    { reason: 'objects merge', document: { a: { b: 1, c: 2 } }, patch: { a: { c: null, d: 3 } }, result: { a: { b: 1, d: 3 } } },
    { reason: 'lists replace', document: { a: [1, 2] }, patch: { a: [3] }, result: { a: [3] } },
    { reason: 'nulls stay out of what is new', document: {}, patch: { a: { b: null, c: { d: null } } }, result: { a: { c: {} } } },
    { reason: 'also inside lists', document: { a: 1 }, patch: { a: [{ b: null, c: 1 }, null] }, result: { a: [{ c: 1 }, null] } },
    { reason: 'an object replaces a scalar', document: { a: 1 }, patch: { a: { b: null } }, result: { a: {} } },
    { reason: 'a scalar replaces an object', document: { a: { b: 1 } }, patch: { a: 1 }, result: { a: 1 } },
  ])('$reason', ({ document, patch, result }) => {
    const before = JSON.stringify(document)
    expect(mergePatch(document, patch)).toEqual(result)
    expect(JSON.stringify(document)).toBe(before)
  })

  it.each([
    { patch: null, message: 'Invalid JSON Patch' },
    { patch: [1], message: 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}' },
    { patch: 'x', message: 'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}' },
  ])('$patch is refused', ({ patch, message }) => {
    expect(() => mergePatch({}, patch)).toThrow(StatusError)
    expect(() => mergePatch({}, patch)).toThrow(message)
  })

  it('is idempotent, shares, and takes __proto__ as a name', () => {
    // Without lists: as in Kubernetes, nulls inside one stay when it replaces an object, and go when it replaces a list.
    const name = fc.constantFrom('a', 'b', '__proto__')
    const { json } = fc.letrec<{ json: Record<string, unknown>; value: unknown }>((tie) => ({
      json: fc.dictionary(name, tie('value'), { noNullPrototype: true, maxKeys: 3 }),
      value: fc.oneof({ maxDepth: 3 }, fc.constantFrom(null, 1, 'x'), tie('json')),
    }))
    fc.assert(
      fc.property(json, json, (document, patch) => {
        const once = mergePatch(document as object, patch) as object
        expect(mergePatch(once, patch)).toEqual(once)
        expect(mergePatch(document as object, {})).toBe(document)
        expect(Object.getPrototypeOf(once)).toBe(Object.prototype)
      }),
      ALWAYS,
    )
  })
})
