import { formatFieldErrors, type FieldError, type Schema, type ValidationRule } from '@weft/api'
import { describe, expect, test } from 'vitest'
import { compileRules } from './compile-rules.ts'

const withRules = (schema: Schema, ...rules: (string | ValidationRule)[]): Schema => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
})
const object = (properties: Record<string, Schema>, ...rules: (string | ValidationRule)[]): Schema =>
  withRules({ type: 'object', properties }, ...rules)
const INT: Schema = { type: 'integer' }
const STRING: Schema = { type: 'string', maxLength: 50 }
const validate = (schema: Schema, value: unknown, old?: unknown): string[] =>
  compileRules(schema, { root: false })
    .validate(value, old)
    .map((error) => formatFieldErrors([error]))

describe('validate', () => {
  const cases: { reason: string; schema: Schema; value: unknown; old?: unknown; errors: string[]; refused?: boolean }[] = [
    { reason: 'a rule that holds', schema: object({ a: INT }, 'self.a > 1'), value: { a: 2 }, errors: [] },
    {
      reason: 'no message: the rule is shown, objects are not',
      schema: object({ a: INT }, 'self.a > 1'),
      value: { a: 1 },
      errors: ['<nil>: Invalid value: failed rule: self.a > 1'],
    },
    {
      reason: 'scalars are shown',
      schema: object({ a: withRules(STRING, { rule: "self == 'x'", message: 'must be x' }) }),
      value: { a: 'y' },
      errors: ['a: Invalid value: "y": must be x'],
    },
    {
      reason: 'messageExpression',
      schema: object({ a: INT }, { rule: 'self.a > 1', message: 'no', messageExpression: "'a is %d'.format([self.a])" }),
      value: { a: 1 },
      errors: ['<nil>: Invalid value: a is 1'],
    },
    {
      reason: 'messageExpression that fails falls back',
      schema: object({ a: INT, b: STRING }, { rule: 'self.a > 1', message: 'no', messageExpression: 'self.b' }),
      value: { a: 1 },
      errors: ['<nil>: Invalid value: no'],
    },
    {
      reason: 'messageExpression with a line break falls back',
      schema: object({ a: INT }, { rule: 'self.a > 1', messageExpression: "'a\\nb'" }),
      value: { a: 1 },
      errors: ['<nil>: Invalid value: failed rule: self.a > 1'],
    },
    {
      reason: 'reason and fieldPath',
      schema: object({ a: INT }, { rule: 'has(self.a)', message: 'give a', reason: 'FieldValueRequired', fieldPath: '.a' }),
      value: {},
      errors: ['a: Required value: give a'],
    },
    {
      reason: 'forbidden',
      schema: object({ a: INT }, { rule: '!has(self.a)', message: 'not now', reason: 'FieldValueForbidden' }),
      value: { a: 1 },
      errors: ['<nil>: Forbidden: not now'],
    },
    {
      reason: 'duplicate',
      schema: object({ a: withRules(INT, { rule: 'self > 1', reason: 'FieldValueDuplicate' }) }),
      value: { a: 1 },
      errors: ['a: Duplicate value: 1'],
    },
    {
      reason: 'a failing evaluation names the type',
      schema: object({ a: INT }, 'self.a > 1'),
      value: {},
      errors: ['<nil>: Invalid value: "object": no such key: a evaluating rule: self.a > 1'],
    },
    {
      reason: 'null is no value',
      schema: object({ a: { type: 'string', nullable: true } }, '!has(self.a)'),
      value: { a: null },
      errors: [],
    },
    {
      reason: 'items and map values',
      schema: object({
        l: { type: 'array', items: withRules(INT, 'self > 0') },
        m: { type: 'object', additionalProperties: withRules(INT, 'self > 0') },
      }),
      value: { l: [1, 0], m: { 'a/b': -1 } },
      errors: ['l[1]: Invalid value: 0: failed rule: self > 0', 'm[a/b]: Invalid value: -1: failed rule: self > 0'],
    },
    {
      reason: 'transition rules need an old value',
      schema: object({ a: withRules(INT, { rule: 'self >= oldSelf', message: 'only up' }) }),
      value: { a: 1 },
      errors: [],
    },
    {
      reason: 'transition rules',
      schema: object({ a: withRules(INT, { rule: 'self >= oldSelf', message: 'only up' }) }),
      value: { a: 1 },
      old: { a: 2 },
      errors: ['a: Invalid value: 1: only up'],
    },
    {
      reason: 'optionalOldSelf',
      schema: object({ a: withRules(INT, { rule: 'oldSelf.hasValue() || self == 0', message: 'start at 0', optionalOldSelf: true }) }),
      value: { a: 1 },
      errors: ['a: Invalid value: 1: start at 0'],
    },
    {
      reason: 'list maps correlate by key, other lists do not',
      refused: true,
      schema: object({
        m: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: object({ k: STRING, v: withRules(INT, 'self == oldSelf') }),
        },
        l: { type: 'array', items: object({ v: withRules(INT, 'self == oldSelf') }) },
      }),
      value: {
        m: [
          { k: 'b', v: 2 },
          { k: 'a', v: 3 },
        ],
        l: [{ v: 1 }],
      },
      old: {
        m: [
          { k: 'a', v: 1 },
          { k: 'b', v: 2 },
        ],
        l: [{ v: 2 }],
      },
      errors: ['m[1].v: Invalid value: 3: failed rule: self == oldSelf'],
    },
    {
      reason: 'sets are equal in any order',
      schema: object(
        { s: { type: 'array', items: STRING, 'x-kubernetes-list-type': 'set' } },
        "self.s == ['a', 'b']",
        "self.s + ['a', 'c'] == ['a', 'b', 'c']",
      ),
      value: { s: ['b', 'a'] },
      errors: [],
    },
    {
      reason: 'escaped names',
      schema: object(
        { 'a-b': INT, 'x.y/z': INT, namespace: INT, __a: INT },
        'self.a__dash__b + self.x__dot__y__slash__z + self.__namespace__ + self.__underscores__a == 10',
      ),
      value: { 'a-b': 1, 'x.y/z': 2, namespace: 3, __a: 4 },
      errors: [],
    },
    {
      reason: 'formats',
      schema: object(
        { t: { type: 'string', format: 'date-time' }, d: { type: 'string', format: 'duration' }, b: { type: 'string', format: 'byte' } },
        "self.t.getFullYear() == 2020 && self.d == duration('1m') && self.b == b'hi'",
      ),
      value: { t: '2020-01-02T03:04:05Z', d: '60s', b: 'aGk=' },
      errors: [],
    },
    {
      reason: 'int-or-string',
      schema: object({ p: { 'x-kubernetes-int-or-string': true } }, "type(self.p) == int ? self.p > 5 : self.p.endsWith('%')"),
      value: { p: '50%' },
      errors: [],
    },
    {
      reason: 'int-or-string with an operator that does not fit',
      schema: object({ p: { 'x-kubernetes-int-or-string': true } }, 'self.p > 5'),
      value: { p: 'x' },
      errors: [
        '<nil>: Invalid value: "object": \'no such overload\': call arguments did not match a supported operator, function or macro signature for rule: self.p > 5',
      ],
    },
    { reason: 'numbers are doubles', schema: object({ n: { type: 'number' } }, 'self.n / 2.0 == 0.5'), value: { n: 1 }, errors: [] },
    {
      reason: 'big integers keep their value',
      schema: object({ n: INT }, 'self.n == 9007199254740993'),
      value: { n: 9007199254740993n },
      errors: [],
    },
    {
      reason: 'keys of Object.prototype are data',
      schema: object({ m: { type: 'object', additionalProperties: STRING } }, "!('constructor' in self.m) && !has(self.m.toString)"),
      value: { m: {} },
      errors: [],
    },
    {
      reason: 'rules in allOf',
      schema: {
        type: 'object',
        properties: { a: INT },
        allOf: [{ properties: { a: { 'x-kubernetes-validations': [{ rule: 'self > 1' }] } } }],
      },
      value: { a: 1 },
      errors: ['a: Invalid value: 1: failed rule: self > 1'],
    },
  ]
  test.each(cases)('$reason', ({ schema, value, old, errors, refused }) => {
    if (refused !== true) expect(compileRules(schema, { root: false }).check().errors).toEqual([])
    expect(validate(schema, value, old)).toEqual(errors)
  })

  test('the root of a resource has names', () => {
    const rules = compileRules(object({ spec: object({}) }, "self.metadata.name.startsWith('a') && self.kind == 'K'"))
    expect(rules.validate({ apiVersion: 'v1', kind: 'K', metadata: { name: 'abc' }, spec: {} })).toEqual([])
    expect(rules.validate({ apiVersion: 'v1', kind: 'K', metadata: { name: 'xyz' } })).toHaveLength(1)
  })

  test('the budget of an object ends validation', () => {
    const schema = object({ l: { type: 'array', maxItems: 100, items: withRules(INT, 'self >= 0') } })
    const errors = compileRules(schema, { root: false }).validate({ l: Array.from({ length: 100 }, () => 1) }, undefined, { budget: 50 })
    expect(errors.map((error) => error.message)).toEqual([
      'Invalid value: "integer": validation failed due to running out of cost budget, no further validation rules will be run',
    ])
  })

  test('one evaluation has a limit of its own', () => {
    const schema = object({ l: { type: 'array', items: INT } }, 'self.l.all(x, self.l.all(y, x + y >= 0))')
    const [error] = compileRules(schema, { root: false }).validate({ l: Array.from({ length: 1000 }, () => 1) })
    expect(error?.message).toBe(
      `Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.l.all(x, self.l.all(y, x + y >= 0))`,
    )
  })

  test('ratcheting leaves unchanged values alone', () => {
    const rules = compileRules(object({ a: withRules(INT, 'self > 1'), b: withRules(INT, 'self > 1') }), { root: false })
    const warnings: FieldError[] = []
    const options = { ratcheting: true, warn: (error: FieldError) => void warnings.push(error) }
    expect(rules.validate({ a: 1, b: 0 }, { a: 1, b: 1 }, options).map((error) => error.path)).toEqual(['b'])
    expect(warnings.map((error) => error.path)).toEqual(['a'])
    expect(rules.validate({ a: 1, b: 1 }, { a: 1, b: 1 }, { ratcheting: true })).toEqual([])
  })

  test('the same schema gives the same rules', () => {
    const schema = object({ a: INT }, 'self.a > 1')
    expect(compileRules(schema)).toBe(compileRules(schema))
    expect(compileRules({ type: 'object' }).hasRules).toBe(false)
  })
})

