import { getOwn, isJsonObject, type KubeObject } from '@weft/api'
import { claimRecordOf } from './claim-record.ts'

/** What happens to a resource when its claimant goes. */
export type ReclaimPolicy = 'Delete' | 'Retain'

/**
 * The resource's own policy. Without one, what was made for a claimant goes with it, and what was there before stays: everything that is
 * provisioned gets its policy written down, so no policy means that a person made it.
 */
export function reclaimPolicyOf(object: KubeObject, fallback: ReclaimPolicy = 'Retain'): ReclaimPolicy {
  const spec = object['spec']
  const policy = claimRecordOf(object)?.reclaimPolicy ?? (isJsonObject(spec) ? getOwn(spec, 'reclaimPolicy') : undefined)
  return policy === 'Delete' || policy === 'Retain' ? policy : fallback
}
