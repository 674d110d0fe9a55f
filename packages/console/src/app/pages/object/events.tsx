import { type KubeObject } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import { type ReflectorState, withQuery } from '../../live/reflector.ts'
import { type KindInfo, LIVING_ROLES, roleOf } from '../../kinds/kind-info.ts'
import { descendantsOf } from '../../objects/descendants.ts'
import { refOf } from '../../objects/state.ts'
import { count } from '../../objects/words.ts'
import { ObjectLink } from '../../parts/object-link.tsx'
import { useWorld } from '../../session/console.tsx'
import { useKnowledge } from '../../session/use-knowledge.ts'
import { type ReflectedList, useReflectedLists } from '../../session/use-reflected.ts'
import { Loading } from '../../parts/notice.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'

const MOST = 25

interface EventFields {
  readonly involvedObject?: { readonly uid?: string }
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

/** Of how many of the objects below it events are shown, nearest first: each is a watch. */
const MOST_BELOW = 30

/** What happened to the object and to what was made for it, the latest first. Events of cluster-scoped objects are kept in the namespace default. */
export function Events({ object }: { readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  const below = useMemo(() => descendantsOf(world, object, MOST_BELOW), [world, object])
  const about = [object, ...below.objects]
  // Asked for at once: what is below it is known when all living kinds are.
  const isSettled = useKnowledge(isLiving).phase !== 'loading'
  const [own, ...others] = useReflectedLists(isSettled ? about.map(eventsOf) : [])
  const state: ReflectorState = own?.state ?? { phase: 'listing' }
  const byUid = new Map(about.map((each) => [each.metadata.uid, each]))
  const events = [own, ...others]
    .flatMap((reflected) => (reflected?.objects ?? []) as readonly (KubeObject & EventFields)[])
    .sort((a, b) => (lastSeen(b) ?? '').localeCompare(lastSeen(a) ?? ''))
    .slice(0, MOST)
  const namespace = object.metadata.namespace ?? 'default'
  const hidden = others.filter((other) => other.state.phase === 'refused').length
  const failed = [own, ...others].flatMap((reflected) => (reflected?.state.phase === 'waiting' ? [reflected.state.why] : []))[0]
  return (
    <section className="card" aria-labelledby="events">
      <h2 id="events">Events</h2>
      {state.phase === 'listing' && events.length === 0 && <Loading what="events" />}
      {state.phase === 'refused' && <p className="calm">You may not see events in {namespace}.</p>}
      {failed !== undefined && <p className="calm">Events cannot be read: {failed} It is tried again.</p>}
      {state.phase === 'watching' && failed === undefined && events.length === 0 && <p className="calm">Nothing happened lately.</p>}
      {events.length > 0 && (
        <ol className="events">
          {events.map((event) => (
            <EventLine key={event.metadata.uid} event={event} about={byUid.get(event.involvedObject?.uid)} self={object} />
          ))}
        </ol>
      )}
      {below.total > below.objects.length && (
        <p className="muted">
          Of the {below.total} objects below it, those of the nearest {below.objects.length} are shown.
        </p>
      )}
      {hidden > 0 && <p className="muted">Events of {count(hidden, 'object')} below it are not visible to you.</p>}
    </section>
  )
}

const isLiving = (kind: KindInfo): boolean => LIVING_ROLES.includes(roleOf(kind) ?? 'class')

const eventsOf = ({ metadata: { uid = '', namespace = 'default' } }: KubeObject): ReflectedList => ({
  path: withQuery(`/api/v1/namespaces/${encodeURIComponent(namespace)}/events`, { fieldSelector: `involvedObject.uid=${uid}` }),
  apiVersion: 'v1',
  kind: 'Event',
})

interface EventLineProps {
  readonly event: KubeObject & EventFields
  readonly about: KubeObject | undefined
  readonly self: KubeObject
}

function EventLine({ event, about, self }: EventLineProps): ReactNode {
  const isWarning = event.type === 'Warning'
  return (
    <li className={isWarning ? 'event event-warning' : 'event'}>
      <span className="event-reason">
        {isWarning && <span aria-hidden="true">▲ </span>}
        {isWarning && <span className="unseen">Warning: </span>}
        {event.reason}
        {about !== undefined && about.metadata.uid !== self.metadata.uid && (
          <span className="event-about">
            {' '}
            <ObjectLink object={refOf(about)} />
          </span>
        )}
      </span>
      <span className="event-message">{event.message ?? event.note}</span>
      <span className="muted">
        <TimeAgo at={lastSeen(event)} />
        {(event.series?.count ?? event.count ?? 1) > 1 && ` · ${event.series?.count ?? event.count} times`}
      </span>
    </li>
  )
}
