import { formatGroupKind, type KubeObject } from '@weft/api'
import { type ControllerSpec, done, type Request, requeueAfter, type Result } from '@weft/runtime'
import { hasFinalizer, isDeleted, withoutFinalizer } from '../binding/finalizers.ts'
import { phaseOf } from '../binding/phase.ts'
import { specRef } from '../binding/spec-reference.ts'
import type { ClaimServices, ClaimTask } from '../claim/services.ts'
import { tellFailure } from '../claim/tell-failure.ts'
import { writeStatus } from '../claim/write-claim.ts'
import { COMPOSITES, type GroupKindAdapter } from './group-kind.ts'
import { reclaimMembers } from './reclaim-members.ts'

export const groupControllerName = ({ gvk }: GroupKindAdapter): string => `group/${formatGroupKind(gvk)}`

const LOOK_AGAIN_MS = 60_000

/**
 * Reclaims the members of groups that go. It binds nothing: a group that nobody claimed is nobody's business (A26).
 *
 * - A group that is being deleted: each member is deleted or let go, as the member's own policy says; then the group goes.
 * - A composite whose claim has gone (Released): likewise, but members that are retained stay members, and the composite stays with them (F18). Those of an
 *   aggregate were reclaimed in the same way when its claim went (A23).
 */
export function groupController(services: ClaimServices, adapter: GroupKindAdapter): ControllerSpec {
  const concerns = (group: KubeObject): boolean => isDeleted(group) || (adapter === COMPOSITES && phaseOf(group) === 'Released')
  const groupsOf = (member: KubeObject): readonly Request[] => {
    const name = specRef(member, adapter.memberRef)?.name
    return name === undefined ? [] : [{ name }]
  }
  return {
    name: groupControllerName(adapter),
    kind: { group: adapter.gvk.group, kind: adapter.gvk.kind },
    predicate: ({ object }) => concerns(object),
    shares: [{ from: services.watches, map: ({ type, object }) => (type === 'deleted' ? groupsOf(object) : []) }],
    async reconcile(request, { client, primary }) {
      const group = primary.get(request)
      if (group === undefined || !concerns(group)) return done
      const task: ClaimTask = { ...services, client }
      try {
        return await takeDown(task, group, adapter)
      } catch (error) {
        await tellFailure(task, group, error, 'CannotReclaimMembers')
        throw error
      }
    },
  }
}

async function takeDown(task: ClaimTask, group: KubeObject, adapter: GroupKindAdapter): Promise<Result> {
  const goes = isDeleted(group)
  const { going, kept } = await reclaimMembers(task, group, adapter)
  // Members that go wake the group.
  if (going > 0) return requeueAfter(LOOK_AGAIN_MS)
  if (kept.length > 0) await writeStatus(task, group, { fields: { [adapter.ledger]: kept } })
  else if (!goes) await task.client.delete(adapter.gvk, { name: group.metadata.name ?? '' })
  else if (hasFinalizer(group, adapter.finalizer)) await task.client.update(withoutFinalizer(group, adapter.finalizer))
  return done
}
