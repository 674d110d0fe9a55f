import { type ReactNode, useMemo } from 'react'
import { type KindInfo, kindKey } from '../../../kinds/kind-info.ts'
import { installedPackages } from '../../objects/installed-packages.ts'
import { ownReason, stateOf } from '../../../world/state.ts'
import { Nothing } from '../../parts/nothing.tsx'
import { routeTo } from '../../parts/object-link.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Link } from '../../routing/navigation.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge, useWatched } from '../../session/use-knowledge.ts'

const isProvider = (kind: KindInfo): boolean => kindKey(kind) === 'Provider.pkg.crossplane.io'

/** What packages are there for: to carry things out, and to compose them. */
const isAtWork = (kind: KindInfo): boolean => isProvider(kind) || kindKey(kind) === 'Function.pkg.crossplane.io'

/** Are those well who carry everything out? Of functions only those that are not: there may be dozens. */
export function ProviderHealth(): ReactNode {
  const world = useWorld()
  const { kinds } = useConsole()
  useWatched(isAtWork)
  // Of providers alone: who may see functions and no providers is not told that there are none.
  const knowledge = useKnowledge(isProvider)
  const shown = useMemo(
    () =>
      installedPackages(world).filter(({ kind, object }) => isProvider(kind) || (isAtWork(kind) && stateOf(object, undefined) !== 'ready')),
    [world],
  )
  const areProviders = shown.every(({ kind }) => isProvider(kind))
  // Providers of a server without packages are built in, and are well when it is.
  if (kinds.loaded && !kinds.all.some(isProvider)) return null
  return (
    <section aria-labelledby="providers" className="card">
      <h2 id="providers">{areProviders ? 'Providers' : 'Providers and functions'}</h2>
      {shown.length === 0 && (
        <Nothing knowledge={knowledge} what="providers">
          None is installed. <Link to={{ page: 'packages' }}>Install one</Link> to manage anything outside.
        </Nothing>
      )}
      <ul className="rows rows-short">
        {shown.map(({ kind, object }) => {
          const state = stateOf(object, undefined)
          return (
            <li key={object.metadata.uid}>
              <StateBadge state={state ?? 'waiting'} />
              <div>
                <Link to={routeTo(kind, undefined, object.metadata.name ?? '')}>{object.metadata.name}</Link>
                {state !== 'ready' && <p className="why">{ownReason(object)}</p>}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
