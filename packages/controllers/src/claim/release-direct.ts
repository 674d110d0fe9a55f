import type { KubeObject } from '@weft/api'
import { claimRecordOf, withClaimRecord } from '../binding/claim-record.ts'
import { type ClaimantField, describeObject } from '../binding/claimant.ts'
import { deleteLive } from '../binding/live-object.ts'
import { reclaim, type ReclaimPolicy, reclaimPolicyOf } from '../binding/reclaim.ts'
import { withSpec } from '../binding/spec-reference.ts'
import { stopPropagation } from '../connection/propagate.ts'
import { kindOf } from './served-kinds.ts'
import type { ClaimTask } from './services.ts'
import { writePhase } from './write-claim.ts'

/** Lets go of a managed resource that the claim has. */
export async function releaseDirect(task: ClaimTask, claim: KubeObject, managed: KubeObject): Promise<void> {
  await stopPropagation(task.client, managed, claim)
  const policy = await reclaimManaged(task, managed, 'claimRef')
  task.events.normal(claim, 'UnboundManagedResource', `${policy === 'Delete' ? 'Deleted' : 'Released'} ${describeObject(managed)}`)
}

/**
 * Ends the relation of a managed resource to its claimant, as the resource's own policy says. Retained: it becomes Released before it loses its claimant, so that
 * there is no moment at which somebody else could take it.
 */
export const reclaimManaged = (task: ClaimTask, managed: KubeObject, field: ClaimantField): Promise<ReclaimPolicy> =>
  reclaim(managed, {
    policy: reclaimPolicyOf(managed),
    remove: () => deleteLive(task.client, kindOf(managed), managed),
    async free() {
      const free = withSpec(await writePhase(task, managed, 'Released'), { [field]: undefined })
      await task.client.update(claimRecordOf(free) === undefined ? free : withClaimRecord(free, { claimRef: undefined }))
    },
  })
