import { type FieldError, indexPath } from '@weft/api'
import { MATCH_CONDITIONS_BUDGET, type PolicyEvaluation, type PolicyScope } from '@weft/cel'
import { type Expression, expressionOf, fieldErrors } from './compile-expression.ts'
import { BudgetedEvaluation, OutOfBudget } from './evaluate.ts'

export interface MatchCondition {
  readonly name: string
  readonly expression: string
}

export type ConditionsMet =
  | { readonly matches: boolean; readonly error?: undefined }
  | { readonly matches?: undefined; readonly error: string }

/** Expressions that narrow down, beyond rules and selectors, which requests a webhook or policy is about. */
export class MatchConditions {
  readonly #expressions: readonly Expression[]
  readonly #ignoresFailure: boolean

  constructor(conditions: readonly MatchCondition[], scope: PolicyScope, ignoresFailure: boolean) {
    this.#expressions = conditions.map(({ expression }) => expressionOf(expression, scope.compile(expression), 'bool'))
    this.#ignoresFailure = ignoresFailure
  }

  /** One that is false settles it. Failures count only if none is: then the failure policy decides. */
  evaluate(evaluation: PolicyEvaluation): ConditionsMet {
    const budgeted = new BudgetedEvaluation(evaluation, MATCH_CONDITIONS_BUDGET)
    const errors: string[] = []
    try {
      for (const expression of this.#expressions) {
        const { value, error } = budgeted.run(expression)
        if (error !== undefined) errors.push(error)
        else if (value === false) return { matches: false }
      }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      return this.#ignoresFailure ? { matches: false } : { error: error.message }
    }
    if (errors.length === 0) return { matches: true }
    if (this.#ignoresFailure) return { matches: false }
    return { error: errors.length === 1 ? (errors[0] as string) : `[${errors.join(', ')}]` }
  }
}

/** What is wrong with the expressions of conditions about to be stored. One that is missing is told of elsewhere. */
export function checkConditions(conditions: readonly MatchCondition[], path: string, scope: PolicyScope): FieldError[] {
  return conditions.flatMap(({ expression }, index) => {
    const source = expression.trim()
    if (source === '') return []
    return fieldErrors(expressionOf(source, scope.compile(source), 'bool'), `${indexPath(path, index)}.expression`)
  })
}
