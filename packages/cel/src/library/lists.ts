import { STRING_FACTOR, ONE, add, multiply, scale } from '../cost/interval.ts'
import { compare, equals } from '../eval/equality.ts'
import { Fault } from '../eval/fault.ts'
import { plus } from '../eval/operators.ts'
import { Double, Duration, ListValue, MapValue, Uint, type Value } from '../eval/value.ts'
import { BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, listType, paramType, type CelType } from '../types/type.ts'
import { fn, memberOverload, type FunctionDecl, type Library, type Overload } from './library.ts'

/** Kubernetes' functions on lists: `isSorted`, `sum`, `min`, `max`, `indexOf`, `lastIndexOf`. */
const COMPARABLE: readonly CelType[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES]

const costs: Pick<Overload, 'cost' | 'estimate'> = {
  cost: ([list]) => traversalCost(list as Value),
  estimate: (context) => {
    const { target } = context
    if (target === undefined) return undefined
    const element = context.element(target)
    if (element === undefined) return { cost: target.size }
    const isText = element.type.kind === 'string' || element.type.kind === 'bytes'
    return { cost: multiply(target.size, isText ? add(ONE, scale(element.size, STRING_FACTOR)) : ONE) }
  },
}

const encoder = new TextEncoder()

/** What walking over a value costs. */
export function traversalCost(value: Value): number {
  if (typeof value === 'string') return Math.floor(encoder.encode(value).length * STRING_FACTOR)
  if (value instanceof Uint8Array) return Math.floor(value.length * STRING_FACTOR)
  let cost = 0
  if (value instanceof ListValue) {
    for (const item of value) cost += traversalCost(item)
    return cost
  }
  if (value instanceof MapValue) {
    for (const key of value.keys()) cost += traversalCost(key) + traversalCost(value.find(key) ?? null)
    return cost
  }
  return 1
}

function isSorted(list: ListValue): boolean {
  for (let i = 1; i < list.size; i++) if (compare(list.at(i - 1), list.at(i)) > 0) return false
  return true
}

function extreme(name: string, better: (order: number) => boolean): (list: ListValue) => Value {
  return (list) => {
    if (list.size === 0) throw new Fault(`${name} called on empty list`)
    let best = list.at(0)
    for (let i = 1; i < list.size; i++) {
      const item = list.at(i)
      if (better(compare(item, best))) best = item
    }
    return best
  }
}

const sum =
  (zero: Value) =>
  (list: ListValue): Value => {
    let total = zero
    for (const item of list) total = plus(total, item)
    return total
  }

const ZEROS: readonly (readonly [CelType, Value])[] = [
  [INT, 0],
  [UINT, new Uint(0)],
  [DOUBLE, new Double(0)],
  [DURATION, new Duration(0n)],
]

const each = (name: string, types: readonly CelType[], result: (type: CelType) => CelType, run: Overload['run']): FunctionDecl =>
  fn(name, ...types.map((type) => memberOverload(`list_${type.kind}_${name}`, [listType(type)], result(type), run, costs)))

const A = paramType('A')

function position(list: ListValue, wanted: Value): number {
  for (let i = 0; i < list.size; i++) if (equals(list.at(i), wanted)) return i
  return -1
}

function lastPosition(list: ListValue, wanted: Value): number {
  for (let i = list.size - 1; i >= 0; i--) if (equals(list.at(i), wanted)) return i
  return -1
}

export const LISTS: Library = {
  name: 'kubernetes.lists',
  functions: [
    each('isSorted', COMPARABLE, () => BOOL, isSorted),
    each(
      'min',
      COMPARABLE,
      (type) => type,
      extreme('min', (order) => order < 0),
    ),
    each(
      'max',
      COMPARABLE,
      (type) => type,
      extreme('max', (order) => order > 0),
    ),
    fn('sum', ...ZEROS.map(([type, zero]) => memberOverload(`list_${type.kind}_sum`, [listType(type)], type, sum(zero), costs))),
    fn('indexOf', memberOverload('list_a_index_of_int', [listType(A), A], INT, position, costs)),
    fn('lastIndexOf', memberOverload('list_a_last_index_of_int', [listType(A), A], INT, lastPosition, costs)),
  ],
}
