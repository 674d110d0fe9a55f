import { describe, expect, test } from 'vitest'
import { toAtProvider } from './from-state.ts'
import { toConfig } from './to-config.ts'
import { toParameters } from './to-parameters.ts'
import { decodePlain } from './plain-json.ts'
import type { Field } from '../kinds/shape.ts'
import { Decimal } from '../value/decimal.ts'
import { DYNAMIC, NUMBER, objectOf } from '../value/type.ts'
import { Dynamic, isUnknown, type Value } from '../value/value.ts'

const field = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  field: name,
  input: 'optional',
  output: 'status',
  form: { kind: 'string' },
  absent: 'null',
  description: '',
  deprecated: false,
  ...more,
})

const fields: readonly Field[] = [
  field('name', { input: 'required' }),
  field('id', { input: 'none' }),
  field('decided', { computed: true }),
  field('zero', { computed: true, form: { kind: 'number' } }),
  field('empty'),
  field('password', { secretField: 'passwordSecretRef', output: 'connection' }),
  field('rule', {
    absent: 'empty',
    form: { kind: 'only', of: 'list', untyped: false, element: { kind: 'object', fields: [field('port', { form: { kind: 'number' } })] } },
  }),
  field('rest', {
    absent: 'empty',
    form: { kind: 'list', minItems: 0, maxItems: 0, untyped: false, element: { kind: 'object', fields: [] } },
  }),
]
const state: Value = new Map<string, Value>([
  ['name', 'n'],
  ['id', 'i'],
  ['decided', 'd'],
  ['zero', Decimal.of(0)],
  ['empty', ''],
  ['password', 'secret'],
  ['rule', [new Map<string, Value>([['port', Decimal.of(80)]])]],
  ['rest', []],
])

describe('parameters for a state', () => {
  test('are what could have been configured, with secrets apart', () => {
    const { forProvider, secrets } = toParameters(fields, state, { legacy: true })
    expect(forProvider).toEqual({ name: 'n', decided: 'd', passwordSecretRef: {}, rule: { port: 80 } })
    expect(secrets).toEqual([{ at: ['passwordSecretRef'], key: 'passwordSecretRef', value: 'secret' }])
    expect(JSON.stringify(forProvider)).not.toContain('secret"')
    expect(toParameters(fields, state, { legacy: false }).forProvider).toMatchObject({ zero: 0, empty: '' })
  })

  test('lead back to the state, but for what the provider decides', () => {
    const { forProvider, secrets } = toParameters(fields, state, { legacy: false })
    const given = { ...forProvider, passwordSecretRef: { namespace: 'a', name: 'b', key: secrets[0]?.key ?? '' } }
    const config = toConfig(fields, given, { secrets: () => secrets[0]?.value })
    expect(config).toEqual(new Map([...(state as ReadonlyMap<string, Value>), ['id', null]]))
  })

  test('name what must be given and no state holds', () => {
    const writeOnly = [field('key', { input: 'required', secretField: 'keySecretRef', output: 'none' })]
    expect(toParameters(writeOnly, new Map([['key', null]]), { legacy: false }).missing).toEqual(['keySecretRef'])
  })
})

test('what nobody knows yet is unknown in a plan, and so is a Secret that is not there', () => {
  const config = toConfig(
    fields,
    { name: 'x-(generated)', rule: '(known after apply)', passwordSecretRef: { namespace: 'a', name: 'b', key: 'c' } },
    { unknown: (text) => text.includes('(generated)') || text.includes('(known after apply)') },
  )
  for (const name of ['name', 'rule', 'password']) expect(isUnknown(config.get(name) ?? null), name).toBe(true)
  expect(config.get('decided')).toBe(null)
})

test('what is dynamic in JSON without types gets the type that it shows', () => {
  const value = decodePlain(objectOf(new Map([['any', DYNAMIC]])), '{"any":{"n":9007199254740993}}') as ReadonlyMap<string, Value>
  expect(value.get('any')).toEqual(new Dynamic(objectOf(new Map([['n', NUMBER]])), new Map([['n', Decimal.of('9007199254740993')]])))
})

test('T188: integers keep their digits, and stay numbers where the field takes one', () => {
  const numbers = ['7227701560655103598', '9007199254740991', '0.1', '100000000000000000000', '100000000000000000001']
  const list = field('numbers', { form: { kind: 'list', minItems: 0, maxItems: 0, untyped: false, element: { kind: 'number' } } })
  const any = field('any', { form: { kind: 'dynamic' } })
  const before = new Map<string, Value>([
    ['numbers', numbers.map((text) => Decimal.of(text))],
    ['any', new Dynamic(NUMBER, Decimal.of('7227701560655103598'))],
  ])
  const { forProvider } = toParameters([list, any], before, { legacy: false })
  expect(forProvider).toEqual({
    numbers: [7227701560655103598n, 9007199254740991, 0.1, 100000000000000000000, '100000000000000000001'],
    any: 7227701560655103598n,
  })
  expect(toConfig([list, any], forProvider)).toEqual(before)
})

test('T188: long integers are taken as texts, in what is dynamic, and in documents that a Secret has', () => {
  const digits = '7227701560655103598'
  const secret = field('secret', { form: { kind: 'map', untyped: false, element: { kind: 'number' } }, secretField: 'secretSecretRef' })
  const given = {
    empty: BigInt(digits),
    any: { inside: [BigInt(digits)] },
    secretSecretRef: { namespace: 'a', name: 'b', key: 'c' },
  }
  const config = toConfig([field('empty'), field('any', { form: { kind: 'dynamic' } }), secret], given, {
    secrets: () => `{"x": ${digits}}`,
  })
  expect(config.get('empty')).toBe(digits)
  expect(toAtProvider([field('any', { form: { kind: 'dynamic' } })], config)).toEqual({ any: { inside: [digits] } })
  expect(config.get('secret')).toEqual(new Map([['x', Decimal.of(digits)]]))
})
