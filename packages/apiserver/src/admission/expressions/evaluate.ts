import { CelCostExceeded, CelRuntimeError, PER_CALL_LIMIT, type PolicyEvaluation, type Value } from '@weft/cel'
import type { Expression } from './compile-expression.ts'

export type Outcome = { readonly value: Value; readonly error?: undefined } | { readonly value?: undefined; readonly error: string }

/** The expressions of one policy have spent all they may together; none of the rest runs. */
export class OutOfBudget extends Error {
  override readonly name = 'OutOfBudget'
  readonly code = 'OutOfBudget'
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run')
  }
}

/** Runs expressions that share a budget. Each has its own limit besides, so one cannot eat all of it at once. */
export class BudgetedEvaluation {
  readonly #evaluation: PolicyEvaluation
  remaining: number

  constructor(evaluation: PolicyEvaluation, budget: number) {
    this.#evaluation = evaluation
    this.remaining = budget
  }

  /** Throws OutOfBudget; any other failure is an outcome. */
  run(expression: Expression): Outcome {
    if (expression.program === undefined) return { error: `compilation error: ${expression.error}` }
    try {
      const { value, cost } = this.#evaluation.evaluate(expression.program, { budget: PER_CALL_LIMIT })
      this.spend(cost)
      return { value }
    } catch (error) {
      if (!(error instanceof CelRuntimeError || error instanceof CelCostExceeded)) throw error
      this.spend(error.cost)
      return { error: `expression '${expression.source}' resulted in error: ${error.message}` }
    }
  }

  /** Takes from the budget what something besides an expression costs. Throws OutOfBudget. */
  spend(cost: number): void {
    if (cost > this.remaining) throw new OutOfBudget()
    this.remaining -= cost
  }
}
