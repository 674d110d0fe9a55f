import type { Library } from './library/library.ts'
import { KUBERNETES_LIBRARIES } from './library/kubernetes.ts'
import { PATCHES } from './library/patches.ts'
import { STANDARD } from './library/standard.ts'
import type { Macro } from './syntax/macro.ts'
import { STANDARD_MACROS } from './syntax/standard-macros.ts'
import { Declarations, Vocabulary } from './types/declarations.ts'
import type { CelType } from './types/type.ts'

export interface EnvironmentOptions {
  /** Variables an expression may use; a dotted name (`authorizer.requestResource`) is one variable. */
  readonly variables?: Readonly<Record<string, CelType>> | ReadonlyMap<string, CelType>
  /** Libraries on top of the standard one. */
  readonly libraries?: readonly Library[]
  readonly macros?: readonly Macro[]
  /** The namespace names are looked up in first. */
  readonly container?: string
  /** Refuse lists and maps of mixed types, and literals that a function cannot make sense of. */
  readonly checksLiterals?: boolean
  /** Constant lists cost nothing at run time. */
  readonly foldConstants?: boolean
}

/** What expressions are compiled against. Immutable; make one and share it. */
export class Environment {
  readonly declarations: Declarations
  readonly optionalSyntax: boolean
  readonly checksLiterals: boolean
  readonly foldConstants: boolean

  constructor(options: EnvironmentOptions = {}, vocabulary?: Vocabulary) {
    const libraries = [STANDARD, ...(options.libraries ?? [])]
    const words = vocabulary ?? new Vocabulary(libraries, [...STANDARD_MACROS, ...(options.macros ?? [])])
    this.declarations = new Declarations(words, asMap(options.variables), options.container ?? '')
    this.optionalSyntax = words.functions.has('optional.of')
    this.checksLiterals = options.checksLiterals ?? false
    this.foldConstants = options.foldConstants ?? false
  }

  /** The same environment with other variables; cheap, since the libraries are shared. */
  withVariables(variables: NonNullable<EnvironmentOptions['variables']>): Environment {
    const { checksLiterals, foldConstants, declarations } = this
    return new Environment({ variables, checksLiterals, foldConstants, container: declarations.container }, declarations.vocabulary)
  }
}

function asMap(variables: EnvironmentOptions['variables']): ReadonlyMap<string, CelType> {
  return variables instanceof Map ? variables : new Map(Object.entries(variables ?? {}))
}

const KUBERNETES: EnvironmentOptions = { libraries: KUBERNETES_LIBRARIES, checksLiterals: true, foldConstants: true }

/** The environment of Kubernetes' validation rules and admission policies, without variables. */
export const KUBERNETES_ENVIRONMENT: Environment = new Environment(KUBERNETES)

/** What the mutations of policies are written in: the same, and the types that patches are made of. */
export const MUTATION_ENVIRONMENT: Environment = new Environment({ ...KUBERNETES, libraries: [...KUBERNETES_LIBRARIES, PATCHES] })
