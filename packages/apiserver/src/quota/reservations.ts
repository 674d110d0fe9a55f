import type { KubeObject } from '@weft/api'
import type { ObjectStore } from '../registry/index.ts'
import type { Measure } from './measure.ts'
import type { Quota } from './quota.ts'
import { growth, NOTHING, sum, type Usage } from './usage.ts'

/** A write that was admitted and is not stored yet. */
export interface Reservation {
  readonly store: ObjectStore
  readonly key: string
  /** Of what the write replaces; 0: nothing. As soon as another is stored there, the stores count it. */
  readonly revision: number
  readonly measure: Measure
  readonly object: KubeObject
  readonly oldObject: KubeObject | undefined
}

/** What a write adds to what is used of a quota: all of a new object, of an old one what grows. */
export const added = (quota: Quota, { measure, object, oldObject }: Pick<Reservation, 'measure' | 'object' | 'oldObject'>): Usage =>
  oldObject === undefined ? quota.usageOf(measure, object) : growth(quota.usageOf(measure, object), quota.usageOf(measure, oldObject))

/** Writes under way, by namespace. They are few: as many as the server admits at once. */
export class Reservations {
  readonly #byNamespace = new Map<string, Set<Reservation>>()

  /** Call the answer when the write is over, whatever became of it. */
  make(namespace: string, reservation: Reservation): () => void {
    let there = this.#byNamespace.get(namespace)
    if (there === undefined) this.#byNamespace.set(namespace, (there = new Set()))
    there.add(reservation)
    return () => {
      there.delete(reservation)
      if (there.size === 0 && this.#byNamespace.get(namespace) === there) this.#byNamespace.delete(namespace)
    }
  }

  /** What they will add to what is used of a quota. */
  pending(quota: Quota): Usage {
    let total = NOTHING
    for (const reservation of this.#byNamespace.get(quota.namespace) ?? []) {
      const { store, key, revision, measure } = reservation
      if ((store.get(key)?.revision ?? 0) !== revision || quota.limits(measure).length === 0) continue
      total = sum(total, added(quota, reservation))
    }
    return total
  }
}
