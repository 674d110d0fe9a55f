import { findCondition, parseGroupVersion } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import type { ObjectReference, Users } from '../../contract.ts'
import { LIVING_ROLES, roleOf } from '../../kinds/kind-info.ts'
import { ownReason, refOf, stateOf } from '../../world/state.ts'
import { usersOf } from '../../world/users.ts'
import { find } from '../../world/world.ts'
import { Refusal } from '../answer.ts'
import type { InventoryState } from './inventory.ts'

const MOST = 20

export function readUsersQuestion(query: URLSearchParams): ObjectReference {
  const [apiVersion, kind, name, namespace] = ['apiVersion', 'kind', 'name', 'in'].map((field) => query.get(field) ?? '')
  if (!apiVersion || !kind || !name) throw new Refusal(400, 'BadRequest', 'say whose users: apiVersion, kind and name')
  return { apiVersion, kind, name, ...(namespace && { namespace }) }
}

/** What depends on an object, of what is seen. The object itself is seen by whoever asks for it, or is nothing but a name. */
export function usersIn({ areKindsKnown, world }: InventoryState, asked: ObjectReference): Users {
  const { apiVersion, kind, name, namespace } = asked
  const object = find(world, asked) ?? { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } }
  const users = usersOf(world, object)
  const synced = users.map((user) => findCondition(conditionsOf(user), 'Synced'))
  const failing = synced.filter((condition) => condition?.status === 'False')
  const why = failing[0]?.message ?? failing[0]?.reason
  const roles = new Map([...world.collections.values()].map(({ kind: each }) => [`${each.kind}.${each.group}`, roleOf(each)]))
  const unread = [...world.collections.values()].some(
    ({ kind: each, loaded, state }) => !loaded && state.phase === 'listing' && LIVING_ROLES.includes(roleOf(each) ?? 'class'),
  )
  return {
    isComplete: areKindsKnown && !unread,
    total: users.length,
    synced: synced.filter((condition) => condition?.status === 'True').length,
    failing: failing.length,
    ...(why !== undefined && { why }),
    objects: users.slice(0, MOST).map((user) => {
      const state = stateOf(user, roles.get(`${user.kind}.${parseGroupVersion(user.apiVersion).group}`))
      const reason = state === 'failed' ? ownReason(user) : undefined
      return { ref: refOf(user), ...(state !== undefined && { state }), ...(reason !== undefined && { why: reason }) }
    }),
  }
}
