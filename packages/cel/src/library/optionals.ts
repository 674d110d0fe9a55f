import { Fault } from '../eval/fault.ts'
import { StructValue } from '../eval/struct-value.ts'
import {
  ArrayList,
  Double,
  Duration,
  ListValue,
  MapValue,
  OPTIONAL_NONE,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
} from '../eval/value.ts'
import { argument, bindVariable, receiver, variableName, type Macro, type MacroUse } from '../syntax/macro.ts'
import { BOOL, INT, listType, mapType, optionalType, paramType } from '../types/type.ts'
import { fn, memberOverload, overload, type Library } from './library.ts'

/** Optional values: `optional.of(x)`, `a.?b.orValue(c)`, `optMap`. */
const V = paramType('V')
const K = paramType('K')
const OPTIONAL_V = optionalType(V)

const byInterpreter = (): never => {
  throw new Fault('no such overload')
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0) return true
  if (value instanceof Uint || value instanceof Double) return value.value === 0
  if (value instanceof Uint8Array) return value.length === 0
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0
  if (value instanceof StructValue) return value.fields.size === 0
  if (value instanceof Duration) return value.nanos === 0n
  if (value instanceof Timestamp) return value.nanos === 0n
  return false
}

/** `target.hasValue() ? wrap(target.value() as name) : optional.none()`. */
function mapMacro(name: string, wrap: (use: MacroUse, inner: ReturnType<typeof bindVariable>) => ReturnType<typeof bindVariable>): Macro {
  return {
    name,
    member: true,
    args: 2,
    expand: (use) => {
      const { nodes, at } = use
      const target = receiver(use)
      const variable = variableName(use, 0, `${name}() variable name must be a simple identifier`)
      const bound = bindVariable(use, variable, nodes.call(at, 'value', [], target), argument(use, 1))
      const none = nodes.call(at, 'none', [], nodes.ident(at, 'optional'))
      return nodes.call(at, '_?_:_', [nodes.call(at, 'hasValue', [], target), wrap(use, bound), none])
    },
  }
}

export const OPTIONALS: Library = {
  name: 'optional',
  types: { optional_type: optionalType(V) },
  macros: [
    mapMacro('optMap', (use, inner) => use.nodes.call(use.at, 'of', [inner], use.nodes.ident(use.at, 'optional'))),
    mapMacro('optFlatMap', (_, inner) => inner),
  ],
  functions: [
    fn(
      'optional.of',
      overload('optional_of', [V], OPTIONAL_V, (value: Value) => new OptionalValue(value)),
    ),
    fn(
      'optional.ofNonZeroValue',
      overload('optional_ofNonZeroValue', [V], OPTIONAL_V, (value: Value) => (isZero(value) ? OPTIONAL_NONE : new OptionalValue(value))),
    ),
    fn(
      'optional.none',
      overload('optional_none', [], OPTIONAL_V, () => OPTIONAL_NONE),
    ),
    fn('optional.unwrap', overload('optional_unwrap', [listType(OPTIONAL_V)], listType(V), unwrap)),
    fn('unwrapOpt', memberOverload('optional_unwrapOpt', [listType(OPTIONAL_V)], listType(V), unwrap)),
    fn(
      'value',
      memberOverload('optional_value', [OPTIONAL_V], V, (optional: OptionalValue) => {
        if (optional.value === undefined) throw new Fault('optional.none() dereference')
        return optional.value
      }),
    ),
    fn(
      'hasValue',
      memberOverload('optional_hasValue', [OPTIONAL_V], BOOL, (optional: OptionalValue) => optional.value !== undefined),
    ),
    fn(
      'or',
      memberOverload('optional_or_optional', [OPTIONAL_V, OPTIONAL_V], OPTIONAL_V, (a: OptionalValue, b: OptionalValue) =>
        a.value === undefined ? b : a,
      ),
    ),
    fn(
      'orValue',
      memberOverload(
        'optional_orValue_value',
        [OPTIONAL_V, V],
        V,
        (optional: OptionalValue, other: Value) => optional.value ?? orElse(optional, other),
      ),
    ),
    fn(
      '_[?_]',
      overload('list_optindex_optional_int', [listType(V), INT], OPTIONAL_V, byInterpreter),
      overload('optional_list_optindex_optional_int', [optionalType(listType(V)), INT], OPTIONAL_V, byInterpreter),
      overload('map_optindex_optional_value', [mapType(K, V), K], OPTIONAL_V, byInterpreter),
      overload('optional_map_optindex_optional_value', [optionalType(mapType(K, V)), K], OPTIONAL_V, byInterpreter),
    ),
  ],
}

/** Null is a value: only an absent one is replaced. */
const orElse = (optional: OptionalValue, other: Value): Value => (optional.value === undefined ? other : optional.value)

function unwrap(list: ListValue): Value {
  return new ArrayList([...list].flatMap((item) => (item instanceof OptionalValue && item.value !== undefined ? [item.value] : [])))
}
