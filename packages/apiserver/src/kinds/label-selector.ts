import { addErrors, type FieldError, field, getOwn, indexPath, isLabelValue, isQualifiedName } from '@weft/api'
import { listAt, recordAt, textAt, textsAt } from './read.ts'

export interface SelectorRules {
  /** Tolerates label values that are stored already, from before they were checked. */
  readonly allowInvalidValues?: boolean
  /** Tolerates operators of a newer client (access reviews). */
  readonly allowUnknownOperators?: boolean
}

/** Checks a `LabelSelector` at `path`. */
export function validateLabelSelector(selector: unknown, path: string, rules: SelectorRules = {}): FieldError[] {
  const labels = recordAt(selector, 'matchLabels')
  const errors = Object.keys(labels).flatMap((key) => {
    const value = String(getOwn(labels, key))
    const at = `${path}.matchLabels`
    return [
      ...isQualifiedName(key).map((why) => field.invalid(at, key, why)),
      ...isLabelValue(value).map((why) => field.invalid(at, value, why)),
    ]
  })
  const requirements = listAt(selector, 'matchExpressions').flatMap((requirement, index) =>
    validateLabelRequirement(requirement, indexPath(`${path}.matchExpressions`, index), rules),
  )
  return [...errors, ...requirements]
}

export function validateLabelRequirement(requirement: unknown, path: string, rules: SelectorRules = {}): FieldError[] {
  const errors = validateOperator(requirement, path, rules)
  const key = textAt(requirement, 'key')
  addErrors(
    errors,
    isQualifiedName(key).map((why) => field.invalid(`${path}.key`, key, why)),
  )
  if (rules.allowInvalidValues === true) return errors
  for (const [index, value] of textsAt(requirement, 'values').entries())
    addErrors(
      errors,
      isLabelValue(value).map((why) => field.invalid(indexPath(`${path}.values`, index), value, why)),
    )
  return errors
}

/** The same operators serve label and field requirements. */
export function validateOperator(requirement: unknown, path: string, rules: SelectorRules = {}): FieldError[] {
  const operator = textAt(requirement, 'operator')
  const count = listAt(requirement, 'values').length
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [field.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      return count === 0 ? [] : [field.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    default:
      return rules.allowUnknownOperators === true ? [] : [field.invalid(`${path}.operator`, operator, 'not a valid selector operator')]
  }
}
