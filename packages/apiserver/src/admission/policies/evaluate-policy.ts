import { OBJECT_BUDGET, type PolicyInput, type Value } from '@weft/cel'
import { BudgetedEvaluation, type Outcome, OutOfBudget } from '../expressions/evaluate.ts'
import type { CompiledPolicy, CompiledValidation } from './compile-policy.ts'
import { conditionInput } from './policy-input.ts'

/** One thing that a policy holds against a request. */
export interface Violation {
  readonly message: string
  readonly reason: string
  /** Which of the policy's validations it was. */
  readonly index: number
}

export interface Verdict {
  readonly violations: readonly Violation[]
  readonly annotations: readonly { readonly key: string; readonly value: string }[]
  /** Audit annotations that failed: a refusal whatever the binding's actions. */
  readonly failures: readonly string[]
}

const NOTHING: Verdict = { violations: [], annotations: [], failures: [] }
const MAX_MESSAGE_BYTES = 5 * 1024

/** Evaluates a policy for one request and one set of parameters. `input` has everything that expressions may ask for. */
export function evaluatePolicy(policy: CompiledPolicy, input: PolicyInput): Verdict {
  const conditions = policy.conditions?.evaluate(policy.scope.evaluation(conditionInput(input)))
  if (conditions?.error !== undefined) return failed(policy, conditions.error)
  if (conditions?.matches === false) return NOTHING
  try {
    const { authorizer: _authorizer, requestResource: _resource, ...withoutAuthorizer } = input
    const checks = new BudgetedEvaluation(policy.scope.evaluation(input), OBJECT_BUDGET)
    const outcomes = policy.validations.map(({ expression }) => checks.run(expression))
    const messages = new BudgetedEvaluation(policy.scope.evaluation(withoutAuthorizer), checks.remaining)
    const violations = policy.validations.flatMap((validation, index) =>
      violationOf(policy, { validation, outcome: outcomes[index] as Outcome, index }, messages),
    )
    const annotated = annotate(policy, new BudgetedEvaluation(policy.scope.evaluation(withoutAuthorizer), OBJECT_BUDGET))
    return { violations, ...annotated }
  } catch (error) {
    if (error instanceof OutOfBudget) return failed(policy, error.message)
    throw error
  }
}

const failed = ({ ignoresFailure }: CompiledPolicy, message: string): Verdict =>
  ignoresFailure ? NOTHING : { ...NOTHING, violations: [{ message, reason: '', index: 0 }] }

interface Checked {
  readonly validation: CompiledValidation
  readonly outcome: Outcome
  readonly index: number
}

function violationOf(
  { ignoresFailure }: CompiledPolicy,
  { validation, outcome, index }: Checked,
  messages: BudgetedEvaluation,
): Violation[] {
  if (outcome.error !== undefined) return ignoresFailure ? [] : [{ message: outcome.error, reason: '', index }]
  if (outcome.value === true) return []
  try {
    return [{ message: messageOf(validation, messages), reason: validation.reason, index }]
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error
    return ignoresFailure ? [] : [{ message: `failed messageExpression: ${error.message}`, reason: '', index }]
  }
}

/** The message that the expression makes, unless it is unusable; else the given one; else the expression that failed. */
function messageOf({ expression, message, messageExpression }: CompiledValidation, messages: BudgetedEvaluation): string {
  const made = messageExpression === undefined ? '' : usable(messages.run(messageExpression).value)
  return made || message || `failed expression: ${expression.source.trim()}`
}

function usable(value: Value | undefined): string {
  const text = typeof value === 'string' ? value.trim() : ''
  return Buffer.byteLength(text) > MAX_MESSAGE_BYTES || text.includes('\n') ? '' : text
}

function annotate(
  { auditAnnotations, ignoresFailure }: CompiledPolicy,
  evaluation: BudgetedEvaluation,
): Pick<Verdict, 'annotations' | 'failures'> {
  const annotations: { key: string; value: string }[] = []
  const failures: string[] = []
  for (const { key, value: expression } of auditAnnotations) {
    const { value, error } = evaluation.run(expression)
    if (error !== undefined) {
      if (!ignoresFailure) failures.push(error)
    } else if (typeof value === 'string' && value.trim() !== '') annotations.push({ key, value: value.trim() })
  }
  return { annotations, failures }
}