describe('check', () => {
  test('rules on what has no type are refused, those that merely never run are not', () => {
    const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true }
    const errorsOf = (schema: Schema): string[] =>
      compileRules(object({ a: schema }), { root: false })
        .check('s')
        .errors.map(({ path }) => path)
    expect(errorsOf(withRules({ type: 'object', additionalProperties: anything }, 'self.x == 1'))).toEqual([
      's.properties[a].x-kubernetes-validations',
    ])
    expect(errorsOf(withRules({ type: 'array', items: anything }, 'true'))).toEqual(['s.properties[a].x-kubernetes-validations'])
    expect(errorsOf({ ...anything, properties: { x: withRules(STRING, "self == 'a'") } })).toEqual([])
    expect(errorsOf({ ...anything, properties: { x: withRules(STRING, 'nope') } })).toEqual([
      's.properties[a].properties[x].x-kubernetes-validations[0].rule',
    ])
  })

  const problems = (schema: Schema): string[] =>
    compileRules(schema, { root: false })
      .check('schema')
      .errors.map((error) => `${error.path}: ${error.message}`)

  test('a rule that does not compile', () => {
    expect(problems(object({ a: object({ b: INT }, 'self.c') }))).toEqual([
      `schema.properties[a].x-kubernetes-validations[0].rule: Invalid value: {"rule":"self.c"}: compilation failed: ERROR: <input>:1:5: undefined field 'c'\n | self.c\n | ....^`,
    ])
  })
  test.each<[string, Schema, string]>([
    ['not a bool', object({ a: INT }, 'self.a'), 'cel expression must evaluate to a bool'],
    ['message not a string', object({ a: INT }, { rule: 'true', messageExpression: '1' }), 'messageExpression must evaluate to a string'],
    ['no rule', object({ a: INT }, ' '), 'Required value: rule is not specified'],
    ['message with line breaks', object({ a: INT }, { rule: 'true', message: 'a\nb' }), 'message must not contain line breaks'],
    [
      'unknown reason',
      object({ a: INT }, { rule: 'true', reason: 'Nope' }),
      'Unsupported value: "Nope": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    ],
    ['wrong fieldPath', object({ a: INT }, { rule: 'true', fieldPath: '.b' }), 'fieldPath must be a valid path'],
    [
      'oldSelf in an atomic list',
      { type: 'array', maxItems: 2, items: withRules(INT, 'self == oldSelf') },
      'oldSelf cannot be used on the uncorrelatable portion of the schema within schema',
    ],
    [
      'optionalOldSelf without oldSelf',
      object({ a: INT }, { rule: 'true', optionalOldSelf: true }),
      'may not be set if oldSelf is not used in rule',
    ],
    [
      'concatenation of a converted number',
      object({ a: INT }, { rule: 'true', messageExpression: "'a is ' + string(self.a)" }),
      'Forbidden: estimated messageExpression cost exceeds budget by factor of more than 100x',
    ],
    [
      'too expensive',
      { type: 'array', items: withRules({ type: 'string' }, "self.contains('abc')") },
      'Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
    ],
    [
      'a little too expensive',
      { type: 'array', maxItems: 700, items: withRules({ type: 'array', maxItems: 5000, items: INT }, 'self.all(x, true)') },
      'exceeds budget by factor of 1.050140x',
    ],
  ])('%s', (_, schema, message) => {
    expect(problems(schema).join('\n')).toContain(message)
  })

  test('all rules together', () => {
    const one: Schema = {
      type: 'array',
      maxItems: 1000,
      items: withRules({ type: 'array', maxItems: 3000, items: INT }, 'self.all(x, true)'),
    }
    const schema = object(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`p${i}`, one])))
    const found = problems(schema)
    expect(found).toContain(
      'schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of 1.080240x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
    )
    expect(found.filter((text) => text.includes('contributed to estimated rule cost total'))).toHaveLength(4)
  })
})
