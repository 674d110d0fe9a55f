import type { Overload } from '../library/library.ts'
import type { CelType } from '../types/type.ts'
import { Fault } from './fault.ts'
import { charge, type Step } from './frame.ts'
import {
  Double,
  Duration,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  isInt,
  typeName,
  type Value,
} from './value.ts'

type Run = (...args: Value[]) => Value

/**
 * A call of a library function. One overload whose argument types are known is called directly; otherwise the
 * first whose declared types the values have.
 */
export function planDispatch(name: string, overloads: readonly Overload[], args: readonly Step[], argTypes: readonly CelType[]): Step {
  const [only] = overloads
  if (overloads.length === 1 && only !== undefined && argTypes.every((type, i) => certain(type, only.args[i]))) return direct(only, args)
  const candidates = overloads.map((overload) => ({ overload, guards: overload.args.map(guardFor) }))
  return (frame) => {
    const values = args.map((arg) => arg(frame))
    for (const { overload, guards } of candidates) {
      if (!guards.every((guard, i) => guard(values[i] as Value))) continue
      const result = (overload.run as Run)(...values)
      charge(frame, overload.cost === undefined ? 1 : overload.cost(values, result))
      return result
    }
    throw new Fault(`no such overload: ${name}(${values.map(typeName).join(', ')})`)
  }
}

function direct(overload: Overload, args: readonly Step[]): Step {
  const run = overload.run as Run
  const { cost } = overload
  const [first, second] = args
  if (cost === undefined && args.length === 1 && first !== undefined) {
    return (frame) => {
      const result = run(first(frame))
      charge(frame, 1)
      return result
    }
  }
  if (args.length === 2 && first !== undefined && second !== undefined) {
    return (frame) => {
      const a = first(frame)
      const b = second(frame)
      const result = run(a, b)
      charge(frame, cost === undefined ? 1 : cost([a, b], result))
      return result
    }
  }
  return (frame) => {
    const values = args.map((arg) => arg(frame))
    const result = run(...values)
    charge(frame, cost === undefined ? 1 : cost(values, result))
    return result
  }
}

/** Is a value of this static type sure to fit the declared one? */
function certain(actual: CelType, declared: CelType | undefined): boolean {
  if (declared === undefined) return false
  if (declared.kind === 'dyn' || declared.kind === 'param') return true
  if (actual.kind === 'dyn' || actual.kind === 'error' || actual.kind === 'null' || actual.kind === 'param') return false
  if (declared.kind === 'list' && actual.kind === 'list') return certain(actual.elem, declared.elem)
  return declared.kind === actual.kind
}

type Guard = (value: Value) => boolean

/** Elements are looked at too: `sum()` of a list of strings must not be found. */
export function guardFor(type: CelType): Guard {
  switch (type.kind) {
    case 'bool':
      return (value) => typeof value === 'boolean'
    case 'int':
      return isInt
    case 'uint':
      return (value) => value instanceof Uint
    case 'double':
      return (value) => value instanceof Double
    case 'string':
      return (value) => typeof value === 'string'
    case 'bytes':
      return (value) => value instanceof Uint8Array
    case 'null':
      return (value) => value === null
    case 'duration':
      return (value) => value instanceof Duration
    case 'timestamp':
      return (value) => value instanceof Timestamp
    case 'type':
      return (value) => value instanceof TypeValue
    case 'list': {
      const { elem } = type
      if (elem.kind === 'dyn' || elem.kind === 'param') return (value) => value instanceof ListValue
      const guard = guardFor(elem)
      return (value) => value instanceof ListValue && [...value].every(guard)
    }
    case 'map':
    case 'object':
      return (value) => value instanceof MapValue
    case 'opaque': {
      const { name } = type
      if (name === 'optional_type') return (value) => value instanceof OptionalValue
      return (value) => value instanceof OpaqueValue && value.type.kind === 'opaque' && value.type.name === name
    }
    default:
      return () => true
  }
}
