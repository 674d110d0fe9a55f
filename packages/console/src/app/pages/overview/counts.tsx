import type { ReactNode } from 'react'
import { COUNTED_STATES, type Summary } from '../../../contract.ts'
import { ROLE_NAMES } from '../../../kinds/kind-info.ts'
import { STATE_WORDS } from '../../../world/state.ts'
import { count, number } from '../../objects/words.ts'
import { Link } from '../../routing/navigation.tsx'

/** How many objects of each kind there are, by state. `onAll`: those that were left out are wanted, too. */
export function Counts({ summary: { kinds, more }, onAll }: { readonly summary: Summary; readonly onAll: () => void }): ReactNode {
  if (kinds.length === 0) return null
  return (
    <section aria-labelledby="counts" className="card span">
      <h2 id="counts">By kind and state</h2>
      <div className="scroll">
        <table className="counted">
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
            {kinds.map(({ group, kind, plural, role, total, states }) => (
              <tr key={`${group}/${kind}`}>
                <th scope="row">
                  <Link to={{ page: 'kind', group, plural }}>{kind}</Link>{' '}
                  <span className="muted">
                    {ROLE_NAMES[role].one.toLowerCase()} · {group}
                  </span>
                </th>
                {COUNTED_STATES.map((state) => (
                  <td
                    key={state}
                    className={`number ${(states[state] ?? 0) > 0 ? `state-${state}` : 'muted none'}`}
                    data-title={STATE_WORDS[state]}
                  >
                    {number(states[state] ?? 0)}
                  </td>
                ))}
                <td className="number" data-title="Total">
                  {number(total)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more.kinds > 0 && (
        <p className="muted">
          And {count(more.objects, 'object')} of {count(more.kinds, 'more kind')}.{' '}
          <button type="button" className="small" onClick={onAll}>
            Show all kinds
          </button>
        </p>
      )}
    </section>
  )
}
