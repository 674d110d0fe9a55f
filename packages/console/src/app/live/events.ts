import type { KubeObject } from '@weft/api'
import type { CollectionState } from '../../world/world.ts'
import type { ReflectorSink } from './reflector-sink.ts'

/** An event of the core API, as far as it is shown. */
export interface EventObject extends KubeObject {
  readonly involvedObject?: {
    readonly apiVersion?: string
    readonly kind?: string
    readonly namespace?: string
    readonly name?: string
    readonly uid?: string
  }
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly note?: string
  readonly count?: number
  readonly lastTimestamp?: string
  readonly eventTime?: string
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string }
}

export const lastSeen = (event: EventObject): string | undefined =>
  event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp

export const latestFirst = (a: EventObject, b: EventObject): number => (lastSeen(b) ?? '').localeCompare(lastSeen(a) ?? '')

export interface LatestEvents {
  readonly events: readonly EventObject[]
  readonly state: CollectionState
}

/**
 * A sink that keeps the newest `most` and forgets the others. `show` is called when something of that changed. An event among them that goes leaves its place
 * empty until newer ones come: what was forgotten is not asked for again.
 */
export function newestOnly(most: number, show: (latest: LatestEvents) => void): ReflectorSink {
  let events: readonly EventObject[] = []
  let state: CollectionState = { phase: 'listing' }
  const become = (next: readonly EventObject[]): void => {
    events = next
    show({ events, state })
  }
  const without = ({ metadata }: KubeObject): readonly EventObject[] => events.filter((other) => other.metadata.uid !== metadata.uid)
  return {
    replace: (objects) => become((objects as readonly EventObject[]).toSorted(latestFirst).slice(0, most)),
    put: (object) => {
      const next = [...without(object), object as EventObject].sort(latestFirst).slice(0, most)
      if (next.some((event, i) => event !== events[i])) become(next)
    },
    remove: (object) => {
      const next = without(object)
      if (next.length < events.length) become(next)
    },
    become: (next) => {
      state = next
      show({ events, state })
    },
  }
}
