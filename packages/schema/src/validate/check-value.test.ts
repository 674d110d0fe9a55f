import { formatFieldErrors, type Schema } from '@weft/api'
import { describe, expect, it, vi } from 'vitest'
import { compileSchema } from '../compile.ts'
import type { CompiledRules, RuleCompiler } from '../rules.ts'

const field = (schema: Schema): Schema => ({ type: 'object', properties: { spec: { type: 'object', properties: { x: schema } } } })
const check = (schema: Schema, x: unknown): string[] =>
  compileSchema(field(schema))
    .validate({ spec: { x } })
    .map(({ path, message }) => `${path}: ${message}`)

describe('messages', () => {
  const table: { reason: string; schema: Schema; value: unknown; errors: string[] }[] = [
    {
      reason: 'a wrong type names both',
      schema: { type: 'integer' },
      value: 'a',
      errors: ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"'],
    },
    {
      reason: 'null is a type',
      schema: { type: 'string' },
      value: null,
      errors: ['spec.x: Invalid value: "null": spec.x in body must be of type string: "null"'],
    },
    { reason: 'nullable accepts null', schema: { type: 'string', nullable: true }, value: null, errors: [] },
    {
      reason: 'enum never matches null',
      schema: { type: 'string', nullable: true, enum: ['a'] },
      value: null,
      errors: ['spec.x: Unsupported value: null: supported values: "a"'],
    },
    {
      reason: 'minimum',
      schema: { type: 'integer', minimum: 1 },
      value: 0,
      errors: ['spec.x: Invalid value: 0: spec.x in body should be greater than or equal to 1'],
    },
    {
      reason: 'exclusive minimum',
      schema: { type: 'integer', minimum: 1, exclusiveMinimum: true },
      value: 1,
      errors: ['spec.x: Invalid value: 1: spec.x in body should be greater than 1'],
    },
    {
      reason: 'maximum of a float',
      schema: { type: 'number', maximum: 1.5 },
      value: 1.75,
      errors: ['spec.x: Invalid value: 1.75: spec.x in body should be less than or equal to 1.5'],
    },
    {
      reason: 'multipleOf',
      schema: { type: 'integer', multipleOf: 5 },
      value: 7,
      errors: ['spec.x: Invalid value: 7: spec.x in body should be a multiple of 5'],
    },
    {
      reason: 'too short',
      schema: { type: 'string', minLength: 3 },
      value: 'ab',
      errors: ['spec.x: Invalid value: "ab": spec.x in body should be at least 3 chars long'],
    },
    {
      reason: 'too long',
      schema: { type: 'string', maxLength: 3 },
      value: 'abcd',
      errors: ['spec.x: Too long: may not be more than 3 bytes'],
    },
    {
      reason: 'one byte is singular',
      schema: { type: 'string', maxLength: 1 },
      value: 'abcd',
      errors: ['spec.x: Too long: may not be more than 1 byte'],
    },
    { reason: 'length counts characters', schema: { type: 'string', maxLength: 2, minLength: 2 }, value: '😀😀', errors: [] },
    {
      reason: 'pattern',
      schema: { type: 'string', pattern: '^a$' },
      value: 'b',
      errors: ['spec.x: Invalid value: "b": spec.x in body should match \'^a$\''],
    },
    {
      reason: 'enum',
      schema: { type: 'string', enum: ['a', 'b'] },
      value: 'x',
      errors: ['spec.x: Unsupported value: "x": supported values: "a", "b"'],
    },
    {
      reason: 'too many items',
      schema: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
      value: [1, 2, 3, 4, 5],
      errors: ['spec.x: Too many: 5: must have at most 3 items'],
    },
    {
      reason: 'too few items',
      schema: { type: 'array', items: { type: 'integer' }, minItems: 2 },
      value: [1],
      errors: ['spec.x: Invalid value: 1: spec.x in body should have at least 2 items'],
    },
    {
      reason: 'items have indices',
      schema: { type: 'array', items: { type: 'integer' } },
      value: [1, 'b'],
      errors: ['spec.x[1]: Invalid value: "string": spec.x[1] in body must be of type integer: "string"'],
    },
    {
      reason: 'uniqueItems',
      schema: { type: 'array', items: { type: 'integer' }, uniqueItems: true },
      value: [1, 1],
      errors: ['spec.x: Invalid value: "": spec.x in body shouldn\'t contain duplicates'],
    },
    {
      reason: 'required',
      schema: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
      value: {},
      errors: ['spec.x.a: Required value'],
    },
    {
      reason: 'inherited names are not there',
      schema: { type: 'object', required: ['constructor'] },
      value: {},
      errors: ['spec.x.constructor: Required value'],
    },
    {
      reason: 'maxProperties',
      schema: { type: 'object', maxProperties: 1 },
      value: { a: 1, b: 2 },
      errors: ['spec.x: Too many: 2: must have at most 1 item'],
    },
    {
      reason: 'minProperties',
      schema: { type: 'object', minProperties: 1 },
      value: {},
      errors: ['spec.x: Invalid value: 0: spec.x in body should have at least 1 properties'],
    },
    {
      reason: 'map entries',
      schema: { type: 'object', additionalProperties: { type: 'string' } },
      value: { k: 1 },
      errors: ['spec.x.k: Invalid value: "integer": spec.x.k in body must be of type string: "integer"'],
    },
    {
      reason: 'no additional properties',
      schema: { type: 'object', additionalProperties: false },
      value: { k: 1 },
      errors: ['spec.x: Invalid value: "k": spec.x.k in body is a forbidden property'],
    },
    {
      reason: 'a map may hold __proto__',
      schema: { type: 'object', additionalProperties: { type: 'string' } },
      value: JSON.parse('{"__proto__": 1}'),
      errors: ['spec.x.__proto__: Invalid value: "integer": spec.x.__proto__ in body must be of type string: "integer"'],
    },
    {
      reason: 'int-or-string',
      schema: { 'x-kubernetes-int-or-string': true },
      value: 1.5,
      errors: ['spec.x: Invalid value: "number": spec.x in body must be of type integer,string: "number"'],
    },
    {
      reason: 'formats',
      schema: { type: 'string', format: 'date' },
      value: 'x',
      errors: ['spec.x: Invalid value: "x": spec.x in body must be of type date: "x"'],
    },
    { reason: 'unknown formats are documentation', schema: { type: 'string', format: 'cute' }, value: 'x', errors: [] },
    {
      reason: 'int32 is a range',
      schema: { type: 'integer', format: 'int32' },
      value: 3000000000,
      errors: [': Invalid value: "": Checked value must be of type integer with format int32 in spec.x'],
    },
    {
      reason: 'int64 beyond 2^53',
      schema: { type: 'integer', format: 'int64', maximum: 2 ** 53 },
      value: 9223372036854775807n,
      errors: ['spec.x: Invalid value: 9223372036854775807: spec.x in body should be less than or equal to 9007199254740992'],
    },
    { reason: 'a whole float is an integer', schema: { type: 'integer' }, value: 3, errors: [] },
    {
      reason: 'anyOf',
      schema: { type: 'string', anyOf: [{ pattern: '^a' }, { maxLength: 1 }] },
      value: 'bc',
      errors: [
        ': Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
        'spec.x: Invalid value: "bc": spec.x in body should match \'^a\'',
      ],
    },
    {
      reason: 'oneOf, both',
      schema: { type: 'string', oneOf: [{ pattern: 'a' }, { maxLength: 5 }] },
      value: 'a',
      errors: [': Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    },
    {
      reason: 'allOf',
      schema: { type: 'string', allOf: [{ pattern: 'a' }] },
      value: 'b',
      errors: [
        'spec.x: Invalid value: "b": spec.x in body should match \'a\'',
        ': Invalid value: "": "spec.x" must validate all the schemas (allOf). None validated',
      ],
    },
    {
      reason: 'not',
      schema: { type: 'string', not: { pattern: 'a' } },
      value: 'a',
      errors: [': Invalid value: "": "spec.x" must not validate the schema (not)'],
    },
    {
      reason: 'sets',
      schema: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      value: ['a', 'b', 'a', 'a'],
      errors: ['spec.x[2]: Duplicate value: "a"'],
    },
    {
      reason: 'maps',
      schema: { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
      value: [{ k: 1 }, { k: 1 }],
      errors: ['spec.x[1]: Duplicate value: {"k":1}'],
    },
    {
      reason: 'maps with several keys, one absent',
      schema: { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k', 'p'] },
      value: [{ k: 'a' }, { k: 'a', p: 1 }, { k: 'a' }],
      errors: ['spec.x[2]: Duplicate value: {"k":"a"}'],
    },
    {
      reason: 'embedded resources name their type',
      schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      value: {},
      errors: ['spec.x.apiVersion: Required value', 'spec.x.kind: Required value'],
    },
    {
      reason: 'embedded metadata is checked',
      schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      value: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a/b' } },
      errors: ['spec.x.metadata.name: Invalid value: "a/b": may not contain \'/\''],
    },
    {
      reason: 'embedded metadata is typed',
      schema: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      value: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 1 } } },
      errors: [
        'spec.x.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
      ],
    },
  ]

  it.each(table)('$reason', ({ schema, value, errors }) => {
    expect(check(schema, value)).toEqual(errors)
  })

  it('reports below a given path, and names the field from there', () => {
    const schema: Schema = { type: 'object', properties: { replicas: { type: 'integer' } } }
    const errors = compileSchema(schema).validate({ replicas: 'x' }, { path: 'status' })
    expect(formatFieldErrors(errors)).toBe('status.replicas: Invalid value: "string": replicas in body must be of type integer: "string"')
  })
})

describe('update', () => {
  const schema = field({
    type: 'array',
    items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'string', maxLength: 1 } } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  })
  const run = (value: unknown, old: unknown): number =>
    compileSchema(schema).validate({ spec: { x: value } }, { old: { spec: { x: old } } }).length
  const long = { k: 'a', v: 'long' }

  it.each([
    { reason: 'unchanged is forgiven', value: [long], old: [long], errors: 0 },
    { reason: 'an item is found by its key, wherever it moved', value: [{ k: 'b', v: '1' }, long], old: [long], errors: 0 },
    { reason: 'a changed part is not forgiven', value: [{ ...long, v: 'longer' }], old: [long], errors: 1 },
    { reason: 'a new part is not forgiven', value: [long], old: [], errors: 1 },
  ])('$reason', ({ value, old, errors }) => {
    expect(run(value, old)).toBe(errors)
  })

  it('forgives duplicates in a list map when the old object had some', () => {
    const twice = [{ k: 'a' }, { k: 'a' }]
    expect(run(twice, twice)).toBe(0)
    expect(run(twice, [{ k: 'a' }])).toBe(1)
  })
})

