import type { KubeObject } from '@weft/api'
import { describeObject } from '../binding/claimant.ts'
import { reclaimPolicyOf } from '../binding/reclaim.ts'
import { withSpec } from '../binding/spec-reference.ts'
import type { ClaimTask } from '../claim/services.ts'
import { writePhase } from '../claim/write-claim.ts'
import { stopPropagation } from '../connection/propagate.ts'
import { AGGREGATES, type GroupKindAdapter } from './group-kind.ts'

/**
 * The claim goes. An aggregate goes with it or stays, as its own policy says (A23); a composite is released, and goes when the last of its members has (F18).
 * Members are the group controller's.
 */
export async function releaseGroup(task: ClaimTask, claim: KubeObject, group: KubeObject, adapter: GroupKindAdapter): Promise<void> {
  const { client, events } = task
  const { name = '' } = group.metadata
  await stopPropagation(client, group, claim)
  if (adapter === AGGREGATES && reclaimPolicyOf(group) === 'Delete') {
    await client.delete(adapter.gvk, { name }, { preconditions: group.metadata.uid === undefined ? {} : { uid: group.metadata.uid } })
    events.record(claim, { type: 'Normal', reason: 'UnboundManagedResource', message: `Deleted ${describeObject(group)}` })
    return
  }
  const released = await writePhase(task, group, 'Released')
  await client.update(withSpec(released, { claimRef: undefined }))
  events.record(claim, { type: 'Normal', reason: 'UnboundManagedResource', message: `Released ${describeObject(group)}` })
}
