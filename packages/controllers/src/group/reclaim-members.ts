import { kindOf } from '../claim/served-kinds.ts'
import type { KubeObject } from '@weft/api'
import { isClaimedBy, referenceTo } from '../binding/claimant.ts'
import { isDeleted } from '../binding/finalizers.ts'
import { findLive } from '../binding/live-object.ts'
import { reclaimPolicyOf } from '../binding/reclaim.ts'
import { reclaimManaged } from '../claim/release-direct.ts'
import type { ClaimTask } from '../claim/services.ts'
import { writePhase } from '../claim/write-claim.ts'
import type { GroupKindAdapter } from './group-kind.ts'
import { type LedgerEntry, ledgerOf, observedEntry } from './ledger.ts'

export interface Reclaimed {
  /** How many are being deleted. */
  readonly going: number
  /** Those that stay members, Released. */
  readonly kept: readonly LedgerEntry[]
}

/**
 * The claim of a group has gone, or the group itself goes: each member is deleted or retained, as its own policy says, in either sort of group. One that is
 * retained is Released; it stays a member as long as there is a group. Idempotent.
 */
export async function reclaimMembers(task: ClaimTask, group: KubeObject, adapter: GroupKindAdapter): Promise<Reclaimed> {
  let going = 0
  const kept: LedgerEntry[] = []
  for (const entry of ledgerOf(group, adapter)) {
    const member = await findLive(task.client, kindOf(entry), { name: entry.name })
    if (member === undefined || !isClaimedBy(member, adapter.memberRef, referenceTo(group))) continue
    if (isDeleted(group) || reclaimPolicyOf(member) === 'Delete') {
      if ((await reclaimManaged(task, member, adapter.memberRef)) === 'Delete') going++
    } else kept.push(observedEntry(entry, await writePhase(task, member, 'Released'), 'Released'))
  }
  return { going, kept }
}
