import type { KubeObject } from '@weft/api'
import type { ReactNode } from 'react'
import { definitionState, ownReason } from '../../../world/state.ts'
import { routeTo } from '../../parts/object-link.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { Link } from '../../routing/navigation.tsx'
import { useConsole } from '../../session/console.tsx'
import { useKnowledge } from '../../session/use-knowledge.ts'
import { isPolicy, type ManagedKind } from './managed-kinds.ts'

export interface ManagedKindTableProps {
  readonly kinds: readonly ManagedKind[]
  /** They are of several groups, in which there may be kinds of the same name. */
  readonly ofGroups?: boolean
}

/** Managed kinds, a line each: whether they are served, why, and what connects to them. */
export function ManagedKindTable({ kinds, ofGroups = false }: ManagedKindTableProps): ReactNode {
  const arePoliciesKnown = useKnowledge(isPolicy).phase === 'known'
  return (
    <div className="scroll">
      <table className="even stacked">
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">State</th>
            <th scope="col">Activated by</th>
            <th scope="col">Connection details</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <ManagedKindRow key={kind.object.metadata.uid} managed={kind} ofGroups={ofGroups} arePoliciesKnown={arePoliciesKnown} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ManagedKindRow({
  managed: { object, kind, plural, group, active, policies, details },
  ofGroups,
  arePoliciesKnown,
}: {
  readonly managed: ManagedKind
  readonly ofGroups: boolean
  readonly arePoliciesKnown: boolean
}): ReactNode {
  const { kinds } = useConsole()
  const definition = kinds.byKind('apiextensions.crossplane.io', 'ManagedResourceDefinition')
  const served = kinds.byPlural(group, plural)
  return (
    <tr>
      <th scope="row">
        {definition === undefined ? kind : <Link to={routeTo(definition, undefined, object.metadata.name ?? '')}>{kind}</Link>}{' '}
        {served !== undefined && (
          <Link to={{ page: 'kind', group, plural }} className="muted" aria-label={`Objects of ${kind}`}>
            objects
          </Link>
        )}
        {ofGroups && <div className="muted">{group}</div>}
      </th>
      <td data-title="State">{active ? <Served object={object} /> : <span className="muted">Inactive</span>}</td>
      <td data-title="Activated by">
        {policies.length > 0 ? policies.join(', ') : arePoliciesKnown && (active ? 'by hand' : <span className="muted">no policy</span>)}
      </td>
      <td data-title="Connection details">
        {details.length === 0 ? (
          <span className="muted">none declared</span>
        ) : (
          <div>
            {details.map(({ name, description }) => (
              <code key={name} className="label" title={description}>
                {name}
              </code>
            ))}
          </div>
        )}
      </td>
    </tr>
  )
}

function Served({ object }: { readonly object: KubeObject }): ReactNode {
  const state = definitionState(object)
  return (
    <>
      {state === 'ready' ? 'Active' : <StateBadge state={state} />}{' '}
      {state === 'ready' ? null : <span className="why">{ownReason(object)}</span>}
      <span className="unseen">
        since <TimeAgo at={object.metadata.creationTimestamp} />
      </span>
    </>
  )
}
