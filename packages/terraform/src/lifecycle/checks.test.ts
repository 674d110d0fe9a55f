import { describe, expect, test } from 'vitest'
import { pathText } from '../protocol/diagnostic.ts'
import { block, COMPUTED, OPTIONAL_COMPUTED } from '../schema/schema.fixture.ts'
import { Decimal } from '../value/decimal.ts'
import { listOf, NUMBER, setOf, STRING } from '../value/type.ts'
import { Dynamic, UNKNOWN, type Value } from '../value/value.ts'
import { checkApplied } from './check-applied.ts'
import { checkPlan } from './check-plan.ts'
import { differences, duplicatesIn } from './differences.ts'
import { normaliseState, withoutUnknowns } from './normalise-state.ts'
import { replacementCauses } from './replacement.ts'

const object = (of: Record<string, Value>): Value => new Map(Object.entries(of))
const flat = block({ id: [STRING, COMPUTED], note: [STRING, OPTIONAL_COMPUTED], name: STRING, secret: [STRING, { writeOnly: true }] })
const of = (parts: Record<string, Value>): Value => object({ id: null, note: null, name: null, secret: null, ...parts })

describe('T85: a plan', () => {
  test.each<{ reason: string; prior: Value; config: Value; planned: Value; faults: string[] }>([
    { reason: 'does what is configured', prior: null, config: of({ name: 'a' }), planned: of({ name: 'a', id: UNKNOWN }), faults: [] },
    { reason: 'may compute', prior: null, config: of({}), planned: of({ note: 'n', id: 'i' }), faults: [] },
    {
      reason: 'may keep what is the same to it',
      prior: of({ name: 'A' }),
      config: of({ name: 'a' }),
      planned: of({ name: 'A' }),
      faults: [],
    },
    { reason: 'may not decide what is configured', prior: null, config: of({ name: 'a' }), planned: of({ name: 'b' }), faults: ['name'] },
    { reason: 'may not set what it does not compute', prior: null, config: of({}), planned: of({ name: 'b' }), faults: ['name'] },
    { reason: 'may not override optional values', prior: null, config: of({ note: 'x' }), planned: of({ note: 'y' }), faults: ['note'] },
    { reason: 'leaves out what is only written', prior: null, config: of({ secret: 's' }), planned: of({}), faults: [] },
    { reason: 'may not remove', prior: null, config: of({}), planned: null, faults: [''] },
  ])('$reason', ({ prior, config, planned, faults }) => {
    expect(checkPlan(flat, { prior, config, planned }).map(({ path }) => pathText(path))).toEqual(faults)
  })

  const nested = block(
    { one: ['single', { a: STRING, b: [STRING, OPTIONAL_COMPUTED] }], many: ['list', { a: STRING }], any: ['set', { a: STRING }] },
    { rows: ['list', block({ a: STRING })], sets: ['set', block({ a: STRING })], by: ['map', block({ a: STRING })] },
  )
  const inNested = (parts: Record<string, Value>): Value =>
    object({ one: null, many: null, any: null, rows: [], sets: [], by: new Map(), ...parts })
  const a = (value: Value): Value => object({ a: value })
  test.each<{ reason: string; config: Record<string, Value>; planned: Record<string, Value>; faults: string[] }>([
    { reason: 'inside', config: { one: object({ a: 'x', b: null }) }, planned: { one: object({ a: 'y', b: UNKNOWN }) }, faults: ['one.a'] },
    { reason: 'removed', config: { one: object({ a: 'x', b: null }) }, planned: { one: null }, faults: ['one'] },
    { reason: 'unknown', config: { one: object({ a: 'x', b: null }) }, planned: { one: UNKNOWN }, faults: ['one'] },
    { reason: 'length', config: { many: [a('x')] }, planned: { many: [] }, faults: ['many'] },
    { reason: 'element', config: { many: [a('x'), a('y')] }, planned: { many: [a('x'), a('z')] }, faults: ['many[1].a'] },
    { reason: 'elements of sets are trusted', config: { any: [a('x')] }, planned: { any: [a('z')] }, faults: [] },
    { reason: 'their number is not', config: { any: [a('x')] }, planned: { any: [] }, faults: ['any'] },
    { reason: 'null blocks', config: {}, planned: { rows: null }, faults: ['rows'] },
    { reason: 'unknown blocks', config: { rows: [a('x')] }, planned: { rows: UNKNOWN }, faults: ['rows'] },
    { reason: 'more blocks', config: { rows: [a('x')] }, planned: { rows: [a('x'), a('y')] }, faults: ['rows'] },
    { reason: 'keys', config: { by: new Map([['k', a('x')]]) }, planned: { by: new Map([['l', a('x')]]) }, faults: ['by["k"]', 'by["l"]'] },
    { reason: 'blocks in sets are trusted', config: { sets: [a('x')] }, planned: { sets: [a('y'), a('z')] }, faults: [] },
  ])('with nested values: $reason', ({ config, planned, faults }) => {
    const values = { prior: null, config: inNested(config), planned: inNested(planned) }
    expect(checkPlan(nested, values).map(({ path }) => pathText(path))).toEqual(faults)
  })
})

