import { getBool, getInteger, getString, getValue } from '../../go/fieldpath/read.ts'
import { GoError, wrapping } from '../../go/go-error.ts'
import type { GoObject } from '../../go/value.ts'
import { conditionStatus } from '../condition.ts'
import type { ReadinessCheck } from './input.ts'
import { validateReadinessCheck } from './validate.ts'

/** Do all checks hold? Without any, the condition Ready must be True. */
export function isReady(object: GoObject, checks: readonly ReadinessCheck[] = []): boolean {
  if (checks.length === 0) return conditionStatus(object, 'Ready') === 'True'
  return checks.every((check, i) => wrapping(`cannot run readiness check at index ${i}`, () => holds(check, object)))
}

function holds(check: ReadinessCheck, object: GoObject): boolean {
  wrapping('invalid', () => validateReadinessCheck(check, ''))
  const path = check.fieldPath ?? ''
  try {
    switch (check.type) {
      case 'None':
        return true
      case 'NonEmpty':
        getValue(object, path)
        return true
      case 'MatchString':
        return getString(object, path) === check.matchString
      case 'MatchInteger':
        return getInteger(object, path) === check.matchInteger
      case 'MatchTrue':
        return getBool(object, path)
      case 'MatchFalse':
        return !getBool(object, path)
      default:
        return conditionHolds(check, object)
    }
  } catch (error) {
    if (error instanceof GoError && error.isNotFound) return false
    throw error
  }
}

function conditionHolds({ matchCondition }: ReadinessCheck, object: GoObject): boolean {
  // In Go this ends the program.
  if (matchCondition === undefined) throw new CheckCannotRun('matchCondition must be set for type MatchCondition')
  return conditionStatus(object, matchCondition.type ?? '') === matchCondition.status
}

/** A check that no program could run: the answer is fatal, not a warning. */
export class CheckCannotRun extends Error {}
