import {
  REGEX_FACTOR,
  STRING_FACTOR,
  ONE,
  add,
  interval,
  multiply,
  scale,
  type CallEstimate,
  type EstimateContext,
  type Interval,
} from '../cost/interval.ts'
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint } from '../eval/convert.ts'
import { noSuchOverload } from '../eval/fault.ts'
import { TypeValue, codePoints, sizeOf, typeName, type ListValue, type MapValue, type Value } from '../eval/value.ts'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
  UINT,
  listType,
  mapType,
  optionalType,
  paramType,
  sameType,
  typeType,
  type CelType,
} from '../types/type.ts'
import { fn, memberOverload, overload, type FunctionDecl, type Library, type Overload } from './library.ts'
import { matchesPattern } from './pattern.ts'
import { TIME_FUNCTIONS } from './time-accessors.ts'

/** The functions and operators of the language itself. Operators are run by the interpreter; here are their types and costs. */
const A = paramType('A')
const B = paramType('B')
const LIST_A = listType(A)
const MAP_AB = mapType(A, B)

const byInterpreter = (): never => {
  throw noSuchOverload()
}

type Estimate = NonNullable<Overload['estimate']>
const op = (id: string, args: readonly CelType[], result: CelType, estimate?: Estimate): Overload =>
  overload(id, args, result, byInterpreter, estimate === undefined ? {} : { estimate })

/** Equality and order look at no more than the shorter operand. */
const estimateSmaller: Estimate = ({ args: [a, b] }) => {
  if (a === undefined || b === undefined) return undefined
  const max = a.size.max < b.size.max ? a.size.max : b.size.max
  return { cost: scale(interval(max > 0n ? 1n : 0n, max), STRING_FACTOR) }
}

/** Two values of one library type are compared in one step. */
const estimateEqual: Estimate = (context) => {
  const [a, b] = context.args
  const opaque = a?.type.kind === 'opaque' && a.type.params.length === 0 && b !== undefined && sameType(a.type, b.type)
  return opaque ? { cost: ONE } : estimateSmaller(context)
}

const estimateJoined: Estimate = ({ args: [a, b] }) => {
  if (a === undefined || b === undefined) return undefined
  const size = add(a.size, b.size)
  return { cost: scale(size, STRING_FACTOR), size }
}

const estimateListConcat: Estimate = ({ args: [a, b] }) =>
  a === undefined || b === undefined ? undefined : { cost: ONE, size: add(a.size, b.size) }

function ordered(name: string, id: string): FunctionDecl {
  const plain = [BOOL, INT, UINT, DOUBLE, TIMESTAMP, DURATION].map((type) => op(`${id}_${type.kind}`, [type, type], BOOL))
  const texts = [STRING, BYTES].map((type) => op(`${id}_${type.kind}`, [type, type], BOOL, estimateSmaller))
  const mixed = [
    [INT, UINT],
    [INT, DOUBLE],
    [UINT, INT],
    [UINT, DOUBLE],
    [DOUBLE, INT],
    [DOUBLE, UINT],
  ] as const
  return fn(name, ...plain, ...texts, ...mixed.map(([a, b]) => op(`${id}_${a.kind}_${b.kind}`, [a, b], BOOL)))
}

const numeric = (name: string, id: string, types: readonly CelType[]): FunctionDecl =>
  fn(name, ...types.map((type) => op(`${id}_${type.kind}`, [type, type], type)))

const NUMBERS = [INT, UINT, DOUBLE]

