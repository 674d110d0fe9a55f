import type { Environment } from './environment.ts'
import { estimateCost, type SizeHints } from './cost/estimator.ts'
import type { Interval } from './cost/interval.ts'
import { CelRuntimeError, Fault } from './eval/fault.ts'
import { charge, Frame } from './eval/frame.ts'
import { plan, type Plan } from './eval/plan.ts'
import type { Value } from './eval/value.ts'
import { work, workCost } from './eval/work.ts'
import type { Expr } from './syntax/ast.ts'
import { tooLarge } from './syntax/measure.ts'
import { parse } from './syntax/parser.ts'
import { MAX_ISSUES, Source, formatIssues, type Issue } from './syntax/source.ts'
import { check, type Checked } from './types/checker.ts'
import { badLiteralArguments } from './types/literal-arguments.ts'
import { DYN, type CelType } from './types/type.ts'

/** Values of variables by name. What is absent fails only when the expression reads it. */
export type Bindings = Readonly<Record<string, Value>>

export interface EvaluateOptions {
  /** The most the evaluation may cost; unlimited when absent. */
  readonly budget?: number
}

/** A compiled expression. Immutable and without state between evaluations: share it freely. */
export interface Program {
  readonly source: string
  /** The type of the result; callers that need a bool or string check it. */
  readonly outputType: CelType
  /** The names of the variables that the expression reads. */
  readonly variables: readonly string[]
  /**
   * Runs the expression. Throws `CelRuntimeError` when it fails and `CelCostExceeded` when it spends more than the
   * budget. Always ends: the language has no unbounded loop, and regular expressions run in linear time.
   */
  evaluate(bindings: Bindings, options?: EvaluateOptions): { readonly value: Value; readonly cost: number }
  /** Bounds of what any evaluation can cost, given how large the variables can be. */
  estimate(sizes?: SizeHints): Interval
}

export type CompileResult =
  | { readonly program: Program; readonly issues?: undefined; readonly message?: undefined }
  /** `message` is all issues as cel-go prints them. */
  | { readonly program?: undefined; readonly issues: readonly Issue[]; readonly message: string }

export interface CompileOptions {
  /** Skip type checking: everything is dyn and types are checked while running. */
  readonly unchecked?: boolean
}

/** Parses, checks and prepares an expression. Never throws for a bad expression. */
export function compile(source: string, environment: Environment, options: CompileOptions = {}): CompileResult {
  const { declarations, optionalSyntax, checksLiterals, foldConstants } = environment
  const parsed = parse(source, { macros: declarations.macros, optionalSyntax })
  if (parsed.issues !== undefined) return failure(source, parsed.issues)
  const large = tooLarge(parsed.expr)
  if (large !== undefined) return failure(source, [{ line: -1, column: 0, message: large }])
  const checked = check(parsed.expr, declarations, { homogeneousLiterals: checksLiterals, namesOnly: options.unchecked === true })
  const unchecked = options.unchecked === true
  // Of what does not fit its types already, nobody asks whether its literals make sense.
  const problems = unchecked || checked.problems.length > 0 || !checksLiterals ? checked.problems : badLiteralArguments(parsed.expr)
  if (problems.length > 0 && !unchecked) {
    const text = new Source(source)
    return failure(
      source,
      problems.slice(0, MAX_ISSUES).map((problem) => ({ ...text.locate(problem.at), message: problem.message })),
    )
  }
  return { program: new CompiledProgram(source, parsed.expr, checked, foldConstants) }
}

function failure(source: string, issues: readonly Issue[]): CompileResult {
  return { issues, message: formatIssues(source, issues) }
}

class CompiledProgram implements Program {
  readonly source: string
  readonly outputType: CelType
  readonly variables: readonly string[]
  readonly #expr: Expr
  readonly #checked: Checked
  readonly #plan: Plan

  constructor(source: string, expr: Expr, checked: Checked, foldConstants: boolean) {
    this.source = source
    this.outputType = checked.type.kind === 'error' ? DYN : checked.type
    this.#expr = expr
    this.#checked = checked
    this.#plan = plan(expr, checked, { foldConstants })
    this.variables = this.#plan.variables
  }

  evaluate(bindings: Bindings, options?: EvaluateOptions): { readonly value: Value; readonly cost: number } {
    const { variables, slots, step } = this.#plan
    const values: (Value | undefined)[] = new Array<Value | undefined>(slots)
    for (let i = 0; i < variables.length; i++) {
      const name = variables[i] as string
      if (Object.hasOwn(bindings, name)) values[i] = bindings[name]
    }
    const frame = new Frame(values, options?.budget ?? Infinity)
    // A variable of a policy is evaluated in the middle of an expression that reads it, and pays for itself.
    const outer = work.done
    work.done = 0
    try {
      const value = step(frame)
      charge(frame, workCost())
      return { value, cost: frame.cost }
    } catch (thrown) {
      if (thrown instanceof Fault) throw new CelRuntimeError(thrown.message, frame.cost)
      // The engine's own limits: the depth of the data that is compared, or the length of a text.
      if (thrown instanceof RangeError) throw new CelRuntimeError(`evaluation exceeded a limit: ${thrown.message}`, frame.cost)
      throw thrown
    } finally {
      work.done = outer
    }
  }

  estimate(sizes?: SizeHints): Interval {
    return estimateCost(this.#expr, this.#checked, sizes)
  }
}
