import { STRING_FACTOR } from '../cost/interval.ts'
import { compare, equals } from './equality.ts'
import { noSuchOverload } from './fault.ts'
import { contains, minus, modulo, negate, over, plus, times } from './operators.ts'
import { ListValue, OpaqueValue, sizeOf, type Value } from './value.ts'

/** An operator with two operands: what it does and what it costs, both for any values. */
export interface BinaryOperator {
  readonly run: (a: Value, b: Value) => Value
  readonly cost: (a: Value, b: Value) => number
}

const unit = (): number => 1
const isText = (value: Value): boolean => typeof value === 'string' || value instanceof Uint8Array

const smallerSize = (a: Value, b: Value): number => Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * STRING_FACTOR)

function equalityCost(a: Value, b: Value): number {
  const kind = typeof a
  if (kind === 'number' || kind === 'boolean' || a instanceof OpaqueValue) return 1
  return smallerSize(a, b)
}

const comparison = (test: (order: number) => boolean): BinaryOperator => ({
  run: (a, b) => test(compare(a, b)),
  cost: (a, b) => (typeof a !== 'number' && isText(a) ? smallerSize(a, b) : 1),
})

export const BINARY: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>([
  ['_==_', { run: equals, cost: equalityCost }],
  ['_!=_', { run: (a, b) => !equals(a, b), cost: equalityCost }],
  ['_<_', comparison((order) => order < 0)],
  ['_<=_', comparison((order) => order <= 0)],
  ['_>_', comparison((order) => order > 0)],
  ['_>=_', comparison((order) => order >= 0)],
  ['_+_', { run: plus, cost: (a, b) => (typeof a !== 'number' && isText(a) ? Math.ceil((sizeOf(a) + sizeOf(b)) * STRING_FACTOR) : 1) }],
  ['_-_', { run: minus, cost: unit }],
  ['_*_', { run: times, cost: unit }],
  ['_/_', { run: over, cost: unit }],
  ['_%_', { run: modulo, cost: unit }],
  ['@in', { run: contains, cost: (_, b) => (b instanceof ListValue ? b.size : 1) }],
])

export const UNARY: ReadonlyMap<string, (a: Value) => Value> = new Map<string, (a: Value) => Value>([
  ['-_', negate],
  [
    '!_',
    (a) => {
      if (typeof a !== 'boolean') throw noSuchOverload()
      return !a
    },
  ],
])
