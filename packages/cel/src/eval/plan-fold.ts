import { LIST_COST, MAP_COST } from '../cost/interval.ts'
import type { Expr, FoldExpr } from '../syntax/ast.ts'
import { insert } from './insert.ts'
import { faultOf, noSuchOverload, type Fault } from './fault.ts'
import { charge, type Frame, type Step } from './frame.ts'
import { ArrayList, EntryMap, ListValue, MapValue, type MapKey, type Value } from './value.ts'

/** A name inside the expression: a slot, and for `cel.bind` how to fill it on first use. */
export interface Local {
  readonly slot: number
  readonly init?: Step
}

/** What planning a comprehension needs of the planner around it. */
export interface FoldPlanner {
  readonly options: { readonly foldConstants: boolean }
  plan(expr: Expr): Step
  newSlot(): number
  /** Plans with extra names in scope. */
  within<T>(locals: readonly { readonly name: string; readonly local: Local }[], work: () => T): T
}

/**
 * Comprehensions as loops. Each charges what cel-go charges for the expanded form of the macro: reading and testing
 * the accumulator, appending to it, and reading the result.
 */
export function planFold(planner: FoldPlanner, expr: FoldExpr): Step {
  const { shape } = expr
  if (shape.op === 'bind') return planBind(planner, expr)
  const range = planner.plan(expr.range)
  const first = { name: expr.iterVar, local: { slot: planner.newSlot() } }
  const second = expr.iterVar2 === undefined ? undefined : { name: expr.iterVar2, local: { slot: planner.newSlot() } }
  const locals = second === undefined ? [first] : [first, second]
  const loop = iterate(range, first.local.slot, second?.local.slot)
  const inner = (body: Expr): Step => planner.within(locals, () => planner.plan(body))
  const free = planner.options.foldConstants
  switch (shape.op) {
    case 'all':
    case 'exists':
      return quantify(loop, inner(shape.body), shape.op === 'exists')
    case 'existsOne':
      return countOne(loop, inner(shape.body))
    case 'list': {
      const filter = shape.filter === undefined ? undefined : inner(shape.filter)
      return collect(loop, filter, inner(shape.transform), free ? 0 : LIST_COST)
    }
    case 'map':
    case 'mapEntry': {
      const filter = shape.filter === undefined ? undefined : inner(shape.filter)
      const key = shape.op === 'map' ? first.local.slot : undefined
      return collectEntries(loop, filter, inner(shape.transform), key, free ? 0 : MAP_COST)
    }
  }
}

/** Calls `visit` for each element with the variables set; stops when it answers true. */
type Loop = (frame: Frame, visit: () => boolean) => void

function iterate(range: Step, slot: number, slot2: number | undefined): Loop {
  return (frame, visit) => {
    const over = range(frame)
    const { slots } = frame
    if (over instanceof ListValue) {
      const size = over.size
      for (let i = 0; i < size; i++) {
        const value = over.at(i)
        slots[slot] = slot2 === undefined ? value : i
        if (slot2 !== undefined) slots[slot2] = value
        if (visit()) return
      }
      return
    }
    if (!(over instanceof MapValue)) throw noSuchOverload()
    for (const key of over.keys()) {
      slots[slot] = key
      if (slot2 !== undefined) slots[slot2] = over.find(key)
      if (visit()) return
    }
  }
}

/** `all` and `exists`: a deciding element wins over elements that fail. */
function quantify(loop: Loop, body: Step, decides: boolean): Step {
  const test = decides ? 3 : 2
  return (frame) => {
    let fault: Fault | undefined
    let decided = false
    loop(frame, () => {
      charge(frame, test)
      // The loop's own test ends it, one turn after the deciding element.
      if (decided) return true
      charge(frame, 1)
      try {
        const result = body(frame)
        if (result === decides) decided = true
        else if (result !== !decides) fault ??= noSuchOverload()
      } catch (thrown) {
        fault ??= faultOf(thrown)
      }
      return false
    })
    charge(frame, 1)
    if (decided) return decides
    if (fault !== undefined) throw fault
    return !decides
  }
}

function countOne(loop: Loop, body: Step): Step {
  return (frame) => {
    let count = 0
    loop(frame, () => {
      const matches = truth(body(frame))
      charge(frame, matches ? 2 : 1)
      if (matches) count++
      return false
    })
    charge(frame, 2)
    return count === 1
  }
}

function collect(loop: Loop, filter: Step | undefined, transform: Step, start: number): Step {
  return (frame) => {
    const items: Value[] = []
    charge(frame, start)
    loop(frame, () => {
      if (filter !== undefined && !truth(filter(frame))) {
        charge(frame, 1)
        return false
      }
      items.push(transform(frame))
      charge(frame, 2 + LIST_COST)
      return false
    })
    charge(frame, 1)
    return new ArrayList(items)
  }
}

function collectEntries(loop: Loop, filter: Step | undefined, transform: Step, keySlot: number | undefined, start: number): Step {
  return (frame) => {
    const map = new Map<MapKey, readonly [Value, Value]>()
    charge(frame, start)
    loop(frame, () => {
      if (filter !== undefined && !truth(filter(frame))) {
        charge(frame, 1)
        return false
      }
      const value = transform(frame)
      if (keySlot === undefined) {
        if (!(value instanceof MapValue)) throw noSuchOverload()
        for (const key of value.keys()) insert(map, key, value.find(key))
        charge(frame, 2)
      } else {
        insert(map, frame.slots[keySlot] as Value, value)
        charge(frame, 3)
      }
      return false
    })
    charge(frame, 1)
    return new EntryMap(map)
  }
}

/** `cel.bind`: computed when first read, and once. */
function planBind(planner: FoldPlanner, expr: FoldExpr): Step {
  const slot = planner.newSlot()
  const init = planner.plan(expr.init)
  const result = planner.within([{ name: expr.accuVar, local: { slot, init } }], () => planner.plan(expr.result))
  const start = planner.options.foldConstants ? 0 : LIST_COST
  return (frame) => {
    charge(frame, start)
    frame.slots[slot] = undefined
    return result(frame)
  }
}

function truth(value: Value): boolean {
  if (typeof value === 'boolean') return value
  throw noSuchOverload()
}