describe('rules', () => {
  const withRule: Schema = { type: 'object', required: ['a'], 'x-kubernetes-validations': [{ rule: 'self.a > 0' }] }

  it('compiles them once, on first need, and passes both values', () => {
    const validate = vi.fn<CompiledRules['validate']>(() => [])
    const rules = vi.fn<RuleCompiler>(() => ({ check: () => ({ errors: [] }), validate }))
    const compiled = compileSchema(withRule, { rules })
    expect(rules).not.toHaveBeenCalled()
    compiled.validate({ a: 1 }, { old: { a: 2 }, path: 'spec' })
    compiled.validate({ a: 1 })
    expect(rules).toHaveBeenCalledTimes(1)
    expect(validate.mock.calls).toEqual([
      [{ a: 1 }, { a: 2 }, { path: 'spec', ratcheting: true }],
      [{ a: 1 }, undefined, { path: '', ratcheting: false }],
    ])
  })

  it('skips them when the object is not what they were checked against', () => {
    const rules = vi.fn<RuleCompiler>()
    const errors = compileSchema(withRule, { rules }).validate({})
    expect(rules).not.toHaveBeenCalled()
    expect(errors.map(({ message }) => message)).toEqual([
      'Required value',
      'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ])
  })
})

it('answers the same compiled schema for the same schema', () => {
  const schema: Schema = { type: 'object' }
  expect(compileSchema(schema)).toBe(compileSchema(schema))
})

it('leaves patterns that would hang a backtracking engine harmless', () => {
  const evil: Schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
  expect(compileSchema(evil).validate({ a: `${'a'.repeat(50_000)}!` })).toHaveLength(1)
})
