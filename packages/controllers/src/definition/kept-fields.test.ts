import { isJsonObject, type Schema } from '@weft/api'
import { expect, it } from 'vitest'
import { hasKept, keepFields, withoutUnused } from './kept-fields.ts'

const text: Schema = { type: 'string' }
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties })
const list = (items: Schema): Schema => ({ type: 'array', items })
const map = (additionalProperties: Schema): Schema => ({ type: 'object', additionalProperties })
const any: Schema = { 'x-kubernetes-preserve-unknown-fields': true }

/** What a server keeps: members of objects that the schema knows, or does not want to know. The real one is in the tests of upgrades. */
function kept(schema: Schema | undefined, value: unknown, open = false): unknown {
  const preserves = open || schema?.['x-kubernetes-preserve-unknown-fields'] === true
  if (Array.isArray(value)) return value.map((item) => kept(schema?.items, item, schema?.items === undefined && preserves))
  if (!isJsonObject(value)) return value
  const { additionalProperties } = schema ?? {}
  const entry = typeof additionalProperties === 'object' ? additionalProperties : undefined
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const known = schema?.properties?.[key] ?? entry
      if (known !== undefined) return [[key, kept(known, member)]]
      return preserves ? [[key, member]] : []
    }),
  )
}

it.each<[reason: string, before: Schema, next: Schema, value: unknown]>([
  ['a field is gone', object({ a: text, b: text }), object({ a: text }), { a: '1', b: '2' }],
  ['a whole object is gone', object({ a: object({ b: text }) }), object({}), { a: { b: '2' } }],
  ['inside an object', object({ a: object({ b: text, c: text }) }), object({ a: object({ c: text }) }), { a: { b: '1', c: '2' } }],
  ['inside elements', object({ a: list(object({ b: text })) }), object({ a: list(object({ c: text })) }), { a: [{ b: '1' }, {}] }],
  ['inside a map', object({ a: map(object({ b: text })) }), object({ a: map(object({})) }), { a: { x: { b: '1' } } }],
  [
    'elements of lists of lists',
    object({ a: list(list(object({ b: text }))) }),
    object({ a: list(list(object({}))) }),
    { a: [[{ b: '1' }]] },
  ],
  ['an object becomes a text', object({ a: object({ b: text }) }), object({ a: text }), { a: { b: '1' } }],
  ['an object becomes a list', object({ a: object({ b: text }) }), object({ a: list(object({ b: text })) }), { a: { b: '1' } }],
  ['a list becomes an object', object({ a: list(object({ b: text })) }), object({ a: object({ b: text }) }), { a: [{ b: '1' }] }],
  ['a list of objects becomes one of texts', object({ a: list(object({ b: text })) }), object({ a: list(text) }), { a: [{ b: '1' }] }],
  ['a map becomes an object', object({ a: map(text) }), object({ a: object({ b: text }) }), { a: { x: '1' } }],
  ['an object becomes a map', object({ a: object({ b: object({ c: text }) }) }), object({ a: map(object({})) }), { a: { b: { c: '1' } } }],
  ['anything becomes something', object({ a: any }), object({ a: object({ b: object({}) }) }), { a: { x: 1, b: { c: 1 } } }],
  ['something becomes anything', object({ a: object({ b: text }) }), object({ a: any }), { a: { b: '1' } }],
])('nothing is lost when %s', (_reason, before, next, value) => {
  const both = keepFields(next, before)
  expect(kept(both, value)).toEqual(value)
  expect(keepFields(next, both), 'keeping twice').toEqual(both)
  expect(kept(keepFields(next, both), value), 'after another upgrade').toEqual(value)
  const back = keepFields(before, both)
  expect(kept(back, value), 'after a downgrade').toEqual(value)
})

it('what nobody has any more goes with the next schema, and what somebody has stays', () => {
  const before = object({ a: text, b: object({ c: text, d: text }), e: list(object({ f: text })) })
  const next = object({ b: object({ d: text }), e: text })
  const both = keepFields(next, before)
  expect(hasKept(both)).toBe(true)
  expect(hasKept(next)).toBe(false)
  const used = (...values: unknown[]): Schema => keepFields(next, withoutUnused(both, values) ?? {})
  expect(used({ b: { d: '1' } })).toEqual(next)
  expect(used()).toEqual(next)
  expect(kept(used({ a: '1' }), { a: '1', b: { c: '1' } })).toEqual({ a: '1', b: {} })
  expect(kept(used({ b: { c: '1' } }, {}), { a: '1', b: { c: '1' } })).toEqual({ b: { c: '1' } })
  expect(kept(used({ e: [{ f: '1' }] }), { e: [{ f: '1' }] })).toEqual({ e: [{ f: '1' }] })
})

it('nobody is given a value by the default of what is gone, and what is new stays as it is', () => {
  const both = keepFields(object({ b: { ...text, description: 'B.' } }), object({ a: { ...text, default: 'x' } }))
  expect(both.properties?.['a']).not.toHaveProperty('default')
  expect(both.properties?.['b']).toEqual({ ...text, description: 'B.' })
})
