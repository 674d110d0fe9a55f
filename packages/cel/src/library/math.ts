import { compare } from '../eval/equality.ts'
import { Fault, noSuchOverload } from '../eval/fault.ts'
import { negateInt } from '../eval/numbers.ts'
import { Double, Uint, intFromBigInt, isInt, type Int, type ListValue, type Value } from '../eval/value.ts'
import { argument, type Macro } from '../syntax/macro.ts'
import { BOOL, DOUBLE, DYN, INT, UINT, listType, type CelType } from '../types/type.ts'
import { fn, overload, type FunctionDecl, type Library } from './library.ts'

/** Numbers: `math.greatest`, rounding, signs and bits. */
const NUMBERS = [INT, UINT, DOUBLE]

/** `math.greatest(a, b, ...)` takes any number of arguments, so it is a macro over a two-argument and a list form. */
function pickMacro(name: string, target: string): Macro {
  return {
    name,
    member: true,
    args: 'any',
    expand: (use) => {
      if (use.target?.kind !== 'ident' || use.target.name !== 'math') return undefined
      const { nodes, at, args } = use
      if (args.length === 0) return use.fail(at, `math.${name}() requires at least one argument`)
      for (const arg of args) {
        const numeric = arg.kind !== 'const' || isInt(arg.value) || arg.value instanceof Uint || arg.value instanceof Double
        if (!numeric) use.fail(arg.at, `math.${name}() invalid argument`)
      }
      if (args.length === 1) {
        const only = argument(use, 0)
        const usable = only.kind !== 'map' && only.kind !== 'struct' && (only.kind !== 'list' || only.elements.length > 0)
        return usable ? nodes.call(at, target, [only]) : use.fail(only.at, `math.${name}() invalid single argument value`)
      }
      return nodes.call(at, target, args.length === 2 ? args : [nodes.list(at, args)])
    },
  }
}

function picked(name: string, better: (order: number) => boolean): FunctionDecl {
  const two = (a: Value, b: Value): Value => (better(compare(b, a)) ? b : a)
  const many = (list: ListValue): Value => {
    if (list.size === 0) throw new Fault(`${name === 'math.@max' ? 'math.greatest' : 'math.least'}(list) argument must not be empty`)
    let best = list.at(0)
    for (let i = 0; i < list.size; i++) best = two(best, list.at(i))
    if (!isInt(best) && !(best instanceof Uint) && !(best instanceof Double)) throw noSuchOverload()
    return best
  }
  const single = NUMBERS.map((type) => overload(`${name}_${type.kind}`, [type], type, (value: Value) => value))
  const pairs = NUMBERS.flatMap((a) => NUMBERS.map((b) => overload(`${name}_${a.kind}_${b.kind}`, [a, b], a === b ? a : DYN, two)))
  const lists = [...NUMBERS, DYN].map((type) => overload(`${name}_list_${type.kind}`, [listType(type)], type, many))
  return fn(name, ...single, ...pairs, ...lists)
}

const onDouble = (name: string, run: (value: number) => number): FunctionDecl =>
  fn(
    name,
    overload(`${name}_double`, [DOUBLE], DOUBLE, (value: Double) => new Double(run(value.value))),
  )
const testDouble = (name: string, run: (value: number) => boolean): FunctionDecl =>
  fn(
    name,
    overload(`${name}_double`, [DOUBLE], BOOL, (value: Double) => run(value.value)),
  )

/** Halves away from zero. */
const round = (value: number): number => (Number.isFinite(value) ? Math.sign(value) * Math.floor(Math.abs(value) + 0.5) : value)

function absolute(value: Value): Value {
  if (value instanceof Double) return new Double(Math.abs(value.value))
  if (value instanceof Uint) return value
  return isInt(value) && value < 0 ? negateInt(value) : value
}

function sign(value: Value): Value {
  if (value instanceof Double) return new Double(Math.sign(value.value))
  if (value instanceof Uint) return new Uint(value.value === 0 ? 0 : 1)
  return isInt(value) ? (value < 0 ? -1 : value > 0 ? 1 : 0) : value
}

const onNumber = (name: string, run: (value: Value) => Value): FunctionDecl =>
  fn(name, ...NUMBERS.map((type) => overload(`${name}_${type.kind}`, [type], type, run)))

const asInt = (value: bigint): Int => intFromBigInt(BigInt.asIntN(64, value))
const asUint = (value: bigint): Uint => new Uint(intFromBigInt(BigInt.asUintN(64, value)))

function bitwise(name: string, run: (a: bigint, b: bigint) => bigint): FunctionDecl {
  return fn(
    name,
    overload(`${name}_int_int`, [INT, INT], INT, (a: Int, b: Int) => asInt(run(BigInt(a), BigInt(b)))),
    overload(`${name}_uint_uint`, [UINT, UINT], UINT, (a: Uint, b: Uint) => asUint(run(BigInt(a.value), BigInt(b.value)))),
  )
}

function shift(name: string, run: (value: bigint, by: bigint) => bigint): FunctionDecl {
  const amount = (by: Int): bigint => {
    if (by < 0) throw new Fault(`${name}() negative offset: ${by}`)
    return by > 63 ? 64n : BigInt(by)
  }
  return fn(
    name,
    // An int is shifted as its 64 bits, so that the sign bit is one like the others.
    overload(`${name}_int_int`, [INT, INT], INT, (value: Int, by: Int) => asInt(run(BigInt.asUintN(64, BigInt(value)), amount(by)))),
    overload(`${name}_uint_int`, [UINT, INT], UINT, (value: Uint, by: Int) => asUint(run(BigInt(value.value), amount(by)))),
  )
}

const INTEGERS: readonly CelType[] = [INT, UINT]

export const MATH: Library = {
  name: 'math',
  macros: [pickMacro('greatest', 'math.@max'), pickMacro('least', 'math.@min')],
  functions: [
    picked('math.@max', (order) => order > 0),
    picked('math.@min', (order) => order < 0),
    onDouble('math.ceil', Math.ceil),
    onDouble('math.floor', Math.floor),
    onDouble('math.round', round),
    onDouble('math.trunc', Math.trunc),
    fn(
      'math.sqrt',
      ...NUMBERS.map((type) => overload(`math_sqrt_${type.kind}`, [type], DOUBLE, (value: Value) => new Double(Math.sqrt(number(value))))),
    ),
    testDouble('math.isNaN', Number.isNaN),
    testDouble('math.isInf', (value) => value === Infinity || value === -Infinity),
    testDouble('math.isFinite', Number.isFinite),
    onNumber('math.abs', absolute),
    onNumber('math.sign', sign),
    bitwise('math.bitAnd', (a, b) => a & b),
    bitwise('math.bitOr', (a, b) => a | b),
    bitwise('math.bitXor', (a, b) => a ^ b),
    fn(
      'math.bitNot',
      ...INTEGERS.map((type) =>
        overload(`math_bitNot_${type.kind}`, [type], type, (value: Value) =>
          value instanceof Uint ? asUint(~BigInt(value.value)) : asInt(~BigInt(value as Int)),
        ),
      ),
    ),
    shift('math.bitShiftLeft', (value, by) => value << by),
    shift('math.bitShiftRight', (value, by) => value >> by),
  ],
}

function number(value: Value): number {
  return value instanceof Double || value instanceof Uint ? Number(value.value) : Number(value)
}
