import type { Library } from './library/library.ts'
import { OPTIONALS } from './library/optionals.ts'
import { STANDARD } from './library/standard.ts'
import type { Macro } from './syntax/macro.ts'
import { STANDARD_MACROS } from './syntax/standard-macros.ts'
import { Declarations } from './types/declarations.ts'
import type { CelType } from './types/type.ts'

export interface EnvironmentOptions {
  /** Variables an expression may use; a dotted name (`authorizer.requestResource`) is one variable. */
  readonly variables?: Readonly<Record<string, CelType>> | ReadonlyMap<string, CelType>
  /** Libraries on top of the standard one. */
  readonly libraries?: readonly Library[]
  readonly macros?: readonly Macro[]
  /** The namespace names are looked up in first. */
  readonly container?: string
  /** Refuse lists and maps of mixed types. */
  readonly homogeneousLiterals?: boolean
  /** Constant lists cost nothing at run time. */
  readonly foldConstants?: boolean
}

/** What expressions are compiled against. Immutable; make one and share it. */
export class Environment {
  readonly declarations: Declarations
  readonly optionalSyntax: boolean
  readonly homogeneousLiterals: boolean
  readonly foldConstants: boolean
  readonly #options: EnvironmentOptions

  constructor(options: EnvironmentOptions = {}) {
    this.#options = options
    const variables = options.variables instanceof Map ? options.variables : new Map(Object.entries(options.variables ?? {}))
    const libraries = [STANDARD, ...(options.libraries ?? [])]
    this.declarations = new Declarations(variables, libraries, [...STANDARD_MACROS, ...(options.macros ?? [])], options.container ?? '')
    this.optionalSyntax = libraries.includes(OPTIONALS)
    this.homogeneousLiterals = options.homogeneousLiterals ?? false
    this.foldConstants = options.foldConstants ?? false
  }

  /** The same environment with other variables. */
  withVariables(variables: EnvironmentOptions['variables']): Environment {
    return new Environment({ ...this.#options, ...(variables === undefined ? {} : { variables }) })
  }
}
