import { type ReactNode, useMemo } from 'react'
import { countByKind, livingCollections, needsAttention } from '../../objects/attention.ts'
import { STATE_WORDS } from '../../objects/state.ts'
import { count } from '../../objects/words.ts'
import { Nothing } from '../../parts/nothing.tsx'
import { Loading, Notice } from '../../parts/notice.tsx'
import { fullName, ObjectLink } from '../../parts/object-link.tsx'
import { Page } from '../../parts/page.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { type KindInfo, LIVING_ROLES, ROLE_NAMES, roleOf } from '../../kinds/kind-info.ts'
import { refOf } from '../../objects/state.ts'
import { Link } from '../../routing/navigation.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge } from '../../session/use-knowledge.ts'
import { Activity } from './activity.tsx'

const MOST_SHOWN = 50

export function Overview(): ReactNode {
  return (
    <Page title="Overview">
      <div className="overview">
        <Attention />
        <Activity />
        <Counts />
      </div>
    </Page>
  )
}

function Attention(): ReactNode {
  const world = useWorld()
  const knowledge = useKnowledge(isLiving)
  const { shown, total } = useMemo(() => needsAttention(world, MOST_SHOWN), [world])
  return (
    <section aria-labelledby="attention" className="card span">
      <h2 id="attention">Needs attention {total > 0 && <span className="pill">{total}</span>}</h2>
      {total === 0 && (
        <Nothing knowledge={knowledge} what="objects here">
          Everything that you can see is ready.
        </Nothing>
      )}
      {total > 0 && knowledge.phase === 'loading' && <Loading what="more objects" />}
      {total > 0 && (
        <ul className="rows" aria-label="Objects that are not ready">
          {shown.map(({ object, state, why }) => (
            <li key={object.metadata.uid ?? fullName(object)}>
              <StateBadge state={state} />
              <div>
                <ObjectLink object={refOf(object)} />
                <p className="why">{why}</p>
              </div>
              <TimeAgo at={object.metadata.creationTimestamp} />
            </li>
          ))}
        </ul>
      )}
      {total > shown.length && <p className="muted">And {total - shown.length} more: see the kinds below.</p>}
      <Refused />
    </section>
  )
}

const isLiving = (kind: KindInfo): boolean => {
  const role = roleOf(kind)
  return role !== undefined && LIVING_ROLES.includes(role)
}

/** Says what is left out, so that nobody takes an empty page for a healthy one. */
function Refused(): ReactNode {
  const world = useWorld()
  const { namespace } = useConsole()
  const refused = livingCollections(world).filter(({ state }) => state.phase === 'refused')
  if (refused.length === 0) return null
  const names = refused.map(({ kind }) => kind.kind)
  const list = names.length > 6 ? `${names.slice(0, 6).join(', ')} and ${names.length - 6} more` : names.join(', ')
  return (
    <Notice tone="info">
      You may not list {count(names.length, 'kind')} {namespace === '' ? 'in all namespaces' : `in ${namespace}`} ({list}). They are not
      shown.
      {namespace === '' && ' If you have rights in one namespace, choose it at the top.'}
    </Notice>
  )
}

const COLUMNS = ['ready', 'waiting', 'failed', 'deleting', 'paused'] as const

function Counts(): ReactNode {
  const world = useWorld()
  const counts = useMemo(() => countByKind(world), [world])
  if (counts.length === 0) return null
  return (
    <section aria-labelledby="counts" className="card span">
      <h2 id="counts">By kind and state</h2>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              {COLUMNS.map((state) => (
                <th key={state} scope="col" className="number">
                  {STATE_WORDS[state]}
                </th>
              ))}
              <th scope="col" className="number">
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {counts.map(({ collection: { kind, role }, total, byState }) => (
              <tr key={`${kind.group}/${kind.kind}`}>
                <th scope="row">
                  <Link to={{ page: 'kind', group: kind.group, plural: kind.plural }}>{kind.kind}</Link>{' '}
                  <span className="muted">
                    {ROLE_NAMES[role].one.toLowerCase()} · {kind.group}
                  </span>
                </th>
                {COLUMNS.map((state) => (
                  <td key={state} className={`number ${(byState.get(state) ?? 0) > 0 ? `state-${state}` : 'muted'}`}>
                    {byState.get(state) ?? 0}
                  </td>
                ))}
                <td className="number">{total}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
