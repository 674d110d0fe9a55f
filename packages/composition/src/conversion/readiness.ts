import { getOwn, isJsonObject, type GroupKind, type JsonObject } from '@weft/api'
import { readyByDefault } from '../readiness/ready.ts'

/**
 * The checks by which function-patch-and-transform judges a resource as Weft does where a template gives none; undefined: by its condition Ready,
 * which both do. That function asks every kind for this condition, and most of Kubernetes' own have none.
 */
export function defaultChecks(kind: GroupKind): readonly JsonObject[] | undefined {
  const condition = readyByDefault(kind)
  if (condition === 'Ready') return undefined
  return condition === undefined ? [{ type: 'None' }] : [{ type: 'MatchCondition', matchCondition: { type: condition, status: 'True' } }]
}

/** The same where a check may leave its condition's status out. */
export function withStatus(check: unknown): unknown {
  const match = isJsonObject(check) ? getOwn(check, 'matchCondition') : undefined
  return isJsonObject(check) && isJsonObject(match) && getOwn(match, 'status') === undefined
    ? { ...check, matchCondition: { ...match, status: 'True' } }
    : check
}
