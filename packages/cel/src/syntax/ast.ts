import type { Value } from '../eval/value.ts'

/**
 * The syntax tree. Macros are expanded while parsing, as in cel-go, so that checker and cost estimate see the same
 * tree that Kubernetes sees; a fold also keeps its `shape`, from which the interpreter makes a direct loop.
 * `id` is unique in one tree, `at` the offset in the source.
 */
export type Expr = ConstExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | FoldExpr

interface Node {
  readonly id: number
  readonly at: number
}
export interface ConstExpr extends Node {
  readonly kind: 'const'
  readonly value: Value
}
export interface IdentExpr extends Node {
  readonly kind: 'ident'
  readonly name: string
}
export interface SelectExpr extends Node {
  readonly kind: 'select'
  readonly operand: Expr
  readonly field: string
  /** `has(a.b)`: answers whether the field is there. */
  readonly test: boolean
}
export interface CallExpr extends Node {
  readonly kind: 'call'
  readonly fn: string
  readonly target: Expr | undefined
  readonly args: readonly Expr[]
}
export interface ListExpr extends Node {
  readonly kind: 'list'
  readonly elements: readonly Expr[]
  /** Indices of elements written `?e`. */
  readonly optional: ReadonlySet<number>
}
export interface MapEntryExpr extends Node {
  readonly key: Expr
  readonly value: Expr
  readonly optional: boolean
}
export interface MapExpr extends Node {
  readonly kind: 'map'
  readonly entries: readonly MapEntryExpr[]
}
export interface StructFieldExpr extends Node {
  readonly field: string
  readonly value: Expr
  readonly optional: boolean
}
export interface StructExpr extends Node {
  readonly kind: 'struct'
  readonly name: string
  readonly fields: readonly StructFieldExpr[]
}

/** What a fold computes, in terms of sub-expressions of its own step. */
export type FoldShape =
  | { readonly op: 'all' | 'exists' | 'existsOne'; readonly body: Expr }
  | { readonly op: 'list'; readonly filter: Expr | undefined; readonly transform: Expr }
  | { readonly op: 'map'; readonly filter: Expr | undefined; readonly transform: Expr }
  | { readonly op: 'mapEntry'; readonly filter: Expr | undefined; readonly transform: Expr }
  | { readonly op: 'bind' }

export interface FoldExpr extends Node {
  readonly kind: 'fold'
  readonly range: Expr
  readonly iterVar: string
  readonly iterVar2: string | undefined
  readonly accuVar: string
  readonly init: Expr
  readonly cond: Expr
  readonly step: Expr
  readonly result: Expr
  readonly shape: FoldShape
}

export const ACCUMULATOR = '@result'

/** Makes nodes with fresh ids. */
export class NodeFactory {
  #next = 1

  id(): number {
    return this.#next++
  }
  constant(at: number, value: Value): ConstExpr {
    return { kind: 'const', id: this.id(), at, value }
  }
  ident(at: number, name: string): IdentExpr {
    return { kind: 'ident', id: this.id(), at, name }
  }
  select(at: number, operand: Expr, field: string, test = false): SelectExpr {
    return { kind: 'select', id: this.id(), at, operand, field, test }
  }
  call(at: number, fn: string, args: readonly Expr[], target?: Expr): CallExpr {
    return { kind: 'call', id: this.id(), at, fn, target, args }
  }
  list(at: number, elements: readonly Expr[], optional: ReadonlySet<number> = NONE): ListExpr {
    return { kind: 'list', id: this.id(), at, elements, optional }
  }
  map(at: number, entries: readonly MapEntryExpr[]): MapExpr {
    return { kind: 'map', id: this.id(), at, entries }
  }
  struct(at: number, name: string, fields: readonly StructFieldExpr[]): StructExpr {
    return { kind: 'struct', id: this.id(), at, name, fields }
  }
  fold(at: number, parts: Omit<FoldExpr, 'kind' | 'id' | 'at'>): FoldExpr {
    return { kind: 'fold', id: this.id(), at, ...parts }
  }
}

const NONE: ReadonlySet<number> = new Set()

/** `a.b.c` as a dotted name, when the expression is only identifiers and selections. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind !== 'select' || expr.test) return undefined
  const prefix = qualifiedName(expr.operand)
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`
}
