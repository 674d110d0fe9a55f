import type { Schema } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { fieldOf } from './field.ts'
import { limitsOf, problemWith } from './limits.ts'

const size: Schema = { type: 'integer', minimum: 10, maximum: 100 }
const name: Schema = { type: 'string', pattern: '^[a-z]+$', maxLength: 5 }

describe('limits', () => {
  it.each<[Schema, string | undefined]>([
    [size, 'A whole number from 10 to 100'],
    [{ type: 'number', minimum: 0 }, 'A number of at least 0'],
    [{ type: 'integer', maximum: 9 }, 'A whole number of at most 9'],
    [{ type: 'integer' }, undefined],
    [name, 'At most 5 characters, must match ^[a-z]+$'],
    [{ type: 'string', minLength: 3 }, 'At least 3 characters'],
    [{ type: 'string' }, undefined],
    [{ type: 'boolean' }, undefined],
  ])('of %j are said', (schema, text) => {
    expect(limitsOf(fieldOf(schema))).toBe(text)
  })

  it.each<[string, Schema, unknown, RegExp | undefined]>([
    ['too little', size, 9, /less than 10/],
    ['too much', size, 101, /more than 100/],
    ['no whole number', size, 10.5, /not a whole number/],
    ['right', size, 10, undefined],
    ['nothing yet', size, undefined, undefined],
    ['another form', name, 'A1', /does not match/],
    ['too long', name, 'abcdef', /more than 5/],
    ['a text that is right', name, 'abc', undefined],
    ['an empty text', name, '', undefined],
    ['a pattern that no browser knows', { type: 'string', pattern: '(?P<x>a)' }, 'b', undefined],
    // Patterns of schemas need not match the whole text.
    ['a part that matches', { type: 'string', pattern: 'b' }, 'abc', undefined],
  ])('are checked while typing: %s', (_reason, schema, value, problem) => {
    const found = problemWith(fieldOf(schema), value)
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(problem)
  })
})
