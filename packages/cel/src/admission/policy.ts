import { KUBERNETES_ENVIRONMENT, MUTATION_ENVIRONMENT } from '../environment.ts'
import { CelCostExceeded, CelRuntimeError, Fault } from '../eval/fault.ts'
import { bindDynamic } from '../eval/json.ts'
import { MapValue, type Value } from '../eval/value.ts'
import {
  AUTHORIZER_TYPE,
  RESOURCE_CHECK_TYPE,
  authorizerValue,
  resourceCheckValue,
  type AuthorizationAttributes,
  type Authorizer,
} from '../library/authorizer.ts'
import { compile, type CompileResult, type EvaluateOptions, type Program } from '../program.ts'
import { DYN, objectType, type CelType } from '../types/type.ts'
import { ADMISSION_REQUEST, NAMESPACE } from './kinds.ts'

export interface PolicyScopeOptions {
  /** The policy has `params`. */
  readonly params?: boolean
  /** Expressions may ask the authorizer (not in message expressions). */
  readonly authorizer?: boolean
  /** False: there is no `variables`, because nothing can be declared. */
  readonly variables?: boolean
  /** The types of the objects, where they are to be checked; anything goes unless given. */
  readonly types?: { readonly object?: CelType | undefined; readonly params?: CelType | undefined }
}

/** What one request offers to expressions. Objects are JSON; absent ones are null to expressions. */
export interface PolicyInput {
  readonly object?: unknown
  readonly oldObject?: unknown
  readonly params?: unknown
  readonly request?: unknown
  readonly namespaceObject?: unknown
  readonly authorizer?: Authorizer
  /** What `authorizer.requestResource` asks about. */
  readonly requestResource?: Partial<AuthorizationAttributes>
}

/**
 * The expressions of one policy or webhook: declare the composed variables in order, then compile the rest. A variable
 * sees those declared before it, with their types.
 */
export class PolicyScope {
  readonly #options: PolicyScopeOptions
  readonly #variables = new Map<string, Program>()

  constructor(options: PolicyScopeOptions = {}) {
    this.#options = options
  }

  /** Declares `variables.<name>`; a result with issues means it was not declared. */
  declare(name: string, expression: string): CompileResult {
    const compiled = this.compile(expression)
    if (compiled.program !== undefined) this.#variables.set(name, compiled.program)
    return compiled
  }

  compile(expression: string): CompileResult {
    return compile(expression, KUBERNETES_ENVIRONMENT.withVariables(this.#declared()))
  }

  /** An expression that makes a patch: only these may build objects. */
  compileMutation(expression: string): CompileResult {
    return compile(expression, MUTATION_ENVIRONMENT.withVariables(this.#declared()))
  }

  #declared(): Readonly<Record<string, CelType>> {
    const { types: { object = DYN, params = DYN } = {} } = this.#options
    return {
      object,
      oldObject: object,
      request: ADMISSION_REQUEST.type,
      namespaceObject: NAMESPACE.type,
      ...(this.#options.variables !== false && {
        variables: objectType(
          'kubernetes.variables',
          Array.from(this.#variables, ([name, program]) => [name, program.outputType] as const),
        ),
      }),
      ...(this.#options.params === true ? { params } : {}),
      ...(this.#options.authorizer === true ? { authorizer: AUTHORIZER_TYPE, 'authorizer.requestResource': RESOURCE_CHECK_TYPE } : {}),
    }
  }

  /** Everything needed to evaluate the scope's programs for one request. Variables are computed once, when first read. */
  evaluation(input: PolicyInput): PolicyEvaluation {
    return new PolicyEvaluation(this.#variables, input)
  }
}

export class PolicyEvaluation {
  readonly #bindings: Record<string, Value>
  readonly #variables: ComposedVariables

  constructor(variables: ReadonlyMap<string, Program>, input: PolicyInput) {
    const bindings: Record<string, Value> = {
      object: bindDynamic(input.object),
      oldObject: bindDynamic(input.oldObject),
      params: bindDynamic(input.params),
      request: ADMISSION_REQUEST.bind(input.request),
      namespaceObject: NAMESPACE.bind(input.namespaceObject),
    }
    if (input.authorizer !== undefined) {
      bindings['authorizer'] = authorizerValue(input.authorizer)
      bindings['authorizer.requestResource'] = resourceCheckValue(input.authorizer, input.requestResource ?? {})
    }
    this.#variables = new ComposedVariables(variables, bindings)
    bindings['variables'] = this.#variables
    this.#bindings = bindings
  }

  /** Runs a program of the scope; the cost of variables is charged to the expression that first reads them. */
  evaluate(program: Program, options: EvaluateOptions = {}): { readonly value: Value; readonly cost: number } {
    const budget = options.budget ?? Infinity
    const before = this.#variables.cost
    this.#variables.budget = budget
    const result = program.evaluate(this.#bindings, options)
    const cost = result.cost + this.#variables.cost - before
    if (cost > budget) throw new CelCostExceeded(cost)
    return { value: result.value, cost }
  }
}

/** `variables`: each computed on first use, a failure remembered like a value. */
class ComposedVariables extends MapValue {
  readonly #programs: ReadonlyMap<string, Program>
  readonly #bindings: Readonly<Record<string, Value>>
  readonly #known = new Map<string, Value | Fault>()
  cost = 0
  budget = Infinity

  constructor(programs: ReadonlyMap<string, Program>, bindings: Readonly<Record<string, Value>>) {
    super()
    this.#programs = programs
    this.#bindings = bindings
  }
  get size(): number {
    return this.#programs.size
  }
  find(key: Value): Value | undefined {
    return typeof key === 'string' ? this.field(key) : undefined
  }
  override field(name: string): Value | undefined {
    let value = this.#known.get(name)
    if (value === undefined) {
      const program = this.#programs.get(name)
      if (program === undefined) return undefined
      value = this.#compute(name, program)
      this.#known.set(name, value)
    }
    if (value instanceof Fault) throw value
    return value
  }
  keys(): readonly string[] {
    return [...this.#programs.keys()]
  }

  #compute(name: string, program: Program): Value | Fault {
    try {
      const result = program.evaluate(this.#bindings, { budget: this.budget })
      this.cost += result.cost
      return result.value
    } catch (error) {
      if (!(error instanceof CelRuntimeError)) throw error
      this.cost += error.cost
      return new Fault(`composited variable "${name}" fails to evaluate: ${error.message}`)
    }
  }
}
