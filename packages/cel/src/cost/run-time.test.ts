import { describe, expect, test } from 'vitest'
import { Environment } from '../environment.ts'
import { bindValue } from '../eval/bind.ts'
import { CelCostExceeded } from '../eval/fault.ts'
import type { Value } from '../eval/value.ts'
import { compile } from '../program.ts'
import { BOOL, BYTES, DYN, INT, STRING, listType, mapType, type CelType } from '../types/type.ts'

const long = 'x'.repeat(500)
const anyMap = mapType(STRING, DYN)

// Numbers that cel-go's own tests state for the standard library. `has` costs nothing for itself, as Kubernetes sets it.
const COSTS: [expression: string, cost: number, types?: Record<string, CelType>, values?: Record<string, unknown>][] = [
  ['"Hello World!"', 0],
  ['input', 1, { input: listType(INT) }, { input: [1, 2] }],
  ["input['key']", 2, { input: anyMap }, { input: { key: 'v' } }],
  ['input[0]', 2, { input: listType(STRING) }, { input: ['v'] }],
  ["input['ke' + 'y']", 3, { input: anyMap }, { input: { key: 'v' } }],
  ['input[3-3]', 3, { input: listType(STRING) }, { input: ['v'] }],
  ['has(input.a)', 0, { input: anyMap }, { input: { a: 1 } }],
  ['has(input.a.b)', 1, { input: anyMap }, { input: { a: { b: 1 } } }],
  ['[1, 2, 3]', 10],
  ['{"a": 1, "b": 2, "c": 3}', 30],
  ['input.all(x, true)', 2, { input: listType(INT) }, { input: [] }],
  ['[1, 2, 3].all(x, true)', 20],
  ["input.matches('[0-9]')", 103, { input: STRING }, { input: long }],
  ["'123'.matches('[0-9]')", 2],
  ['false || false', 0],
  ['a || b || c || d', 4, { a: BOOL, b: BOOL, c: BOOL, d: BOOL }, { a: false, b: false, c: false, d: false }],
  ['a && b && c && d', 4, { a: BOOL, b: BOOL, c: BOOL, d: BOOL }, { a: true, b: true, c: true, d: true }],
  ['1 < 2', 1],
  ['2 in [1, 2, 3]', 13],
  ['1 % 1', 1],
  ['true ? 1 : 2', 0],
  ['size("123")', 1],
  ["'12345678901234567890' == '123456789012345678901234567890'", 2],
  ['string(input)', 51, { input: BYTES }],
  ['bytes(input)', 51, { input: STRING }, { input: long }],
  ['input.contains(arg1)', 2502, { input: STRING, arg1: STRING }, { input: long, arg1: long }],
  ["input.matches('\\\\d+a\\\\d+b')", 103, { input: STRING }, { input: long }],
  ['input.startsWith(arg1)', 3, { input: STRING, arg1: STRING }, { input: 'idc', arg1: long }],
  ['input.size()', 2, { input: STRING }, { input: '500' }],
  [
    '(x > 2 ? input1 : input2).all(y, true)',
    6,
    { x: INT, input1: listType(DYN), input2: listType(DYN) },
    { x: 1, input1: [{}], input2: [{}] },
  ],
  ['true ? false : 1 > 3', 0],
  ['false ? false : 1 > 3', 1],
  ['input.all(k, input[k].v > 3)', 9, { input: mapType(STRING, anyMap) }, { input: { val: { v: 4 } } }],
]

describe('run-time cost', () => {
  test.each(COSTS)('%s costs %i', (expression, cost, variables = {}, values = {}) => {
    const { program } = compile(expression, new Environment({ variables }))
    const bindings: Record<string, Value> = variables['input'] === BYTES ? { input: new TextEncoder().encode(long) } : {}
    for (const [name, value] of Object.entries(values)) bindings[name] = bindValue(value)
    expect(program?.evaluate(bindings).cost).toBe(cost)
  })

  test('a budget ends the evaluation, and no operator absorbs it', () => {
    const environment = new Environment({ variables: { input: listType(INT) } })
    const { program } = compile('input.all(x, input.all(y, input.all(z, true))) || true', environment)
    const input = bindValue(Array.from({ length: 200 }, (_, i) => i))
    expect(() => program?.evaluate({ input }, { budget: 10_000 })).toThrow(CelCostExceeded)
  })
})
