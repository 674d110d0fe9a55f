import { describe, expect, it } from 'vitest'
import { sharedFields } from './shared-fields.ts'

const owned = (uid: string): Record<string, object> => ({
  'f:metadata': { 'f:labels': { 'f:app': {} }, 'f:ownerReferences': { [`k:{"uid":"${uid}"}`]: {} } },
  'f:spec': { '.': {}, 'f:size': {} },
})

describe('sets of fields that are shared', () => {
  it('say what they said, in the same order', () => {
    const fields = owned('a')
    expect(JSON.stringify(sharedFields(fields))).toBe(JSON.stringify(fields))
    expect(JSON.stringify(sharedFields({ b: {}, a: {} }))).toBe('{"b":{},"a":{}}')
    expect(JSON.stringify(sharedFields({ a: {}, b: {} }))).toBe('{"a":{},"b":{}}')
  })

  it('are one for all that say the same, and share what is the same where they do not', () => {
    const [one, again, other] = [sharedFields(owned('a')), sharedFields(owned('a')), sharedFields(owned('b'))]
    expect(again).toBe(one)
    expect(other).not.toBe(one)
    expect(other['f:spec']).toBe(one['f:spec'])
    expect((other['f:metadata'] as Record<string, object>)['f:labels']).toBe((one['f:metadata'] as Record<string, object>)['f:labels'])
  })

  it('are right however many there are', () => {
    const uids = Array.from({ length: 20_000 }, (_, i) => `uid-${i}`)
    for (const uid of [...uids, ...uids.toReversed()]) expect(sharedFields(owned(uid))).toEqual(owned(uid))
  })

  it('are left as they are where they are very large, or deep', () => {
    const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`f:field-${i}`, {}]))
    expect(sharedFields(wide)).toBe(wide)
    let deep: object = {}
    for (let i = 0; i < 500; i++) deep = { 'f:a-name-of-twenty': deep }
    expect(sharedFields(deep)).toBe(deep)
  })

  it.each([[undefined], [null], [7n], ['text'], [[1]], [{ 'f:a': 9_007_199_254_740_993n, 'f:b': null }]])(
    'leave alone what is no set: %o',
    (value) => {
      expect(sharedFields(value)).toEqual(value)
    },
  )
})
