import { noSuchOverload } from '../eval/fault.ts'
import {
  argument,
  collectList,
  collectMap,
  existsOne,
  quantifier,
  variableName,
  type FoldVariables,
  type Macro,
  type MacroUse,
} from '../syntax/macro.ts'
import { mapType, paramType } from '../types/type.ts'
import { fn, overload, type Library } from './library.ts'

/** Comprehensions over index and value, or key and value. */
const member = (name: string, args: number, expand: Macro['expand']): Macro => ({ name, member: true, args, expand })

function pair(use: MacroUse): FoldVariables {
  const iterVar = variableName(use, 0)
  const iterVar2 = variableName(use, 1)
  if (iterVar === iterVar2) use.fail(use.at, `duplicate variable name: ${iterVar}`)
  return { iterVar, iterVar2 }
}

const K = paramType('K')
const V = paramType('V')
const MAP = mapType(K, V)
const byInterpreter = (): never => {
  throw noSuchOverload()
}

export const TWO_VARIABLE_COMPREHENSIONS: Library = {
  name: 'two-variable comprehensions',
  functions: [
    fn(
      'cel.@mapInsert',
      overload('@mapInsert_map_map', [MAP, MAP], MAP, byInterpreter),
      overload('@mapInsert_map_key_value', [MAP, K, V], MAP, byInterpreter),
    ),
  ],
  macros: [
    member('all', 3, (use) => quantifier(use, 'all', pair(use), argument(use, 2))),
    member('exists', 3, (use) => quantifier(use, 'exists', pair(use), argument(use, 2))),
    member('existsOne', 3, (use) => existsOne(use, pair(use), argument(use, 2))),
    member('exists_one', 3, (use) => existsOne(use, pair(use), argument(use, 2))),
    member('transformList', 3, (use) => collectList(use, pair(use), undefined, argument(use, 2))),
    member('transformList', 4, (use) => collectList(use, pair(use), argument(use, 2), argument(use, 3))),
    member('transformMap', 3, (use) => collectMap(use, pair(use), 'map', undefined, argument(use, 2))),
    member('transformMap', 4, (use) => collectMap(use, pair(use), 'map', argument(use, 2), argument(use, 3))),
    member('transformMapEntry', 3, (use) => collectMap(use, pair(use), 'mapEntry', undefined, argument(use, 2))),
    member('transformMapEntry', 4, (use) => collectMap(use, pair(use), 'mapEntry', argument(use, 2), argument(use, 3))),
  ],
}
