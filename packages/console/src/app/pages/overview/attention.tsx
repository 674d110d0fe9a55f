import type { ReactNode } from 'react'
import type { Summary, SummaryCause } from '../../../contract.ts'
import type { Knowledge } from '../../live/knowledge.ts'
import { count, number } from '../../objects/words.ts'
import { LongText } from '../../parts/long-text.tsx'
import { Nothing } from '../../parts/nothing.tsx'
import { Loading, Notice } from '../../parts/notice.tsx'
import { ObjectLink } from '../../parts/object-link.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { useConsole } from '../../session/console.tsx'

/** Of one cause; the others are behind a word. */
const IN_SIGHT = 3

interface NeedsAttentionProps {
  readonly summary: Summary | undefined
  readonly knowledge: Knowledge
}

export function NeedsAttention({ summary, knowledge }: NeedsAttentionProps): ReactNode {
  const { total, causes } = summary?.attention ?? { total: 0, causes: [] }
  const left = causes.reduce((sum, cause) => sum - cause.total, total)
  return (
    <section aria-labelledby="attention" className="card span">
      <h2 id="attention">Needs attention {total > 0 && <span className="pill">{number(total)}</span>}</h2>
      {total === 0 && (
        <Nothing knowledge={knowledge} what="objects here">
          Everything that you can see is ready.
        </Nothing>
      )}
      {total > 0 && knowledge.phase === 'loading' && <Loading what="more objects" />}
      {total > 0 && (
        <ul className="rows" aria-label="Objects that are not ready, by cause">
          {causes.map((cause) => (
            <CauseRow key={cause.text} cause={cause} />
          ))}
        </ul>
      )}
      {left > 0 && <p className="muted">And {number(left)} more: see the kinds below.</p>}
      {summary !== undefined && <Refused refused={summary.refused} />}
    </section>
  )
}

function CauseRow({ cause: { state, text, total, objects, since } }: { readonly cause: SummaryCause }): ReactNode {
  const rest = objects.slice(IN_SIGHT)
  return (
    <li>
      <StateBadge state={state} />
      <div>
        <p className="cause">
          <LongText text={text} />
        </p>
        <Objects objects={objects.slice(0, IN_SIGHT)} />
        {rest.length > 0 && (
          <details>
            <summary>{count(total - IN_SIGHT, 'more object')}</summary>
            <Objects objects={rest} />
            {total > objects.length && <p className="muted">And {number(total - objects.length)} more.</p>}
          </details>
        )}
      </div>
      {total > 1 ? <span className="pill">{count(total, 'object')}</span> : <TimeAgo at={since} />}
    </li>
  )
}

function Objects({ objects }: { readonly objects: SummaryCause['objects'] }): ReactNode {
  return (
    <ul className="inline-list">
      {objects.map((object) => (
        <li key={`${object.apiVersion} ${object.kind} ${object.namespace ?? ''}/${object.name}`}>
          <ObjectLink object={object} />
        </li>
      ))}
    </ul>
  )
}

/** Says what is left out, so that nobody takes an empty page for a healthy one. */
function Refused({ refused: { total, kinds } }: Pick<Summary, 'refused'>): ReactNode {
  const { namespace } = useConsole()
  if (total === 0) return null
  const list = total > kinds.length ? `${kinds.join(', ')} and ${number(total - kinds.length)} more` : kinds.join(', ')
  return (
    <Notice tone="info">
      You may not list {count(total, 'kind')} {namespace === '' ? 'in all namespaces' : `in ${namespace}`} ({list}). They are not shown.
      {namespace === '' && ' If you have rights in one namespace, choose it at the top.'}
    </Notice>
  )
}
