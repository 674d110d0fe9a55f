import { equals } from './equality.ts'
import { Fault, noSuchOverload } from './fault.ts'
import {
  addInts,
  addUints,
  divideInts,
  multiplyInts,
  multiplyUints,
  negateInt,
  remainderInts,
  subtractInts,
  subtractUints,
} from './numbers.ts'
import { checkTextSize } from './size-limit.ts'
import { checkDuration, checkTimestamp } from './time.ts'
import { StructValue } from './struct-value.ts'
import {
  ArrayList,
  Double,
  Duration,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  Uint,
  isInt,
  mapKey,
  typeName,
  type Value,
} from './value.ts'

/** The operators, each for whatever values turn up: after the checker only dyn values can be of a wrong type. */
export function plus(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return addInts(a, b)
  if (typeof a === 'string' && typeof b === 'string') {
    checkTextSize(a.length + b.length)
    return a + b
  }
  if (isInt(a) && isInt(b)) return addInts(a, b)
  if (a instanceof Double && b instanceof Double) return new Double(a.value + b.value)
  if (a instanceof ListValue && b instanceof ListValue) return a.concat(b) ?? new ArrayList([...a, ...b])
  if (a instanceof Uint && b instanceof Uint) return new Uint(addUints(a.value, b.value))
  if (a instanceof Uint8Array && b instanceof Uint8Array) return concatBytes(a, b)
  if (a instanceof Duration && b instanceof Duration) return checkDuration(a.nanos + b.nanos)
  if (a instanceof Timestamp && b instanceof Duration) return checkTimestamp(a.nanos + b.nanos)
  if (a instanceof Duration && b instanceof Timestamp) return checkTimestamp(a.nanos + b.nanos)
  throw noSuchOverload()
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}

export function minus(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return subtractInts(a, b)
  if (a instanceof Double && b instanceof Double) return new Double(a.value - b.value)
  if (a instanceof Uint && b instanceof Uint) return new Uint(subtractUints(a.value, b.value))
  if (a instanceof Duration && b instanceof Duration) return checkDuration(a.nanos - b.nanos)
  if (a instanceof Timestamp && b instanceof Timestamp) return checkDuration(a.nanos - b.nanos)
  if (a instanceof Timestamp && b instanceof Duration) return checkTimestamp(a.nanos - b.nanos)
  throw noSuchOverload()
}

export function times(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return multiplyInts(a, b)
  if (a instanceof Double && b instanceof Double) return new Double(a.value * b.value)
  if (a instanceof Uint && b instanceof Uint) return new Uint(multiplyUints(a.value, b.value))
  throw noSuchOverload()
}

export function over(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return divideInts(a, b)
  if (a instanceof Double && b instanceof Double) return new Double(a.value / b.value)
  if (a instanceof Uint && b instanceof Uint) return new Uint(divideInts(a.value, b.value))
  throw noSuchOverload()
}

export function modulo(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return remainderInts(a, b)
  if (a instanceof Uint && b instanceof Uint) return new Uint(remainderInts(a.value, b.value))
  throw noSuchOverload()
}

export function negate(a: Value): Value {
  if (isInt(a)) return negateInt(a)
  if (a instanceof Double) return new Double(-a.value)
  throw noSuchOverload()
}

export function contains(element: Value, container: Value): boolean {
  if (container instanceof ListValue) {
    const size = container.size
    for (let i = 0; i < size; i++) if (equals(container.at(i), element)) return true
    return false
  }
  if (container instanceof MapValue) return container.find(element) !== undefined
  throw noSuchOverload()
}

/** `operand[index]`; undefined when the key or index is not there. */
export function lookUp(operand: Value, index: Value): Value | undefined {
  if (operand instanceof MapValue) {
    if (mapKey(index) === undefined && !(index instanceof Double)) throw noSuchOverload()
    return operand.find(index)
  }
  if (operand instanceof ListValue) {
    const at = listIndex(index)
    return at < 0 || at >= operand.size ? undefined : operand.at(at)
  }
  // Nothing is inside null or a number: a missing key, as in cel-go.
  return undefined
}

function listIndex(index: Value): number {
  if (typeof index === 'number') return index
  if (typeof index === 'bigint') return -1
  // Doubles and uints count when they are whole: dyn values may carry them.
  if (!(index instanceof Double || index instanceof Uint)) throw new Fault(`unsupported index type '${typeName(index)}' in list`)
  const key = mapKey(index)
  if (key === undefined) throw new Fault(`unsupported index value ${showKey(index)} in list`)
  return typeof key === 'number' ? key : -1
}

export function indexValue(operand: Value, index: Value): Value {
  if (operand instanceof OptionalValue) return optionalIndex(operand, index)
  const found = lookUp(operand, index)
  if (found !== undefined) return found
  throw new Fault(operand instanceof ListValue ? `index out of bounds: ${showKey(index)}` : `no such key: ${showKey(index)}`)
}

export function optionalIndex(operand: Value, index: Value): Value {
  const inner = operand instanceof OptionalValue ? operand.value : operand
  if (inner === undefined) return operand
  const found = lookUp(inner, index)
  return found instanceof OptionalValue ? found : new OptionalValue(found)
}

export function selectField(operand: Value, field: string): Value {
  if (operand instanceof OptionalValue) return optionalSelect(operand, field)
  // A field that was not given to a struct is null.
  const found = operand instanceof StructValue ? (operand.fields.get(field) ?? null) : member(operand, field)
  if (found !== undefined) return found
  throw new Fault(`no such key: ${field}`)
}

export function optionalSelect(operand: Value, field: string): Value {
  const inner = operand instanceof OptionalValue ? operand.value : operand
  if (inner === undefined) return operand
  const found = member(inner, field)
  // What is in an optional is there: asking it for a field that nothing of its kind has is a mistake.
  if (found === undefined && inner !== operand && !(inner instanceof MapValue || inner instanceof StructValue))
    throw new Fault(`no such key: ${field}`)
  return found instanceof OptionalValue ? found : new OptionalValue(found)
}

export function hasField(operand: Value, field: string): boolean {
  if (operand instanceof OptionalValue) return operand.value !== undefined && hasField(operand.value, field)
  return member(operand, field) !== undefined
}

/** What has no fields (null, a number) does not have this one either; only of a list is it wrong to ask. */
function member(operand: Value, field: string): Value | undefined {
  if (operand instanceof MapValue) return operand.field(field)
  if (operand instanceof StructValue) return operand.fields.get(field)
  return operand instanceof ListValue ? operand.at(listIndex(field)) : undefined
}

export function showKey(value: Value): string {
  if (value instanceof Uint || value instanceof Double) return String(value.value)
  return String(value)
}
