import type { Schema } from '@weft/api'
import { expect, it } from 'vitest'
import { resolveFieldPath } from './field-path.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    a: { type: 'object', properties: { 'b.c': { type: 'string' } } },
    m: { type: 'object', additionalProperties: { type: 'integer' } },
  },
}

it.each([
  ['.a', 'a'],
  [".a['b.c']", 'a.b.c'],
  ["['a']", 'a'],
  [".m['x']", 'm[x]'],
  ['.m.x', 'm[x]'],
])('%s is %s', (path, text) => {
  expect(resolveFieldPath(path, schema)).toMatchObject({ path: text })
})

it.each([
  ['a', 'expected [ or . but got: a'],
  ['.', 'unexpected end of JSON path'],
  ['.z', 'does not refer to a valid field'],
  ['.constructor', 'does not refer to a valid field'],
  ['[a]', 'expected single quoted string but got a'],
  ["['a'", 'unexpected end of JSON path'],
  ["['\\q']", 'invalid string literal: invalid escape char \\q'],
])('%s: %s', (path, error) => {
  expect(resolveFieldPath(path, schema)).toEqual({ error })
})

it('may refuse brackets', () => {
  expect(resolveFieldPath("['a']", schema, { allowBrackets: false })).toEqual({ error: 'array notation is not allowed' })
})
