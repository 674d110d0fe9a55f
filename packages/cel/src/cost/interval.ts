import type { Expr } from '../syntax/ast.ts'
import type { CelType } from '../types/type.ts'

/** Bounds of a size or a cost. Unsigned 64-bit, and arithmetic stops at the largest: Kubernetes' limits are compared with exactly these numbers. */
export interface Interval {
  readonly min: bigint
  readonly max: bigint
}

export const UINT64_MAX: bigint = 2n ** 64n - 1n

/** What one character of a string, and one of a regular expression, costs. */
export const STRING_FACTOR = 0.1
export const REGEX_FACTOR = 0.25
export const LIST_COST = 10
export const MAP_COST = 30
export const STRUCT_COST = 40

export const interval = (min: bigint, max: bigint): Interval => ({ min, max })
export const fixed = (value: number | bigint): Interval => ({ min: BigInt(value), max: BigInt(value) })
export const ZERO: Interval = fixed(0)
export const ONE: Interval = fixed(1)
export const UNKNOWN: Interval = { min: 0n, max: UINT64_MAX }

const cap = (value: bigint): bigint => (value > UINT64_MAX ? UINT64_MAX : value)

export const add = (a: Interval, b: Interval): Interval => ({ min: cap(a.min + b.min), max: cap(a.max + b.max) })
export const multiply = (a: Interval, b: Interval): Interval => ({ min: cap(a.min * b.min), max: cap(a.max * b.max) })
export const union = (a: Interval, b: Interval): Interval => ({ min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max })
export const scale = (a: Interval, factor: number): Interval => ({ min: scaleOne(a.min, factor), max: scaleOne(a.max, factor) })

function scaleOne(value: bigint, factor: number): bigint {
  // Floating point on purpose: the same rounding as the original.
  const scaled = Math.ceil(Number(value) * factor)
  return scaled >= 2 ** 64 ? UINT64_MAX : BigInt(scaled)
}

export interface CallEstimate {
  readonly cost: Interval
  /** How large the result is, when it has a size. */
  readonly size?: Interval
}

/** A receiver or argument as an overload's `estimate` sees it. */
export interface EstimateNode {
  readonly expr: Expr | undefined
  readonly type: CelType
  readonly size: Interval
}

export interface EstimateContext {
  readonly target: EstimateNode | undefined
  readonly args: readonly EstimateNode[]
  /** The elements of a list node. */
  element(node: EstimateNode): EstimateNode | undefined
}
