import { useEffect, useState } from 'react'
import { type LatestEvents, newestOnly } from '../live/events.ts'
import { reflect } from '../live/reflector.ts'
import { browserTiming } from '../live/watch-stream.ts'
import { useConsole } from './console.tsx'

const BEGINNING: LatestEvents = { events: [], state: { phase: 'listing' } }

/**
 * The newest events of a namespace (or, when that is empty, of all), live while the component is there. There may be tens of thousands: only those that are
 * shown are kept. The server has no order by time, so each is seen once.
 */
export function useLatestEvents(namespace: string, most: number): LatestEvents {
  const { api, stream } = useConsole()
  const [latest, setLatest] = useState(BEGINNING)
  useEffect(() => {
    const stop = new AbortController()
    setLatest(BEGINNING)
    const show = (next: LatestEvents): void => {
      if (!stop.signal.aborted) setLatest(next)
    }
    void reflect(newestOnly(most, show), {
      api,
      stream,
      timing: browserTiming,
      path: namespace === '' ? '/api/v1/events' : `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`,
      apiVersion: 'v1',
      kind: 'Event',
      signal: stop.signal,
      background: true,
    })
    return () => stop.abort()
  }, [api, stream, namespace, most])
  return latest
}
