import { sizeOf } from '../eval/value.ts'
import type { CallExpr, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr } from '../syntax/ast.ts'
import { ACCUMULATOR } from '../syntax/ast.ts'
import type { Checked } from '../types/checker.ts'
import { DYN, optionalElement, type CelType } from '../types/type.ts'
import {
  LIST_COST,
  MAP_COST,
  ONE,
  STRUCT_COST,
  UINT64_MAX,
  UNKNOWN,
  ZERO,
  add,
  fixed,
  multiply,
  union,
  type CallEstimate,
  type EstimateContext,
  type EstimateNode,
  type Interval,
} from './interval.ts'

/**
 * How large data can be. The path starts with a variable; further steps are field names, `@items`, `@indices`,
 * `@keys` and `@values`. An empty path is a value computed by the expression, of which only the type is known.
 */
export interface SizeHints {
  sizeAt(path: readonly string[], type: CelType): Interval | undefined
}

/**
 * Worst and best case cost of an expression, by the rules of cel-go, which Kubernetes applies to decide whether a
 * rule may be stored: the numbers must be the same, not merely close.
 */
export function estimateCost(expr: Expr, checked: Checked, sizes: SizeHints = { sizeAt: () => undefined }): Interval {
  return new Estimator(checked, sizes).cost(expr)
}

/** Sizes of what a list or map contains. */
interface EntrySizes {
  readonly container: 'list' | 'map'
  readonly key: Interval
  readonly value: Interval
}

interface LocalVariable {
  readonly path: readonly string[]
  readonly size: Interval | undefined
  readonly entries: EntrySizes | undefined
}

class Estimator {
  readonly #checked: Checked
  readonly #hints: SizeHints
  readonly #paths = new Map<number, readonly string[]>()
  readonly #sizes = new Map<number, Interval>()
  readonly #entries = new Map<number, EntrySizes>()
  readonly #locals: { readonly name: string; readonly variable: LocalVariable }[] = []

  constructor(checked: Checked, hints: SizeHints) {
    this.#checked = checked
    this.#hints = hints
  }

  cost(expr: Expr): Interval {
    switch (expr.kind) {
      case 'const':
        return ZERO
      case 'ident':
        this.#paths.set(expr.id, this.#local(expr.name)?.path ?? [expr.name])
        return ONE
      case 'select':
        return this.#select(expr)
      case 'call':
        return this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'struct':
        return expr.fields.reduce((sum, field) => add(sum, this.cost(field.value)), fixed(STRUCT_COST))
      case 'fold':
        return expr.shape.op === 'bind' ? this.#bind(expr) : this.#fold(expr)
    }
  }

