import { ONE, add, multiply } from '../cost/interval.ts'
import { contains } from '../eval/operators.ts'
import { sizeOf, type ListValue, type Value } from '../eval/value.ts'
import { BOOL, listType, paramType } from '../types/type.ts'
import { fn, overload, type FunctionDecl, type Library } from './library.ts'

/** Lists as sets: `sets.contains`, `sets.equivalent`, `sets.intersects`. */
const T = paramType('T')
const LIST = listType(T)

const includes = (list: ListValue, part: ListValue): boolean => [...part].every((item) => contains(item, list))
const equivalent = (a: ListValue, b: ListValue): boolean => includes(a, b) && includes(b, a)
const intersects = (a: ListValue, b: ListValue): boolean => [...a].some((item) => contains(item, b))

/** Every element may be compared with every other, `times` times over. */
const compared = (name: string, times: number, run: (a: ListValue, b: ListValue) => boolean): FunctionDecl =>
  fn(
    `sets.${name}`,
    overload(`list_sets_${name}_list`, [LIST, LIST], BOOL, run, {
      cost: ([a, b]) => 1 + times * sizeOf(a as Value) * sizeOf(b as Value),
      estimate: ({ args: [a, b] }) => {
        if (a === undefined || b === undefined) return undefined
        return { cost: add(ONE, multiply(multiply(a.size, b.size), { min: BigInt(times), max: BigInt(times) })) }
      },
    }),
  )

export const SETS: Library = {
  name: 'sets',
  functions: [compared('contains', 1, includes), compared('equivalent', 2, equivalent), compared('intersects', 1, intersects)],
}
