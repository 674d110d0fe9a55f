import { getOwn, type KubeObject } from '@weft/api'
import { machineryOf, type MachineryPlace } from '@weft/composition'
import { claimRecordOf } from './claim-record.ts'

/** What happens to a resource when its claimant goes. */
export type ReclaimPolicy = 'Delete' | 'Retain'

/**
 * The resource's own policy (C25); nothing that its claimant says of itself counts, whose author may not own the resource. What is made for a claimant has its
 * policy written down, Delete unless somebody says otherwise. One without a policy was there before, and stays.
 */
export function reclaimPolicyOf(object: KubeObject, place: MachineryPlace = 'spec'): ReclaimPolicy {
  const recorded = place === 'spec' ? claimRecordOf(object)?.reclaimPolicy : undefined
  return (recorded ?? getOwn(machineryOf(object, place), 'reclaimPolicy')) === 'Delete' ? 'Delete' : 'Retain'
}

/** How a claimant lets go of one resource. */
export interface Parting {
  readonly policy: ReclaimPolicy
  /** Deletes this very resource, and what has to go at once with it. */
  remove(): Promise<void>
  /** Ends the relation. Until the last write of it nobody else can take the resource. */
  free(): Promise<unknown>
}

/**
 * Ends the relation of a resource to its claimant, as the policy says. The claimant is held by its finalizer until all that it has is released, so that whoever
 * is interrupted does it again: what is going already is left to go, however it was deleted. Answers the policy, for whoever tells of it.
 *
 * A claim of a composite resource has no part in this (xr-claim/reconcile.ts): there is no policy, its composite always goes with it. Nor have composites: what
 * they are composed of is theirs, goes by its owner references, and where an order is asked for, as in deletion/go-after-members.ts.
 */
export async function reclaim(resource: KubeObject, { policy, remove, free }: Parting): Promise<ReclaimPolicy> {
  if (policy === 'Retain') await free()
  else if (resource.metadata.deletionTimestamp === undefined) await remove()
  return policy
}
