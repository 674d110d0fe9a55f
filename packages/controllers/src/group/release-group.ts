import type { KubeObject } from '@weft/api'
import { describeObject } from '../binding/claimant.ts'
import { deleteLive } from '../binding/live-object.ts'
import { reclaim, reclaimPolicyOf } from '../binding/reclaim.ts'
import { withSpec } from '../binding/spec-reference.ts'
import type { ClaimTask } from '../claim/services.ts'
import { writeStatus } from '../claim/write-claim.ts'
import { stopPropagation } from '../connection/propagate.ts'
import { AGGREGATES, type GroupKindAdapter } from './group-kind.ts'
import { ledgerOf } from './ledger.ts'
import { reclaimMembers } from './reclaim-members.ts'

/**
 * The claim goes. An aggregate goes with it or stays, as its own policy says (A23); a composite is released, and goes when the last of its members has (F18).
 * Members follow their own policies: those of an aggregate that stays at once, all others when the group controller sees to them.
 */
export async function releaseGroup(task: ClaimTask, claim: KubeObject, group: KubeObject, adapter: GroupKindAdapter): Promise<void> {
  const { client, events } = task
  await stopPropagation(client, group, claim)
  const policy = await reclaim(group, {
    policy: adapter === AGGREGATES ? reclaimPolicyOf(group) : 'Retain',
    remove: () => deleteLive(client, adapter.gvk, group),
    async free() {
      // While the claim is still there to come back to, should this be interrupted.
      const { kept } = adapter === AGGREGATES ? await reclaimMembers(task, group, adapter) : { kept: ledgerOf(group, adapter) }
      const released = await writeStatus(task, group, { fields: { bindingPhase: 'Released', [adapter.ledger]: kept } })
      await client.update(withSpec(released, { claimRef: undefined }))
    },
  })
  const message = `${policy === 'Delete' ? 'Deleted' : 'Released'} ${describeObject(group)}`
  events.normal(claim, 'UnboundManagedResource', message)
}
