import type { KubeObject } from '@weft/api'
import { numberAt, recordAt, textAt } from '../kinds/read.ts'

/** A PriorityLevelConfiguration, in seats. */
export class Level {
  readonly name: string
  readonly uid: string
  readonly exempt: boolean
  /** Seats that nobody else gets. */
  readonly own: number
  /** Seats that others may have while they are free here. */
  readonly lendable: number
  /** Seats that it may have at most, those of others included. */
  readonly most: number
  /** Requests of one flow, and of all, that may wait. A flow may use as many queues as its hand holds. */
  readonly flowQueue: number
  readonly totalQueue: number

  constructor({ metadata, spec }: KubeObject & { readonly spec?: unknown }, seatsPerShare: number) {
    this.name = metadata.name ?? ''
    this.uid = metadata.uid ?? ''
    this.exempt = textAt(spec, 'type') === 'Exempt'
    const part = recordAt(spec, this.exempt ? 'exempt' : 'limited')
    const seats = Math.ceil((numberAt(part, 'nominalConcurrencyShares') ?? 0) * seatsPerShare)
    this.lendable = Math.round((seats * (numberAt(part, 'lendablePercent') ?? 0)) / 100)
    this.own = seats - this.lendable
    const borrowing = numberAt(part, 'borrowingLimitPercent')
    this.most = borrowing === undefined ? Infinity : seats + Math.round((seats * borrowing) / 100)
    const queuing = recordAt(part, 'limitResponse', 'queuing')
    const [queues = 0, handSize = 0, length = 0] = ['queues', 'handSize', 'queueLengthLimit'].map((name) => numberAt(queuing, name))
    this.flowQueue = handSize * length
    this.totalQueue = queues * length
  }

  /** All levels: their shares of the seats depend on each other. */
  static all(objects: readonly KubeObject[], seats: number): ReadonlyMap<string, Level> {
    const shares = objects.reduce((sum, { spec }: KubeObject & { readonly spec?: unknown }) => {
      const part = textAt(spec, 'type') === 'Exempt' ? 'exempt' : 'limited'
      return sum + (numberAt(spec, part, 'nominalConcurrencyShares') ?? 0)
    }, 0)
    const levels = objects.map((object) => new Level(object, shares === 0 ? 0 : seats / shares))
    return new Map(levels.map((level) => [level.name, level]))
  }
}
