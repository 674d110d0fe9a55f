import { type FieldError, type KubeObject, field, indexPath, isQualifiedName } from '@weft/api'
import { at, isSet, listAt, numberAt, textAt } from '../read.ts'

/** What the controller that checks policies may report. */
export function validateStatus(object: KubeObject): FieldError[] {
  const warnings = listAt(object, 'status', 'typeChecking', 'expressionWarnings').flatMap((warning, index) => {
    const path = indexPath('status.typeChecking.expressionWarnings', index)
    return ['warning', 'fieldRef'].filter((name) => textAt(warning, name).trim() === '').map((name) => field.required(`${path}.${name}`))
  })
  return [...warnings, ...validateConditions(listAt(object, 'status', 'conditions'), 'status.conditions')]
}

const STATUSES = ['False', 'True', 'Unknown']
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/
const MAX_REASON = 1024
const MAX_MESSAGE = 32 * 1024

/** A list of `metav1.Condition`. */
export function validateConditions(conditions: readonly unknown[], path: string): FieldError[] {
  const seen = new Set<string>()
  return conditions.flatMap((condition, index) => {
    const type = textAt(condition, 'type')
    const repeated = seen.has(type) ? [field.duplicate(`${indexPath(path, index)}.type`, type)] : []
    seen.add(type)
    return [...repeated, ...validateCondition(condition, indexPath(path, index))]
  })
}

function validateCondition(condition: unknown, path: string): FieldError[] {
  const type = textAt(condition, 'type')
  const status = textAt(condition, 'status')
  const observed = numberAt(condition, 'observedGeneration') ?? 0
  const reason = textAt(condition, 'reason')
  const errors = isQualifiedName(type).map((why) => field.invalid(`${path}.type`, type, why))
  if (!STATUSES.includes(status)) errors.push(field.notSupported(`${path}.status`, status, STATUSES))
  if (observed < 0) errors.push(field.invalid(`${path}.observedGeneration`, observed, 'must be greater than or equal to zero'))
  if (!isSet(at(condition, 'lastTransitionTime'))) errors.push(field.required(`${path}.lastTransitionTime`))
  if (reason === '') errors.push(field.required(`${path}.reason`))
  else if (!REASON.test(reason))
    errors.push(
      field.invalid(
        `${path}.reason`,
        reason,
        "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
      ),
    )
  if (reason.length > MAX_REASON) errors.push(field.tooLong(`${path}.reason`, MAX_REASON))
  if (Buffer.byteLength(textAt(condition, 'message')) > MAX_MESSAGE) errors.push(field.tooLong(`${path}.message`, MAX_MESSAGE))
  return errors
}
