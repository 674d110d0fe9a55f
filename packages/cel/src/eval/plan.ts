import { LIST_COST, MAP_COST, STRUCT_COST } from '../cost/interval.ts'
import type { CallExpr, Expr, ListExpr, MapExpr, SelectExpr, StructExpr } from '../syntax/ast.ts'
import type { Checked } from '../types/checker.ts'
import { DYN } from '../types/type.ts'
import { BINARY, UNARY } from './builtin.ts'
import { planDispatch } from './dispatch.ts'
import { insert } from './insert.ts'
import { Fault, faultOf, noSuchOverload } from './fault.ts'
import { charge, type Step } from './frame.ts'
import { planFold, type FoldPlanner, type Local } from './plan-fold.ts'
import { hasField, indexValue, optionalIndex, optionalSelect, selectField, showKey } from './operators.ts'
import { ArrayList, EntryMap, OptionalValue, type MapKey, type Value } from './value.ts'

export interface PlanOptions {
  /** Literals made only of constants are built once and cost nothing when run, as with cel-go's optimiser. */
  readonly foldConstants: boolean
}

export interface Plan {
  readonly step: Step
  /** The outer variables the expression reads, by slot from 0. */
  readonly variables: readonly string[]
  readonly slots: number
}

/** Turns a checked tree into closures. Names are resolved to slots here, so running looks nothing up. */
export function plan(expr: Expr, checked: Checked, options: PlanOptions): Plan {
  const planner = new Planner(checked, options)
  const step = planner.plan(expr)
  return { step, variables: planner.variables, slots: planner.slots }
}

class Planner implements FoldPlanner {
  readonly checked: Checked
  readonly options: PlanOptions
  readonly variables: string[] = []
  readonly #locals: { readonly name: string; readonly local: Local }[] = []
  readonly #slotOf = new Map<string, number>()
  slots = 0

  constructor(checked: Checked, options: PlanOptions) {
    this.checked = checked
    this.options = options
    // Outer variables first: evaluation fills the first slots in this order.
    for (const reference of checked.references.values()) {
      if (reference.kind === 'name' && reference.declared.kind === 'variable') this.#outer(reference.declared.name)
    }
  }

  plan(expr: Expr): Step {
    switch (expr.kind) {
      case 'const': {
        const { value } = expr
        return () => value
      }
      case 'ident':
        return this.attribute(expr, 1)
      case 'select':
        return expr.test ? this.#presence(expr) : this.attribute(expr, 1)
      case 'call':
        return isAttribute(expr) ? this.attribute(expr, 1) : this.#call(expr)
      case 'list':
        return this.#list(expr)
      case 'map':
        return this.#map(expr)
      case 'struct':
        return this.#struct(expr)
      case 'fold':
        return planFold(this, expr)
    }
  }

  newSlot(): number {
    return this.slots++
  }

  within<T>(locals: readonly { readonly name: string; readonly local: Local }[], work: () => T): T {
    this.#locals.push(...locals)
    const result = work()
    this.#locals.length -= locals.length
    return result
  }

