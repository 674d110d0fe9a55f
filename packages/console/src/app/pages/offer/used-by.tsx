import type { KubeObject } from '@weft/api'
import type { ReactNode } from 'react'
import type { Users } from '../../../contract.ts'
import { Nothing } from '../../parts/nothing.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { useUsers } from '../../session/use-users.ts'

/** Who depends on this: what breaks when it does. */
export function UsedBy({ object }: { readonly object: KubeObject }): ReactNode {
  const { users, knowledge } = useUsers(object)
  const total = users?.total ?? 0
  return (
    <section className="card" aria-labelledby="used-by">
      <h2 id="used-by">Used by {(total > 0 || knowledge.phase === 'known') && <span className="pill">{total}</span>}</h2>
      {users === undefined || total === 0 ? (
        <Nothing knowledge={knowledge} what="what uses it">
          Nothing that is visible to you.
        </Nothing>
      ) : (
        <Few users={users} />
      )}
    </section>
  )
}

function Few({ users: { total, objects } }: { readonly users: Users }): ReactNode {
  return (
    <>
      <ul className="plain users">
        {objects.map(({ ref, state, why }) => (
          <li key={`${ref.kind} ${ref.namespace ?? ''}/${ref.name}`}>
            <StateBadge state={state} /> <ObjectLink object={ref} />
            {why !== undefined && <p className="why">{why}</p>}
          </li>
        ))}
      </ul>
      {total > objects.length && <p className="muted">The first {objects.length} are shown.</p>}
    </>
  )
}
