import type { CallEstimate, EstimateContext } from '../cost/interval.ts'
import type { Value } from '../eval/value.ts'
import type { Macro } from '../syntax/macro.ts'
import type { CelType, ObjectType } from '../types/type.ts'

/** A set of functions, macros and type names that an environment can turn on. */
export interface Library {
  readonly name: string
  readonly functions?: readonly FunctionDecl[]
  readonly macros?: readonly Macro[]
  /** Type names usable as values (`type(x) == net.IP`), by name. */
  readonly types?: Readonly<Record<string, CelType>>
  /** Types whose values are written `Name{field: value}`, by name. */
  readonly structs?: (name: string) => StructDecl | undefined
}

export interface StructDecl {
  readonly type: ObjectType
  /** A value of the type. The fields have been checked; those that are absent are not in the map. */
  make(fields: ReadonlyMap<string, Value>): Value
}

export interface FunctionDecl {
  /** May be dotted: `math.greatest`. */
  readonly name: string
  readonly overloads: readonly Overload[]
}

/**
 * One signature of a function. The interpreter calls `run` with as many values as `args` (the receiver first), after
 * the checker or a run-time guard has made sure of their types; `run` throws a `Fault` to fail.
 */
export interface Overload {
  readonly id: string
  readonly member: boolean
  readonly args: readonly CelType[]
  readonly result: CelType
  readonly run: (...args: never[]) => Value
  /** Run-time cost of a call that succeeded; 1 when absent. */
  readonly cost?: (args: readonly Value[], result: Value) => number
  /** Static cost without that of the arguments; 1 when absent or undefined. */
  readonly estimate?: (context: EstimateContext) => CallEstimate | undefined
}

type Costs = Pick<Overload, 'cost' | 'estimate'>

/** An overload called as `f(a, b)`. */
export function overload(id: string, args: readonly CelType[], result: CelType, run: Overload['run'], costs: Costs = {}): Overload {
  return { id, member: false, args, result, run, ...costs }
}

/** An overload called as `a.f(b)`. */
export function memberOverload(id: string, args: readonly CelType[], result: CelType, run: Overload['run'], costs: Costs = {}): Overload {
  return { id, member: true, args, result, run, ...costs }
}

export const fn = (name: string, ...overloads: Overload[]): FunctionDecl => ({ name, overloads })
