import type { KubeObject } from '@weft/api'
import { conditionsOf, machineryRef } from '@weft/composition'
import { type ReactNode, useMemo } from 'react'
import type { KindInfo } from '../../../kinds/kind-info.ts'
import type { EventObject } from '../../live/events.ts'
import { withQuery } from '../../live/reflector.ts'
import { compositionSteps } from '../../../world/composition-steps.ts'
import { pipelineOutcome, type StepOutcome } from '../../objects/step-outcomes.ts'
import { ObjectLink } from '../../parts/object-link.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { useConsole } from '../../session/console.tsx'
import { useObject } from '../../session/use-object.ts'
import { useReflected } from '../../session/use-reflected.ts'

const GROUP = 'apiextensions.crossplane.io'
const FUNCTION = { apiVersion: 'pkg.crossplane.io/v1', kind: 'Function' }

/** The name of the revision that a composite resource is composed by; undefined: it is none of a pipeline. */
function revisionOf(object: KubeObject): string | undefined {
  for (const place of ['spec.crossplane', 'spec'] as const) {
    const ref = machineryRef(object, place, 'compositionRevisionRef')
    if (ref.ok && ref.value?.name !== undefined) return ref.value.name
  }
  return undefined
}

/** What the functions of a composite's pipeline said when they were last asked, step by step, and why one failed. Nothing of what has no pipeline. */
export function Pipeline({ object }: { readonly object: KubeObject }): ReactNode {
  const { kinds } = useConsole()
  const kind = kinds.byKind(GROUP, 'CompositionRevision')
  const revision = revisionOf(object)
  return kind === undefined || revision === undefined ? null : <OfRevision kind={kind} name={revision} object={object} />
}

function OfRevision({ kind, name, object }: { readonly kind: KindInfo; readonly name: string; readonly object: KubeObject }): ReactNode {
  const revision = useObject(kind, undefined, name)
  const { uid = '', namespace = 'default' } = object.metadata
  const events = useReflected({
    path: withQuery(`/api/v1/namespaces/${encodeURIComponent(namespace)}/events`, { fieldSelector: `involvedObject.uid=${uid}` }),
    apiVersion: 'v1',
    kind: 'Event',
  })
  const known = revision.phase === 'found' ? revision.object : undefined
  const outcome = useMemo(
    () =>
      pipelineOutcome(
        known === undefined ? undefined : compositionSteps(known),
        conditionsOf(object),
        events.objects as readonly EventObject[],
      ),
    [known, object, events.objects],
  )
  // A revision of one that makes its resources itself, without functions.
  if (revision.phase === 'loading' || (known !== undefined && outcome.steps.every(({ fn }) => fn === undefined))) return null
  return (
    <section className="card wide" aria-labelledby="pipeline">
      <h2 id="pipeline">Results of its functions</h2>
      {known === undefined ? (
        <p className="calm">
          {revision.phase === 'refused' ? 'You may not see the revision' : 'There is no longer a revision'} {name} of its Composition: shown
          are the steps that it speaks of itself.
        </p>
      ) : (
        <p className="muted">
          By revision <ObjectLink object={{ apiVersion: `${GROUP}/v1`, kind: 'CompositionRevision', name }}>{name}</ObjectLink>.
          {events.state.phase === 'refused' && ` You may not see events in ${namespace}, which tell what functions said.`}
        </p>
      )}
      <ol className="steps">
        {outcome.steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
      {outcome.after !== undefined && <p className="why">The functions returned a result that could not be applied: {outcome.after}</p>}
    </section>
  )
}

const WORDS: Readonly<Record<Exclude<StepOutcome['state'], 'failed'>, string>> = {
  ran: 'answered',
  'not reached': 'not asked: a step before it failed',
  unknown: 'not known yet',
}

function Step({ step: { name, fn, state, why, results } }: { readonly step: StepOutcome }): ReactNode {
  return (
    <li className="step">
      <h3>
        {name}{' '}
        {fn !== undefined && (
          <>
            <span className="muted">by </span>
            <ObjectLink object={{ ...FUNCTION, name: fn }}>{fn}</ObjectLink>{' '}
          </>
        )}
        {state === 'failed' ? <StateBadge state="failed" /> : <span className="pill">{WORDS[state]}</span>}
      </h3>
      {why !== undefined && <p className="why">{why}</p>}
      {results.length > 0 && (
        <ul className="plain">
          {results.map((result) => (
            <li key={result.id} className={result.severity === 'warning' ? 'event-warning' : undefined}>
              {result.severity === 'warning' && <span aria-hidden="true">▲ </span>}
              {result.severity === 'warning' && <span className="unseen">Warning: </span>}
              {result.message}{' '}
              <span className="muted">
                <TimeAgo at={result.at} />
                {result.times > 1 && ` · ${result.times} times`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
