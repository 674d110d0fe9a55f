import type { ReactNode } from 'react'
import { EventLine } from '../../parts/event-line.tsx'
import { Loading } from '../../parts/notice.tsx'
import { useConsole } from '../../session/console.tsx'
import { useLatestEvents } from '../../session/use-latest-events.ts'

const SHOWN = 8

/** What happened lately, to anything that the user may see events of. */
export function RecentEvents(): ReactNode {
  const { namespace } = useConsole()
  const { events, state } = useLatestEvents(namespace, SHOWN)
  return (
    <section aria-labelledby="recent-events" className="card">
      <h2 id="recent-events">Recent events</h2>
      {state.phase === 'listing' && events.length === 0 && <Loading what="events" />}
      {state.phase === 'refused' && (
        <p className="calm">You may not see events {namespace === '' ? 'of all namespaces: select one at the top' : `in ${namespace}`}.</p>
      )}
      {state.phase === 'waiting' && <p className="calm">Events cannot be read: {state.why} Trying again.</p>}
      {state.phase === 'watching' && events.length === 0 && <p className="calm">No recent events.</p>}
      {events.length > 0 && (
        <ol className="events">
          {events.map((event) => {
            const { apiVersion = 'v1', kind = '', namespace: where, name = '' } = event.involvedObject ?? {}
            const about = { apiVersion, kind, name, ...(where !== undefined && where !== '' && { namespace: where }) }
            return <EventLine key={event.metadata.uid} event={event} about={about} />
          })}
        </ol>
      )}
    </section>
  )
}
