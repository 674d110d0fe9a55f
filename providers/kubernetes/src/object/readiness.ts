import { type Condition, findCondition, getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { type ManagedResource, type Readiness, specOf } from '@weft/provider-sdk'
import { askQuery } from './cel-query.ts'
import { objectAt, textAt } from './manifest.ts'

export interface ReadinessAnswer {
  readonly readiness: Readiness
  readonly message?: string
}

const AVAILABLE: ReadinessAnswer = { readiness: 'available' }
const notYet = (message: string): ReadinessAnswer => ({ readiness: 'unavailable', message })

/** Is the object ready, as `spec.readiness` has it? One that is being deleted is not, whatever the policy. */
export function readinessOf(resource: ManagedResource, object: KubeObject): ReadinessAnswer {
  if (object.metadata.deletionTimestamp !== undefined) return { readiness: 'deleting' }
  const readiness = objectAt(specOf(resource), 'readiness')
  switch (textAt(readiness, 'policy') ?? 'SuccessfulCreate') {
    case 'DeriveFromObject': {
      const ready = findCondition(conditionsOf(object), 'Ready')
      return ready?.status === 'True'
        ? AVAILABLE
        : notYet(ready === undefined ? 'it has no condition Ready yet' : 'its condition Ready is not True')
    }
    case 'AllTrue': {
      const conditions = conditionsOf(object)
      if (conditions.length === 0) return notYet('it has no conditions yet')
      const untrue = conditions.filter(({ status }) => status !== 'True').map(({ type }) => String(type))
      return untrue.length === 0 ? AVAILABLE : notYet(`these of its conditions are not True: ${untrue.slice(0, 10).join(', ')}`)
    }
    case 'DeriveFromCelQuery': {
      const { ready, message = 'spec.readiness.celQuery does not hold' } = askQuery(textAt(readiness, 'celQuery') ?? '', object)
      return ready ? AVAILABLE : notYet(message)
    }
    default:
      return AVAILABLE
  }
}

function conditionsOf(object: KubeObject): readonly Condition[] {
  const status = object['status']
  const conditions = isJsonObject(status) ? getOwn(status, 'conditions') : undefined
  return Array.isArray(conditions) ? (conditions.filter(isJsonObject) as unknown as Condition[]) : []
}
