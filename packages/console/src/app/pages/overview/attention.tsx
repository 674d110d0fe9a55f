import { type ReactNode, useMemo } from 'react'
import { livingCollections } from '../../objects/attention.ts'
import { type Cause, causesOf } from '../../objects/causes.ts'
import { refOf } from '../../objects/state.ts'
import { count } from '../../objects/words.ts'
import { Nothing } from '../../parts/nothing.tsx'
import { Loading, Notice } from '../../parts/notice.tsx'
import { fullName, ObjectLink } from '../../parts/object-link.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { useConsole, useWorld } from '../../session/console.tsx'
import { useKnowledge } from '../../session/use-knowledge.ts'
import { isLiving } from './living.ts'

const MOST_CAUSES = 20
/** Of one cause; the first few are in sight. */
const MOST_OBJECTS = 50
const IN_SIGHT = 3

export function NeedsAttention(): ReactNode {
  const world = useWorld()
  const knowledge = useKnowledge(isLiving)
  const { causes, total, more } = useMemo(() => causesOf(world), [world])
  const left = causes.slice(MOST_CAUSES).reduce((sum, { objects }) => sum + objects.length, more)
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
        <ul className="rows" aria-label="Objects that are not ready, by cause">
          {causes.slice(0, MOST_CAUSES).map((cause) => (
            <CauseRow key={cause.text} cause={cause} />
          ))}
        </ul>
      )}
      {left > 0 && <p className="muted">And {left} more: see the kinds below.</p>}
      <Refused />
    </section>
  )
}

function CauseRow({ cause: { state, text, objects } }: { readonly cause: Cause }): ReactNode {
  const [first] = objects
  const rest = objects.slice(IN_SIGHT, MOST_OBJECTS)
  if (first === undefined) return null
  return (
    <li>
      <StateBadge state={state} />
      <div>
        {/* One object is called by its name, and so is what is to blame for it. */}
        <p className="cause">{objects.length === 1 ? first.why : text}</p>
        <Objects objects={objects.slice(0, IN_SIGHT)} />
        {rest.length > 0 && (
          <details>
            <summary>{count(objects.length - IN_SIGHT, 'more object', 'more objects')}</summary>
            <Objects objects={rest} />
            {objects.length > MOST_OBJECTS && <p className="muted">And {objects.length - MOST_OBJECTS} more.</p>}
          </details>
        )}
      </div>
      {objects.length > 1 ? (
        <span className="pill">{count(objects.length, 'object')}</span>
      ) : (
        <TimeAgo at={first.object.metadata.creationTimestamp} />
      )}
    </li>
  )
}

function Objects({ objects }: { readonly objects: Cause['objects'] }): ReactNode {
  return (
    <ul className="inline-list">
      {objects.map(({ object }) => (
        <li key={object.metadata.uid ?? fullName(object)}>
          <ObjectLink object={refOf(object)} />
        </li>
      ))}
    </ul>
  )
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
