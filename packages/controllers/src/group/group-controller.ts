import { formatGroupKind, type KubeObject } from '@weft/api'
import { type ControllerSpec, done, requeueAfter, type Result } from '@weft/runtime'
import { isClaimedBy, referenceTo } from '../binding/claimant.ts'
import { hasFinalizer, isDeleted, withoutFinalizer } from '../binding/finalizers.ts'
import { phaseOf } from '../binding/phase.ts'
import { reclaimPolicyOf } from '../binding/reclaim.ts'
import { findLive, reclaim } from '../claim/release-direct.ts'
import type { ClaimServices, ClaimTask } from '../claim/services.ts'
import { writePhase } from '../claim/write-claim.ts'
import { COMPOSITES, type GroupKindAdapter } from './group-kind.ts'
import { ledgerOf } from './ledger.ts'
import { kindOfEntry } from './members.ts'

export const groupControllerName = ({ gvk }: GroupKindAdapter): string => `group/${formatGroupKind(gvk)}`

const LOOK_AGAIN_MS = 60_000

/**
 * Reclaims the members of groups that go. It binds nothing: a group that nobody claimed is nobody's business (A26).
 *
 * - A group that is being deleted: each member is deleted or let go, as the member's own policy says; then the group goes.
 * - A composite whose claim has gone (Released): likewise, but members that are retained stay members, and the composite stays with them (F18).
 */
export function groupController(services: ClaimServices, adapter: GroupKindAdapter): ControllerSpec {
  const concerns = (group: KubeObject): boolean => isDeleted(group) || (adapter === COMPOSITES && phaseOf(group) === 'Released')
  return {
    name: groupControllerName(adapter),
    kind: { group: adapter.gvk.group, kind: adapter.gvk.kind },
    predicate: ({ object }) => concerns(object),
    async reconcile(request, { client, primary }) {
      const group = primary.get(request)
      if (group === undefined || !concerns(group)) return done
      return reclaimMembers({ ...services, client }, group, adapter)
    },
  }
}

async function reclaimMembers(task: ClaimTask, group: KubeObject, adapter: GroupKindAdapter): Promise<Result> {
  const goes = isDeleted(group)
  let left = 0
  for (const entry of ledgerOf(group, adapter)) {
    const member = await findLive(task, kindOfEntry(entry), entry.name)
    if (member === undefined || !isClaimedBy(member, adapter.memberRef, referenceTo(group))) continue
    if (goes || reclaimPolicyOf(member) === 'Delete') {
      if ((await reclaim(task, member, adapter.memberRef)) === 'Delete') left++
    } else {
      left++
      await writePhase(task, member, 'Released')
    }
  }
  // Members that go wake the group.
  if (left > 0) return requeueAfter(LOOK_AGAIN_MS)
  if (!goes) await task.client.delete(adapter.gvk, { name: group.metadata.name ?? '' })
  else if (hasFinalizer(group, adapter.finalizer)) await task.client.update(withoutFinalizer(group, adapter.finalizer))
  return done
}
