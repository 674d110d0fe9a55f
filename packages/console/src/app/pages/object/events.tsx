import { type KubeObject } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import { withQuery } from '../../live/reflector.ts'
import { useReflected } from '../../session/use-reflected.ts'
import { Loading } from '../../parts/notice.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'

const MOST = 25

interface EventFields {
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly note?: string
  readonly count?: number
  readonly lastTimestamp?: string
  readonly eventTime?: string
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string }
}

const lastSeen = (event: KubeObject & EventFields): string | undefined =>
  event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp

/** What happened to the object, the latest first. Events of cluster-scoped objects are kept in the namespace default. */
export function Events({ object }: { readonly object: KubeObject }): ReactNode {
  const { uid = '', namespace = 'default' } = object.metadata
  const { objects, state } = useReflected({
    path: withQuery(`/api/v1/namespaces/${encodeURIComponent(namespace)}/events`, { fieldSelector: `involvedObject.uid=${uid}` }),
    apiVersion: 'v1',
    kind: 'Event',
  })
  const events = useMemo(
    () =>
      ([...objects] as (KubeObject & EventFields)[]).sort((a, b) => (lastSeen(b) ?? '').localeCompare(lastSeen(a) ?? '')).slice(0, MOST),
    [objects],
  )
  return (
    <section className="card" aria-labelledby="events">
      <h2 id="events">Events</h2>
      {state.phase === 'listing' && events.length === 0 && <Loading what="events" />}
      {state.phase === 'refused' && <p className="calm">You may not see events in {namespace}.</p>}
      {state.phase === 'watching' && events.length === 0 && <p className="calm">Nothing happened lately.</p>}
      {events.length > 0 && (
        <ol className="events">
          {events.map((event) => (
            <li key={event.metadata.uid} className={event.type === 'Warning' ? 'event event-warning' : 'event'}>
              <span className="event-reason">
                {event.type === 'Warning' && <span aria-hidden="true">▲ </span>}
                {event.type === 'Warning' && <span className="unseen">Warning: </span>}
                {event.reason}
              </span>
              <span className="event-message">{event.message ?? event.note}</span>
              <span className="muted">
                <TimeAgo at={lastSeen(event)} />
                {(event.series?.count ?? event.count ?? 1) > 1 && ` · ${event.series?.count ?? event.count} times`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
