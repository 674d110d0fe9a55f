import { argument, collectList, existsOne, quantifier, receiver, variableName, type Macro, type MacroUse } from './macro.ts'

const member = (name: string, args: number, expand: Macro['expand']): Macro => ({ name, member: true, args, expand })

const one = (use: MacroUse, message?: string) => ({ iterVar: variableName(use, 0, message) })
const NOT_AN_IDENTIFIER = 'argument is not an identifier'

/** `has`, `all`, `exists`, `exists_one`, `map` and `filter`. */
export const STANDARD_MACROS: readonly Macro[] = [
  {
    name: 'has',
    member: false,
    args: 1,
    expand: (use) => {
      const arg = argument(use, 0)
      if (arg.kind === 'select' && !arg.test) return use.nodes.select(use.at, arg.operand, arg.field, true)
      // `has(a.?b)`: presence behind an optional selection.
      return use.fail(arg.at, 'invalid argument to has() macro')
    },
  },
  member('all', 2, (use) => quantifier(use, 'all', one(use), argument(use, 1))),
  member('exists', 2, (use) => quantifier(use, 'exists', one(use), argument(use, 1))),
  member('exists_one', 2, (use) => existsOne(use, one(use), argument(use, 1))),
  member('existsOne', 2, (use) => existsOne(use, one(use), argument(use, 1))),
  member('map', 2, (use) => collectList(use, one(use, NOT_AN_IDENTIFIER), undefined, argument(use, 1))),
  member('map', 3, (use) => collectList(use, one(use, NOT_AN_IDENTIFIER), argument(use, 1), argument(use, 2))),
  member('filter', 2, (use) => {
    const variables = one(use, NOT_AN_IDENTIFIER)
    receiver(use)
    return collectList(use, variables, argument(use, 1), use.nodes.ident(argument(use, 0).at, variables.iterVar))
  }),
]
