import type { Schema } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { widenSchema } from './widen-schema.ts'

const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({ type: 'object', properties, ...more })
const text: Schema = { type: 'string' }

describe('a schema that is wide enough for both', () => {
  test.each<[string, Schema, Schema, Schema]>([
    ['has the fields of both', object({ a: text }), object({ b: text }), object({ a: text, b: text })],
    [
      'requires what both require',
      object({ a: text, b: text }, { required: ['a', 'b'] }),
      object({ a: text, b: text }, { required: ['b'] }),
      object({ a: text, b: text }, { required: ['b'] }),
    ],
    ['takes the values of both', { type: 'string', enum: ['x'] }, { type: 'string', enum: ['y'] }, { type: 'string', enum: ['x', 'y'] }],
    ['takes any value where one does', { type: 'string', enum: ['x'] }, text, text],
    [
      'has the looser of two limits',
      { type: 'string', minLength: 1, maxLength: 9 },
      { type: 'string', minLength: 2, maxLength: 5 },
      { type: 'string', minLength: 1, maxLength: 9 },
    ],
    ['has no limit that only one has', { type: 'string', pattern: 'x' }, { type: 'string', maxLength: 5 }, text],
    [
      'keeps unknown fields where one does',
      object({ a: text }),
      object({}, { 'x-kubernetes-preserve-unknown-fields': true }),
      object({ a: text }, { 'x-kubernetes-preserve-unknown-fields': true }),
    ],
    [
      'takes anything where the two have nothing in common',
      { type: 'array', items: text },
      { type: 'string', description: 'A name.' },
      { description: 'A name.', 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'takes any fields where one lists them and the other does not',
      object({ a: text }),
      { type: 'object', additionalProperties: text },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'merges lists as what is stored does, and requires what tells their items apart',
      {
        type: 'array',
        items: object({ name: text }, { required: ['name'] }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      { type: 'array', items: object({ name: text, more: text }) },
      {
        type: 'array',
        items: object({ name: text, more: text }, { required: ['name'] }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
    ],
    [
      'has our rules and defaults',
      { ...text, default: 'theirs', 'x-kubernetes-validations': [{ rule: 'self != "x"' }] },
      { ...text, default: 'ours' },
      { ...text, default: 'ours' },
    ],
  ])('%s', (_what, theirs, ours, wide) => {
    expect(widenSchema(theirs, ours)).toEqual(wide)
    expect(widenSchema(wide, ours)).toEqual(wide)
  })
})
