import type { KubeObject } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import { type KindInfo, LIVING_ROLES, roleOf } from '../../../kinds/kind-info.ts'
import { ownReason, refOf, stateOf } from '../../objects/state.ts'
import { usersOf } from '../../objects/users.ts'
import { Nothing } from '../../parts/nothing.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge } from '../../session/use-knowledge.ts'

const MOST = 20

/** Who depends on this: what breaks when it does. */
export function UsedBy({ object }: { readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  const { kinds } = useConsole()
  const knowledge = useKnowledge(isLivingOrComposition)
  const users = useMemo(() => usersOf(world, object), [world, object])
  return (
    <section className="card" aria-labelledby="used-by">
      <h2 id="used-by">Used by {(users.length > 0 || knowledge.phase === 'known') && <span className="pill">{users.length}</span>}</h2>
      {users.length === 0 ? (
        <Nothing knowledge={knowledge} what="what uses it">
          Nothing that you can see.
        </Nothing>
      ) : (
        <ul className="plain users">
          {users.slice(0, MOST).map((user) => {
            const kind = kinds.all.find((each) => each.kind === user.kind && user.apiVersion.startsWith(`${each.group}/`))
            const state = stateOf(user, kind && roleOf(kind))
            return (
              <li key={user.metadata.uid}>
                <StateBadge state={state} /> <ObjectLink object={refOf(user)} />
                {state === 'failed' && <p className="why">{ownReason(user)}</p>}
              </li>
            )
          })}
        </ul>
      )}
      {users.length > MOST && <p className="muted">The first {MOST} are shown.</p>}
    </section>
  )
}

const isLivingOrComposition = (kind: KindInfo): boolean => {
  const role = roleOf(kind)
  return role !== undefined && (LIVING_ROLES.includes(role) || role === 'composition')
}
