import type { Fault, FaultEffect, FaultMatch, FaultSpec, Verb } from '../../wire/admin.ts'
import { seededRandom } from './seeded-random.ts'

export interface RequestTraits {
  readonly cloud: string
  readonly account: string
  readonly kind: string
  /** Absent for a list. */
  readonly name?: string
  readonly verb: Verb
}

interface Planted {
  readonly id: string
  readonly spec: FaultSpec
  readonly random: () => number
  hits: number
}

/** The faults that somebody asked for. They live in memory only: a restarted simulator is a healthy one. */
export class FaultInjector {
  readonly #planted = new Map<string, Planted>()
  #next = 1

  add(spec: FaultSpec): Fault {
    const planted: Planted = { id: `fault-${this.#next++}`, spec, random: seededRandom(spec.seed ?? 1), hits: 0 }
    this.#planted.set(planted.id, planted)
    return toWire(planted)
  }

  list(): Fault[] {
    return [...this.#planted.values()].map(toWire)
  }

  remove(id: string): boolean {
    return this.#planted.delete(id)
  }

  clear(): void {
    this.#planted.clear()
  }

  /** What happens to this request: the first fault, in the order they were planted, that matches, is not used up and has its chance. */
  strike(request: RequestTraits): FaultEffect | undefined {
    for (const planted of this.#planted.values()) {
      const { match = {}, count = Infinity, probability = 1, effect } = planted.spec
      if (planted.hits >= count || !matches(match, request)) continue
      if (probability < 1 && planted.random() >= probability) continue
      planted.hits++
      return effect
    }
    return undefined
  }
}

const matches = (match: FaultMatch, request: RequestTraits): boolean =>
  (['cloud', 'account', 'kind', 'name', 'verb'] as const).every((trait) => match[trait] === undefined || match[trait] === request[trait])

const toWire = ({ id, spec, hits }: Planted): Fault => ({ ...spec, id, hits })
