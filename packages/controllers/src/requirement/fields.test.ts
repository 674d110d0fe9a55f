import type { Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { transfer, written } from './fields.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    size: { type: 'integer', default: 10 },
    region: { type: 'string' },
    backup: { type: 'object', properties: { keep: { type: 'integer', default: 7 }, at: { type: 'string' } } },
  },
}

describe('what a requirement asks for', () => {
  it.each([
    { reason: 'defaults were not written', fields: { size: 10, region: 'here' }, is: { region: 'here' } },
    { reason: 'other values were', fields: { size: 20 }, is: { size: 20 } },
    { reason: 'defaults inside of objects were not', fields: { backup: { keep: 7, at: 'noon' } }, is: { backup: { at: 'noon' } } },
    { reason: 'nor objects that hold nothing else', fields: { backup: { keep: 7 } }, is: {} },
    { reason: 'an empty object was written', fields: { backup: {} }, is: { backup: {} } },
    { reason: 'fields that no schema knows were written', fields: { more: { a: 1 } }, is: { more: { a: 1 } } },
  ])('$reason', ({ fields, is }) => {
    expect(written(fields, schema)).toEqual(is)
  })

  it.each([
    { reason: 'what others wrote stays', target: { a: 1 }, before: {}, now: { b: 2 }, is: { a: 1, b: 2 } },
    { reason: 'what is no longer asked for goes', target: { a: 1, b: 2 }, before: { b: 2 }, now: {}, is: { a: 1 } },
    { reason: 'inside of objects too', target: { o: { a: 1, b: 2 } }, before: { o: { b: 2 } }, now: { o: {} }, is: { o: { a: 1 } } },
    {
      reason: 'an object goes only as far as it was sent',
      target: { o: { a: 1, b: 2 } },
      before: { o: { b: 2 } },
      now: {},
      is: { o: { a: 1 } },
    },
    { reason: 'lists are replaced', target: { l: [1, 2] }, before: { l: [1, 2] }, now: { l: [3] }, is: { l: [3] } },
    { reason: 'what somebody changed below is set right', target: { a: 5 }, before: { a: 1 }, now: { a: 1 }, is: { a: 1 } },
  ])('$reason', ({ target, before, now, is }) => {
    expect(transfer(target, { before, now })).toEqual(is)
  })

  it('answers the very same object when nothing changes', () => {
    const target = { a: 1, o: { b: 2 } }
    expect(transfer(target, { before: { a: 1 }, now: { a: 1, o: { b: 2 } } })).toBe(target)
  })
})
