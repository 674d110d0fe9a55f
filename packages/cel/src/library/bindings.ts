import { argument, bindVariable, variableName } from '../syntax/macro.ts'
import type { Library } from './library.ts'

/** `cel.bind(name, value, expression)`. */
export const BINDINGS: Library = {
  name: 'bindings',
  macros: [
    {
      name: 'bind',
      member: true,
      args: 3,
      expand: (use) => {
        if (use.target?.kind !== 'ident' || use.target.name !== 'cel') return undefined
        return bindVariable(
          use,
          variableName(use, 0, 'cel.bind() variable names must be simple identifiers'),
          argument(use, 1),
          argument(use, 2),
        )
      },
    },
  ],
}
