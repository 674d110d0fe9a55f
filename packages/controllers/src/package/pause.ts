import { type Condition, type KubeObject, statusOf } from '@weft/api'
import type { Client } from '@weft/client'
import { conditionOf, conditionsOf } from '@weft/composition'

const SYNCED = 'Synced'

/** What a package or revision says while it is paused; what else it says is how it was then. */
export const paused = (): Condition => ({
  type: SYNCED,
  status: 'False',
  reason: 'ReconcilePaused',
  message: 'it is not reconciled, not even deleted, while it has the annotation crossplane.io/paused',
})

/** The object, which no longer says that it is paused. */
export async function withoutPause<T extends KubeObject>(client: Client, object: T): Promise<T> {
  if (conditionOf(object, SYNCED) === undefined) return object
  const conditions = conditionsOf(object).filter(({ type }) => type !== SYNCED)
  return client.updateStatus({ ...object, status: { ...statusOf(object), conditions } })
}