const OPERATORS: readonly FunctionDecl[] = [
  fn('_?_:_', op('conditional', [BOOL, A, A], A)),
  fn('_&&_', op('logical_and', [BOOL, BOOL], BOOL)),
  fn('_||_', op('logical_or', [BOOL, BOOL], BOOL)),
  fn('!_', op('logical_not', [BOOL], BOOL)),
  fn('@not_strictly_false', op('not_strictly_false', [BOOL], BOOL)),
  fn('_==_', op('equals', [A, A], BOOL, estimateEqual)),
  fn('_!=_', op('not_equals', [A, A], BOOL, estimateSmaller)),
  ordered('_<_', 'less'),
  ordered('_<=_', 'less_equals'),
  ordered('_>_', 'greater'),
  ordered('_>=_', 'greater_equals'),
  fn(
    '_+_',
    ...NUMBERS.map((type) => op(`add_${type.kind}`, [type, type], type)),
    op('add_string', [STRING, STRING], STRING, estimateJoined),
    op('add_bytes', [BYTES, BYTES], BYTES, estimateJoined),
    op('add_list', [LIST_A, LIST_A], LIST_A, estimateListConcat),
    op('add_duration_duration', [DURATION, DURATION], DURATION),
    op('add_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP),
    op('add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP),
  ),
  fn(
    '_-_',
    ...NUMBERS.map((type) => op(`subtract_${type.kind}`, [type, type], type)),
    op('subtract_timestamp_timestamp', [TIMESTAMP, TIMESTAMP], DURATION),
    op('subtract_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP),
    op('subtract_duration_duration', [DURATION, DURATION], DURATION),
  ),
  numeric('_*_', 'multiply', NUMBERS),
  numeric('_/_', 'divide', NUMBERS),
  numeric('_%_', 'modulo', [INT, UINT]),
  fn('-_', op('negate_int', [INT], INT), op('negate_double', [DOUBLE], DOUBLE)),
  fn(
    '_[_]',
    op('index_list', [LIST_A, INT], A),
    op('index_map', [MAP_AB, A], B),
    op('optional_list_index_int', [optionalType(LIST_A), INT], optionalType(A)),
    op('optional_map_index_value', [optionalType(MAP_AB), A], optionalType(B)),
  ),
  fn(
    '@in',
    op('in_list', [A, LIST_A], BOOL, ({ args: [, list] }) => (list === undefined ? undefined : { cost: scale(list.size, 1) })),
    op('in_map', [A, MAP_AB], BOOL),
  ),
]

const traversal = (args: readonly Value[]): number => Math.ceil(sizeOf(args[0] as Value) * STRING_FACTOR)
const estimateArg =
  (size: (input: Interval) => Interval): Estimate =>
  ({ args: [arg] }) =>
    arg === undefined ? undefined : { cost: scale(arg.size, STRING_FACTOR), size: size(arg.size) }

function conversion(
  name: string,
  result: CelType,
  from: readonly CelType[],
  run: (value: Value) => Value,
  special: readonly Overload[] = [],
): FunctionDecl {
  return fn(name, ...special, ...from.map((type) => overload(`${type.kind}_to_${name}`, [type], result, run)))
}

const CONVERSIONS: readonly FunctionDecl[] = [
  conversion('int', INT, [INT, UINT, DOUBLE, STRING, TIMESTAMP, DURATION], toInt),
  conversion('uint', UINT, [UINT, INT, DOUBLE, STRING], toUint),
  conversion('double', DOUBLE, [DOUBLE, INT, UINT, STRING], toDouble),
  conversion('bool', BOOL, [BOOL, STRING], toBool),
  conversion('string', STRING, [STRING, BOOL, INT, UINT, DOUBLE, TIMESTAMP, DURATION], toText, [
    overload('bytes_to_string', [BYTES], STRING, toText, {
      cost: traversal,
      estimate: estimateArg(({ min, max }) => interval(min / 4n, max)),
    }),
  ]),
  conversion('bytes', BYTES, [BYTES], toBytes, [
    overload('string_to_bytes', [STRING], BYTES, toBytes, {
      cost: traversal,
      estimate: estimateArg(({ min, max }) => multiply(interval(min, max), interval(1n, 4n))),
    }),
  ]),
  conversion('timestamp', TIMESTAMP, [TIMESTAMP, INT, STRING], toTimestamp),
  conversion('duration', DURATION, [DURATION, INT, STRING], toDuration),
  fn(
    'dyn',
    overload('to_dyn', [A], DYN, (value: Value) => value, {
      estimate: ({ args: [arg] }) => (arg === undefined ? undefined : { cost: ONE, size: arg.size }),
    }),
  ),
  fn(
    'type',
    overload('type', [A], typeType(A), (value: Value) => new TypeValue(typeName(value))),
  ),
]

const textSize = (text: string): number => codePoints(text)
const sized = (value: ListValue | MapValue | Uint8Array): number => (value instanceof Uint8Array ? value.length : value.size)

function bothWays(
  name: string,
  id: string,
  args: readonly CelType[],
  result: CelType,
  run: Overload['run'],
  costs: Pick<Overload, 'cost' | 'estimate'> = {},
): FunctionDecl {
  return fn(name, overload(id, args, result, run, costs), memberOverload(`${id}_member`, args, result, run, costs))
}

const sizeFunctions = [STRING, BYTES, LIST_A, MAP_AB].map((type) =>
  bothWays('size', `size_${type.kind}`, [type], INT, type === STRING ? textSize : sized),
)

/** Only the prefix or suffix is looked at statically; at run time the text is what is known. */
const affix: Pick<Overload, 'cost' | 'estimate'> = {
  cost: traversal,
  estimate: ({ args: [arg] }) => (arg === undefined ? undefined : { cost: scale(arg.size, STRING_FACTOR) }),
}

const sizeCost = (value: Value | undefined, factor: number, extra = 0): number => Math.ceil((extra + sizeOf(value as Value)) * factor)

/** A regular expression takes time in proportion to text times pattern. */
export const regexCosts: Pick<Overload, 'cost' | 'estimate'> = {
  cost: ([text, pattern]) => sizeCost(text, STRING_FACTOR, 1) * sizeCost(pattern, REGEX_FACTOR),
  estimate: (context) => estimateRegex(context),
}

export function estimateRegex({ target, args }: EstimateContext): CallEstimate | undefined {
  const text = target ?? args[0]
  const pattern = target === undefined ? args[1] : args[0]
  if (text === undefined || pattern === undefined) return undefined
  const cost = multiply(scale(add(text.size, ONE), STRING_FACTOR), scale(pattern.size, REGEX_FACTOR))
  return { cost }
}

const STRINGS: readonly FunctionDecl[] = [
  fn(
    'startsWith',
    memberOverload('starts_with_string', [STRING, STRING], BOOL, (text: string, prefix: string) => text.startsWith(prefix), affix),
  ),
  fn(
    'endsWith',
    memberOverload('ends_with_string', [STRING, STRING], BOOL, (text: string, suffix: string) => text.endsWith(suffix), affix),
  ),
  fn(
    'contains',
    memberOverload('contains_string', [STRING, STRING], BOOL, (text: string, part: string) => text.includes(part), {
      cost: ([text, part]) => sizeCost(text, STRING_FACTOR) * sizeCost(part, STRING_FACTOR),
      estimate: ({ target, args: [part] }) =>
        target === undefined || part === undefined
          ? undefined
          : { cost: multiply(scale(target.size, STRING_FACTOR), scale(part.size, STRING_FACTOR)) },
    }),
  ),
  bothWays('matches', 'matches', [STRING, STRING], BOOL, matchesPattern, regexCosts),
]

export const STANDARD: Library = {
  name: 'standard',
  functions: [...OPERATORS, ...CONVERSIONS, ...sizeFunctions, ...STRINGS, ...TIME_FUNCTIONS],
}
