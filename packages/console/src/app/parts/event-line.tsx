import type { TraceRef } from '@weft/composition'
import type { ReactNode } from 'react'
import { type EventObject, lastSeen } from '../live/events.ts'
import { LongText } from './long-text.tsx'
import { ObjectLink } from './object-link.tsx'
import { TimeAgo } from './time-ago.tsx'

/** `about`: what it happened to, where that is not clear already. */
export function EventLine({ event, about }: { readonly event: EventObject; readonly about: TraceRef | undefined }): ReactNode {
  const isWarning = event.type === 'Warning'
  const times = event.series?.count ?? event.count ?? 1
  return (
    <li className={isWarning ? 'event event-warning' : 'event'}>
      <span className="event-reason">
        {isWarning && <span aria-hidden="true">▲ </span>}
        {isWarning && <span className="unseen">Warning: </span>}
        {event.reason}
        {about !== undefined && (
          <span className="event-about">
            {' '}
            <ObjectLink object={about} />
          </span>
        )}
      </span>
      <span className="event-message">
        <LongText text={event.message ?? event.note} />
      </span>
      <span className="muted">
        <TimeAgo at={lastSeen(event)} />
        {times > 1 && ` · ${times} times`}
      </span>
    </li>
  )
}
