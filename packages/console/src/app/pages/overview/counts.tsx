import { type ReactNode, useMemo } from 'react'
import { COUNTED_STATES } from '../../../contract.ts'
import { ROLE_NAMES } from '../../../kinds/kind-info.ts'
import { countByKind } from '../../objects/attention.ts'
import { STATE_WORDS } from '../../objects/state.ts'
import { Link } from '../../routing/navigation.tsx'
import { useWorld } from '../../session/console.tsx'

export function Counts(): ReactNode {
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
              {COUNTED_STATES.map((state) => (
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
                {COUNTED_STATES.map((state) => (
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
