import { type KubeObject } from '@weft/api'
import { type ReactNode, useMemo } from 'react'
import { type EventObject, latestFirst } from '../../live/events.ts'
import type { CollectionState } from '../../../world/world.ts'
import { withQuery } from '../../live/reflector.ts'
import { descendantsOf } from '../../objects/descendants.ts'
import { refOf } from '../../../world/state.ts'
import { count } from '../../objects/words.ts'
import { EventLine } from '../../parts/event-line.tsx'
import { useWorld } from '../../session/console.tsx'
import { type ReflectedList, useReflectedLists } from '../../session/use-reflected.ts'
import { Loading } from '../../parts/notice.tsx'
import { useRelated } from './use-related.ts'

const MOST = 25

/** Of how many of the objects below it events are shown, nearest first: each is a watch. */
const MOST_BELOW = 30

/** What happened to the object and to what was made for it, the latest first. Events of cluster-scoped objects are kept in the namespace default. */
export function Events({ object }: { readonly object: KubeObject }): ReactNode {
  const world = useWorld()
  const below = useMemo(() => descendantsOf(world, object, MOST_BELOW), [world, object])
  const about = [object, ...below.objects]
  // Asked for at once: one by one, each would be a request.
  const { isSettled } = useRelated(object)
  const [own, ...others] = useReflectedLists(isSettled ? about.map(eventsOf) : [])
  const state: CollectionState = own?.state ?? { phase: 'listing' }
  const byUid = new Map(about.map((each) => [each.metadata.uid, each]))
  const events = [own, ...others]
    .flatMap((reflected) => (reflected?.objects ?? []) as readonly EventObject[])
    .sort(latestFirst)
    .slice(0, MOST)
  const namespace = object.metadata.namespace ?? 'default'
  const hidden = others.filter((other) => other.state.phase === 'refused').length
  const failed = [own, ...others].flatMap((reflected) => (reflected?.state.phase === 'waiting' ? [reflected.state.why] : []))[0]
  return (
    <section className="card" aria-labelledby="events">
      <h2 id="events">Events</h2>
      {state.phase === 'listing' && events.length === 0 && <Loading what="events" />}
      {state.phase === 'refused' && <p className="calm">You may not see events in {namespace}.</p>}
      {failed !== undefined && <p className="calm">Events cannot be read: {failed} Trying again.</p>}
      {state.phase === 'watching' && failed === undefined && events.length === 0 && <p className="calm">No recent events.</p>}
      {events.length > 0 && (
        <ol className="events">
          {events.map((event) => {
            const about = byUid.get(event.involvedObject?.uid)
            return (
              <EventLine
                key={event.metadata.uid}
                event={event}
                about={about === undefined || about === object ? undefined : refOf(about)}
              />
            )
          })}
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

const eventsOf = ({ metadata: { uid = '', namespace = 'default' } }: KubeObject): ReflectedList => ({
  path: withQuery(`/api/v1/namespaces/${encodeURIComponent(namespace)}/events`, { fieldSelector: `involvedObject.uid=${uid}` }),
  apiVersion: 'v1',
  kind: 'Event',
})