test.each<{ reason: string; planned: Value; applied: Value; faults: string[] }>([
  { reason: 'what was open may become anything', planned: of({ id: UNKNOWN }), applied: of({ id: 'i' }), faults: [] },
  { reason: 'what was known may not change', planned: of({ name: 'a' }), applied: of({ name: 'b' }), faults: ['name'] },
  { reason: 'nor vanish', planned: of({ name: 'a' }), applied: of({}), faults: ['name'] },
  { reason: 'nothing may remain', planned: null, applied: of({}), faults: [''] },
  { reason: 'something must be there', planned: of({}), applied: null, faults: [''] },
])('T97: after a change $reason', ({ planned, applied, faults }) => {
  expect(checkApplied(flat, planned, applied).map(({ path }) => pathText(path))).toEqual(faults)
})

test('T97: elements of sets are matched with those that were planned', () => {
  const schema = block({ any: setOf(STRING), list: listOf(NUMBER) })
  const value = (any: Value, list: Value = []): Value => object({ any, list })
  const faults = (planned: Value, applied: Value): string[] => checkApplied(schema, planned, applied).map(({ path }) => pathText(path))
  expect(faults(value(['a', UNKNOWN]), value(['b', 'a']))).toEqual([])
  expect(faults(value(['a', UNKNOWN]), value(['a']))).toEqual([])
  expect(faults(value(['a']), value(['b']))).toEqual(['any'])
  expect(faults(value([], [Decimal.of(1)]), value([], [Decimal.of(2)]))).toEqual(['list[0]'])
})

const path = (...names: string[]) => names.map((name) => ({ type: 'attribute', name }) as const)

test('T88: only a change of what is named replaces', () => {
  const schema = block(
    { name: STRING, id: [STRING, COMPUTED], secret: [STRING, { writeOnly: true }] },
    { rows: ['list', block({ a: STRING })] },
  )
  const value = (name: Value, id: Value = 'i', rows: Value = []): Value => object({ name, id, secret: null, rows })
  const causes = (prior: Value, planned: Value, named: readonly (readonly { type: 'attribute'; name: string }[])[]): string[] =>
    replacementCauses(schema, { prior, planned, named }).map(pathText)
  expect(causes(null, value('a'), [path('name')]), 'a create').toEqual([])
  expect(causes(value('a'), value('b'), [path('name'), path('id')])).toEqual(['name'])
  expect(causes(value('a'), value('a', UNKNOWN), [path('id')]), 'unknown is a change').toEqual(['id'])
  expect(causes(value('a'), value('a'), [path('secret')]), 'what is only written cannot be compared').toEqual(['secret'])
  expect(() => causes(value('a'), value('b'), [path('no', 'such')])).toThrow('does not exist')
})

test('T89: a difference is where it is, a set as a whole', () => {
  const schema = block({ name: STRING, any: setOf(STRING), list: listOf(STRING) }, { rows: ['list', block({ a: STRING })] })
  const value = (name: Value, any: Value, list: Value, rows: Value[]): Value =>
    object({ name, any, list, rows: rows.map((a) => object({ a })) })
  const found = (a: Value, b: Value): string[] => differences(schema, a, b).map(pathText)
  expect(found(value('a', ['x', 'y'], ['l'], ['r']), value('a', ['y', 'x'], ['l'], ['r']))).toEqual([])
  expect(found(value('a', ['x'], ['l', 'm'], ['r']), value('b', ['z'], ['l', 'n'], [UNKNOWN]))).toEqual([
    'name',
    'any',
    'list[1]',
    'rows[0].a',
  ])
  expect(found(value('a', [], [], []), value('a', [], ['l'], []))).toEqual(['list'])
  expect(found(value(UNKNOWN, [], [], []), value(UNKNOWN, [], [], [])), 'two unknowns may differ').toEqual(['name'])
})

test('T190: a plan with an element twice is found', () => {
  const schema = block({ any: ['set', { a: STRING, b: STRING }] }, { sets: ['set', block({ inner: setOf(STRING) })] })
  const zero = object({ a: 'zero', b: null })
  expect(duplicatesIn(schema, object({ any: [zero, object({ a: 'zero', b: null })], sets: [] })).map(pathText)).toEqual(['any'])
  expect(duplicatesIn(schema, object({ any: [zero], sets: [object({ inner: ['x', 'x'] })] })).map(pathText)).toEqual(['sets.inner'])
  expect(duplicatesIn(schema, object({ any: [zero, object({ a: 'zero', b: 'x' })], sets: [] }))).toEqual([])
})

test('T87: blocks are never null and never unknown', () => {
  const inner = block({ a: STRING })
  const schema = block({}, { rows: ['list', inner], sets: ['set', inner], one: ['single', inner], always: ['group', inner] })
  expect(normaliseState(schema, object({ rows: null, sets: UNKNOWN, one: null, always: null }))).toEqual(
    object({ rows: [], sets: [object({ a: UNKNOWN })], one: null, always: object({ a: null }) }),
  )
  expect(normaliseState(schema, null)).toBe(null)
})

test('T97: what a provider left unknown is stored as nothing, also inside what is dynamic', () => {
  const any = (value: Value): Value => object({ any: new Dynamic(listOf(STRING), [value]), list: [value], id: value })
  expect(withoutUnknowns(any(UNKNOWN))).toEqual(any(null))
})