  #select(expr: SelectExpr): Interval {
    const reference = this.#checked.references.get(expr.id)
    // A dotted variable is one name.
    if (reference?.kind === 'name') {
      this.#paths.set(expr.id, [reference.declared.name])
      return ONE
    }
    const operand = this.cost(expr.operand)
    if (expr.test) return operand
    this.#paths.set(expr.id, [...this.#path(expr.operand), expr.field])
    const { kind } = this.#type(expr.operand)
    return kind === 'map' || kind === 'object' || kind === 'param' ? add(operand, ONE) : operand
  }

  #call(expr: CallExpr): Interval {
    const costs = expr.args.map((arg) => this.cost(arg))
    const argCost = costs.reduce(add, ZERO)
    if (expr.fn === 'dyn' && expr.target === undefined && expr.args[0] !== undefined) {
      this.#copySizes(expr, expr.args[0])
      return add(ONE, argCost)
    }
    const special = this.#logical(expr, costs)
    if (special !== undefined) return special
    if (expr.fn === '_?._') return add(ONE, argCost)
    const reference = this.#checked.references.get(expr.id)
    if (reference?.kind !== 'call') return ZERO
    const target = expr.target === undefined || reference.namespaced ? undefined : expr.target
    const before = target === undefined ? ZERO : this.cost(target)
    const context = this.#context(expr, target)
    let cost: Interval = { min: UINT64_MAX, max: 0n }
    let size: Interval | undefined
    for (const overload of reference.overloads) {
      const estimate: CallEstimate = overload.estimate?.(context) ?? { cost: ONE }
      cost = union(cost, add(estimate.cost, argCost))
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size)
      size = this.#indexed(expr, overload.id) ?? size
      size ??= this.#size(expr)
    }
    this.#joinEntries(expr)
    if (size !== undefined) this.#sizes.set(expr.id, size)
    return add(before, cost)
  }

  /** Operators that do not evaluate all of their operands. */
  #logical(expr: CallExpr, costs: readonly Interval[]): Interval | undefined {
    const [first = ZERO, second = ZERO, third = ZERO] = costs
    if (expr.fn === '_&&_' || expr.fn === '_||_') return { min: first.min, max: add(first, second).max }
    if (expr.fn !== '_?_:_') return undefined
    const [, yes, no] = expr.args
    if (yes !== undefined && no !== undefined) {
      this.#sizes.set(expr.id, union(this.#size(yes) ?? UNKNOWN, this.#size(no) ?? UNKNOWN))
      const entries = unionEntries(this.#entrySizes(yes), this.#entrySizes(no))
      if (entries !== undefined) this.#entries.set(expr.id, entries)
    }
    return add(first, union(second, third))
  }

  /** `a[b]`: what is found has a path of its own, so that its size can be looked up. */
  #indexed(expr: CallExpr, overload: string): Interval | undefined {
    const [container] = expr.args
    if (container === undefined || (overload !== 'index_list' && overload !== 'index_map')) return undefined
    this.#paths.set(expr.id, [...this.#path(container), overload === 'index_list' ? '@items' : '@values'])
    return this.#entrySizes(container)?.value
  }

  #joinEntries(expr: CallExpr): void {
    const [a, b] = expr.args
    if (expr.fn !== '_+_' || a === undefined || b === undefined) return
    const entries = unionEntries(this.#entrySizes(a), this.#entrySizes(b))
    if (entries !== undefined) this.#entries.set(expr.id, entries)
  }

  #context(expr: CallExpr, target: Expr | undefined): EstimateContext {
    return {
      target: target === undefined ? undefined : this.#node(target),
      args: expr.args.map((arg) => this.#node(arg)),
      element: (node) => this.#element(node),
    }
  }

  #node(expr: Expr): EstimateNode {
    return { expr, type: this.#type(expr), size: this.#size(expr) ?? UNKNOWN }
  }

  #element(node: EstimateNode): EstimateNode | undefined {
    if (node.type.kind !== 'list' || node.expr === undefined) return undefined
    const path = this.#visiblePath(node.expr)
    const inside = path.length === 0 ? [] : [...path, '@items']
    return { expr: undefined, type: node.type.elem, size: this.#hints.sizeAt(inside, node.type.elem) ?? UNKNOWN }
  }

  #list(expr: ListExpr): Interval {
    let sum = fixed(LIST_COST)
    let item: Interval = expr.elements.length === 0 ? ZERO : { min: UINT64_MAX, max: 0n }
    for (const element of expr.elements) {
      sum = add(sum, this.cost(element))
      item = union(item, this.#size(element) ?? UNKNOWN)
    }
    this.#entries.set(expr.id, { container: 'list', key: ONE, value: item })
    return sum
  }

  #map(expr: MapExpr): Interval {
    let sum = fixed(MAP_COST)
    const start: Interval = expr.entries.length === 0 ? ZERO : { min: UINT64_MAX, max: 0n }
    let key = start
    let value = start
    for (const entry of expr.entries) {
      sum = add(add(sum, this.cost(entry.key)), this.cost(entry.value))
      key = union(key, this.#size(entry.key) ?? UNKNOWN)
      value = union(value, this.#size(entry.value) ?? UNKNOWN)
    }
    this.#entries.set(expr.id, { container: 'map', key, value })
    return sum
  }

  #fold(expr: FoldExpr): Interval {
    let sum = add(this.cost(expr.range), this.cost(expr.init))
    this.#push(expr.accuVar, expr.init)
    const variables = this.#iterated(expr)
    this.#locals.push(...variables)
    const loop = this.cost(expr.cond)
    const step = this.cost(expr.step)
    this.#locals.length -= variables.length
    sum = add(sum, this.cost(expr.result))
    this.#locals.pop()
    const turns = this.#size(expr.range) ?? UNKNOWN
    sum = add(sum, multiply(turns, add(step, loop)))
    if (expr.init.kind === 'const') this.#copySizes(expr, expr.init)
    else {
      this.#sizes.set(expr.id, turns)
      const entries = this.#entrySizes(expr.step)
      if (entries !== undefined) this.#entries.set(expr.id, entries)
    }
    return sum
  }

  #iterated(expr: FoldExpr): { readonly name: string; readonly variable: LocalVariable }[] {
    const { iterVar, iterVar2, range } = expr
    const entries = this.#entrySizes(range)
    const isList = (entries?.container ?? this.#type(range).kind) === 'list'
    const path = this.#path(range)
    const variable = (step: string, size: Interval | undefined): LocalVariable => ({ path: [...path, step], size, entries: undefined })
    if (iterVar2 === undefined) {
      return [{ name: iterVar, variable: isList ? variable('@items', entries?.value) : variable('@keys', entries?.key) }]
    }
    return [
      { name: iterVar, variable: variable(isList ? '@indices' : '@keys', entries?.key) },
      { name: iterVar2, variable: variable(isList ? '@items' : '@values', entries?.value) },
    ]
  }

  #bind(expr: FoldExpr): Interval {
    const before = add(this.cost(expr.range), this.cost(expr.init))
    this.#push(expr.accuVar, expr.init)
    const result = this.cost(expr.result)
    this.#copySizes(expr, expr.result)
    this.#locals.pop()
    return add(before, result)
  }

  #push(name: string, init: Expr): void {
    this.#locals.push({ name, variable: { path: this.#path(init), size: this.#size(init), entries: this.#entrySizes(init) } })
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.findLast((item) => item.name === name)?.variable
  }

  #type(expr: Expr): CelType {
    return this.#checked.types.get(expr.id) ?? DYN
  }

  #path(expr: Expr): readonly string[] {
    if (expr.kind === 'ident') {
      const local = this.#local(expr.name)
      if (local !== undefined) return local.path
    }
    return this.#paths.get(expr.id) ?? []
  }

  /** Paths through accumulators say nothing about the data. */
  #visiblePath(expr: Expr): readonly string[] {
    const path = this.#path(expr)
    return path[0] === ACCUMULATOR ? [] : path
  }

  #size(expr: Expr): Interval | undefined {
    const known = this.#sizes.get(expr.id) ?? exprSize(expr)
    if (known !== undefined) return known
    const type = this.#type(expr)
    const hinted = this.#hints.sizeAt(this.#path(expr), type)
    if (hinted !== undefined) {
      this.#sizes.set(expr.id, hinted)
      return hinted
    }
    if (isScalar(type)) return ONE
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined
  }

  #entrySizes(expr: Expr): EntrySizes | undefined {
    return this.#entries.get(expr.id) ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entries : undefined)
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#size(from)
    if (size !== undefined) this.#sizes.set(to.id, size)
    const entries = this.#entrySizes(from)
    if (entries !== undefined) this.#entries.set(to.id, entries)
  }
}

function unionEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  if (a === undefined || b === undefined) return undefined
  return { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) }
}

function exprSize(expr: Expr): Interval | undefined {
  if (expr.kind === 'const') return fixed(sizeOf(expr.value))
  if (expr.kind === 'list') return fixed(expr.elements.length)
  return expr.kind === 'map' ? fixed(expr.entries.length) : undefined
}

const SCALARS: ReadonlySet<string> = new Set(['bool', 'int', 'uint', 'double', 'duration', 'timestamp'])

function isScalar(type: CelType): boolean {
  const element = optionalElement(type)
  return element === undefined ? SCALARS.has(type.kind) : isScalar(element)
}
