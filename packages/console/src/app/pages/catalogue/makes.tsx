import type { KubeObject } from '@weft/api'
import { lazy, type ReactNode, useMemo, useState } from 'react'
import { claimsOf, decidesOffers, makesOf } from '../../../world/makes.ts'
import { Fallible } from '../../parts/fallible.tsx'
import { Nothing } from '../../parts/nothing.tsx'
import { Link } from '../../routing/navigation.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge } from '../../session/use-knowledge.ts'

const Example = lazy(() => import('./example.tsx'))

/** What a class, Composition, definition or publication would make. */
export function Makes({ object }: { readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  const knowledge = useKnowledge(decidesOffers)
  const [rendering, setRendering] = useState(false)
  const made = useMemo(() => makesOf(world, object), [world, object])
  const claims = useMemo(() => (object.kind.endsWith('Class') ? claimsOf(world, object) : []), [world, object])
  const renderable = object.kind === 'Composition' || claims.length > 0
  return (
    <section className="card makes" aria-labelledby="makes">
      <h2 id="makes">What it creates</h2>
      {made.length === 0 ? (
        <Nothing knowledge={knowledge} what="what it makes">
          Nothing known to this console.
        </Nothing>
      ) : (
        <ul className="plain">
          {made.map(({ group, kind, count, through }) => (
            <li key={`${kind}.${group} ${through ?? ''}`}>
              {count > 1 && `${count} × `}
              <KindLink group={group} kind={kind} /> {through !== undefined && <span className="muted">through {through}</span>}
            </li>
          ))}
        </ul>
      )}
      {claims.length > 0 && (
        <p>
          For claims of:{' '}
          {claims.map(({ group, kind }, i) => (
            <span key={`${kind}.${group}`}>
              {i > 0 && ', '}
              <KindLink group={group} kind={kind} />
            </span>
          ))}
        </p>
      )}
      {renderable && !rendering && (
        <button type="button" onClick={() => setRendering(true)}>
          Render an example
        </button>
      )}
      {rendering && (
        <Fallible what="the example">
          <Example offer={object} />
        </Fallible>
      )}
    </section>
  )
}

/** A kind by name; a link where the server serves it. */
export function KindLink({ group, kind }: { readonly group: string; readonly kind: string }): ReactNode {
  const { kinds } = useConsole()
  const known = kinds.byKind(group, kind)
  const text = (
    <>
      {kind} <span className="muted">{group}</span>
    </>
  )
  return known === undefined ? (
    <span>
      {text} {kinds.loaded && <span className="muted">(not active)</span>}
    </span>
  ) : (
    <Link to={{ page: 'kind', group, plural: known.plural }}>{text}</Link>
  )
}