  #outer(name: string): number {
    const known = this.#slotOf.get(name)
    if (known !== undefined) return known
    const slot = this.newSlot()
    this.#slotOf.set(name, slot)
    this.variables.push(name)
    return slot
  }

  /**
   * A variable with the selections and indices applied to it. cel-go charges one for such a chain as a whole and one
   * for each link; inside another chain (an index, a branch of `?:`, `has`) the one for the whole is not charged:
   * `base` says which it is.
   */
  attribute(expr: Expr, base: 0 | 1): Step {
    const reference = this.checked.references.get(expr.id)
    if (reference?.kind === 'name') {
      if (reference.declared.kind === 'constant') {
        const { value } = reference.declared
        return () => value
      }
      return readSlot(this.#outer(reference.declared.name), reference.declared.name, base)
    }
    if (expr.kind === 'ident') return this.#local(expr.name, base)
    if (expr.kind === 'select') return this.#select(expr, base)
    if (expr.kind !== 'call') return this.plan(expr)
    if (expr.fn === '_?_:_') return this.#conditional(expr)
    return this.#link(expr, base)
  }

  #local(name: string, base: 0 | 1): Step {
    const local = this.#locals.findLast((item) => item.name === name)?.local
    if (local === undefined) return fail(`no such attribute(s): ${name}`)
    const { slot, init } = local
    if (init === undefined) return readSlot(slot, name, base)
    return (frame) => {
      charge(frame, base)
      const known = frame.slots[slot]
      if (known !== undefined) return known
      const value = init(frame)
      frame.slots[slot] = value
      return value
    }
  }

  /** The thing links are applied to; what is no chain itself becomes one, which cel-go charges for. */
  #root(expr: Expr, base: 0 | 1): Step {
    if (isAttribute(expr)) return this.attribute(expr, base)
    const step = this.plan(expr)
    if (base === 0) return step
    return (frame) => {
      charge(frame, 1)
      return step(frame)
    }
  }

  #select(expr: SelectExpr, base: 0 | 1): Step {
    const { field } = expr
    const operand = this.#root(expr.operand, base)
    return (frame) => {
      charge(frame, 1)
      return selectField(operand(frame), field)
    }
  }

  #link(expr: CallExpr, base: 0 | 1): Step {
    const [operandExpr, indexExpr] = expr.args as [Expr, Expr]
    const operand = this.#root(operandExpr, base)
    if (expr.fn === '_?._' && indexExpr.kind === 'const') {
      const field = String(indexExpr.value)
      return (frame) => {
        charge(frame, 1)
        return optionalSelect(operand(frame), field)
      }
    }
    const index = isAttribute(indexExpr) ? this.attribute(indexExpr, 0) : this.plan(indexExpr)
    const apply = expr.fn === '_[?_]' ? optionalIndex : indexValue
    return (frame) => {
      const target = operand(frame)
      const key = index(frame)
      charge(frame, 1)
      return apply(target, key)
    }
  }

  #conditional(expr: CallExpr): Step {
    const [conditionExpr, yesExpr, noExpr] = expr.args as [Expr, Expr, Expr]
    const condition = this.plan(conditionExpr)
    const branch = (branchExpr: Expr): Step => (isAttribute(branchExpr) ? this.attribute(branchExpr, 0) : this.plan(branchExpr))
    const yes = branch(yesExpr)
    const no = branch(noExpr)
    return (frame) => {
      const test = condition(frame)
      if (test === true) return yes(frame)
      if (test === false) return no(frame)
      throw noSuchOverload()
    }
  }

  #presence(expr: SelectExpr): Step {
    const { field } = expr
    const operand = this.#root(expr.operand, 0)
    return (frame) => hasField(operand(frame), field)
  }

  #call(expr: CallExpr): Step {
    const [first, second] = expr.args
    if (first !== undefined && second !== undefined && expr.target === undefined) {
      if (expr.fn === '_&&_') return this.#logical(first, second, false)
      if (expr.fn === '_||_') return this.#logical(first, second, true)
      const binary = BINARY.get(expr.fn)
      if (binary !== undefined) return this.#binary(expr.fn, first, second)
    }
    const unary = expr.args.length === 1 && first !== undefined ? UNARY.get(expr.fn) : undefined
    if (unary !== undefined && first !== undefined) {
      const operand = this.plan(first)
      return (frame) => {
        const result = unary(operand(frame))
        charge(frame, 1)
        return result
      }
    }
    const reference = this.checked.references.get(expr.id)
    if (reference?.kind !== 'call') return fail(`unbound function: ${expr.fn}`)
    const inputs = expr.target === undefined || reference.namespaced ? expr.args : [expr.target, ...expr.args]
    const types = inputs.map((input) => this.checked.types.get(input.id) ?? DYN)
    return planDispatch(
      reference.fn,
      reference.overloads,
      inputs.map((input) => this.plan(input)),
      types,
    )
  }

  #binary(fn: string, first: Expr, second: Expr): Step {
    const operator = BINARY.get(fn)
    if (operator === undefined) return fail(`unbound function: ${fn}`)
    const { run, cost } = operator
    const left = this.plan(first)
    const right = this.plan(second)
    if (fn === '@in' && this.options.foldConstants && this.constant(second) !== undefined) {
      return (frame) => run(left(frame), right(frame))
    }
    return (frame) => {
      const a = left(frame)
      const b = right(frame)
      const result = run(a, b)
      charge(frame, cost(a, b))
      return result
    }
  }

  /** `&&` and `||`: the deciding value wins over a failure of the other side. */
  #logical(first: Expr, second: Expr, decides: boolean): Step {
    const left = this.plan(first)
    const right = this.plan(second)
    return (frame) => {
      let fault: Fault | undefined
      try {
        const a = left(frame)
        if (a === decides) return decides
        if (a !== !decides) fault = noSuchOverload()
      } catch (thrown) {
        fault = faultOf(thrown)
      }
      const b = right(frame)
      if (b === decides) return decides
      if (fault !== undefined) throw fault
      if (b === !decides) return !decides
      throw noSuchOverload()
    }
  }

  /** The value of a literal made only of constants. */
  constant(expr: Expr): Value | undefined {
    if (expr.kind === 'const') return expr.value
    if (expr.kind === 'list' && expr.optional.size === 0) {
      const items = expr.elements.map((element) => this.constant(element))
      return items.includes(undefined) ? undefined : new ArrayList(items as Value[])
    }
    return undefined
  }

  #list(expr: ListExpr): Step {
    const folded = this.constant(expr)
    if (folded !== undefined) return constantStep(folded, this.options.foldConstants ? 0 : constantCost(expr))
    const elements = expr.elements.map((element) => this.plan(element))
    const { optional } = expr
    return (frame) => {
      const items: Value[] = []
      for (let i = 0; i < elements.length; i++) {
        const value = (elements[i] as Step)(frame)
        if (!optional.has(i)) items.push(value)
        else if (!(value instanceof OptionalValue))
          throw new Fault(`cannot initialize optional list element from non-optional value ${showKey(value)}`)
        else if (value.value !== undefined) items.push(value.value)
      }
      charge(frame, LIST_COST)
      return new ArrayList(items)
    }
  }

  #struct(expr: StructExpr): Step {
    const reference = this.checked.references.get(expr.id)
    if (reference?.kind !== 'struct') return fail(`unresolved type: ${expr.name}`)
    const { struct } = reference
    const fields = expr.fields.map(({ field, value, optional }) => ({ field, value: this.plan(value), optional }))
    return (frame) => {
      const values = new Map<string, Value>()
      for (const { field, value: step, optional } of fields) {
        const value = optional ? unwrapEntry(step(frame)) : step(frame)
        if (value !== undefined) values.set(field, value)
      }
      charge(frame, STRUCT_COST)
      return struct.make(values)
    }
  }

  #map(expr: MapExpr): Step {
    if (expr.entries.length === 0 && this.options.foldConstants) return constantStep(new EntryMap(new Map()), 0)
    const entries = expr.entries.map((entry) => ({ key: this.plan(entry.key), value: this.plan(entry.value), optional: entry.optional }))
    return (frame) => {
      const map = new Map<MapKey, readonly [Value, Value]>()
      for (const entry of entries) {
        const key = entry.key(frame)
        const value = entry.value(frame)
        insert(map, key, entry.optional ? unwrapEntry(value) : value)
      }
      charge(frame, MAP_COST)
      return new EntryMap(map)
    }
  }
}

function unwrapEntry(value: Value): Value | undefined {
  if (value instanceof OptionalValue) return value.value
  throw new Fault(`cannot initialize optional entry from non-optional value ${showKey(value)}`)
}

const CHAIN: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._', '_?_:_'])

/** Is the expression a chain in cel-go's sense? */
function isAttribute(expr: Expr): boolean {
  if (expr.kind === 'ident') return true
  if (expr.kind === 'select') return !expr.test
  return expr.kind === 'call' && expr.target === undefined && CHAIN.has(expr.fn)
}

function readSlot(slot: number, name: string, base: 0 | 1): Step {
  return (frame) => {
    charge(frame, base)
    const value = frame.slots[slot]
    if (value === undefined) throw new Fault(`no such attribute(s): ${name}`)
    return value
  }
}

function constantStep(value: Value, cost: number): Step {
  if (cost === 0) return () => value
  return (frame) => {
    charge(frame, cost)
    return value
  }
}

function constantCost(expr: Expr): number {
  return expr.kind === 'list' ? expr.elements.reduce((sum, element) => sum + constantCost(element), LIST_COST) : 0
}

function fail(message: string): Step {
  return () => {
    throw new Fault(message)
  }
}
