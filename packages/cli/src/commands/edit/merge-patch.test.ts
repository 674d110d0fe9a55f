import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergePatchOf } from './merge-patch.ts'

/** RFC 7386, as it is written there. */
function applied(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Record<string, unknown> = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = applied(result[key], value)
  }
  return result
}

const value = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.integer(),
    fc.string(),
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('tree')),
  ),
})).tree
const document = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value)

describe('the merge patch of an edit', () => {
  it('makes of the old object exactly the new one, and is none when they are equal', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        const patch = mergePatchOf(before, after)
        expect(applied(before, patch ?? {})).toEqual(after)
        expect(mergePatchOf(before, structuredClone(before))).toBeUndefined()
      }),
    )
  })

  it('removes, adds and replaces', () => {
    expect(mergePatchOf({ a: 1, b: { c: 1, d: [1] } }, { b: { c: 2, d: [1, 2] }, e: 5 })).toEqual({ a: null, b: { c: 2, d: [1, 2] }, e: 5 })
  })
})
