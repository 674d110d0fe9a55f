import { tooManyRequests } from '@weft/api'
import { systemTimers, type Timers } from './timers.ts'

/**
 * A bounded number of seats shared fairly by flows (a flow is one client). While seats are free a request takes one at
 * once; when all are taken requests wait in a queue per flow, and each seat that becomes free goes to the next flow in
 * turn. So a client with a thousand requests waiting delays another client by one request, not by a thousand.
 * One flow alone never gets more than `flowShare` of the seats: even if all its requests hang, others find a seat.
 */
export interface FairQueue {
  /**
   * A seat: at once (no promise) or, after waiting, by promise. The caller releases it when the request is done; a
   * watch releases it as soon as it has started. Rejects with 429 when the flow's queue is full or the wait too long,
   * and with the signal's reason when the client goes away while waiting. A flow that is all there is of its kind is not
   * `bounded`: it may have every seat.
   */
  acquire(flow: string, client?: WaitingClient, bounded?: boolean): Seat | Promise<Seat>
  /** Gives out seats that became free elsewhere. */
  dispatch(): void
  readonly inUse: number
  readonly waiting: number
  stats(): FairQueueStats
  /** Refuses all who wait with 429. Seats in use stay valid. */
  close(): void
}

/** Who may go away while waiting. The signal is asked for only when there is a wait: making one costs. */
export interface WaitingClient {
  readonly signal: AbortSignal
}

export interface Seat {
  /** Idempotent. */
  release(): void
}

/** A number that may change while the queue is in use. */
export type Changing = number | (() => number)

export interface FairQueueOptions {
  readonly seats: Changing
  /** Requests of one flow that may wait. */
  readonly queueLength: Changing
  /** Requests of all flows together that may wait; no limit unless given. */
  readonly totalLength?: Changing
  readonly waitMillis: number
  /** Part of the seats that one flow may hold, in (0, 1]. */
  readonly flowShare?: number
  readonly timers?: Timers
  /** Called after a seat was given back. */
  readonly onRelease?: () => void
}

export interface FairQueueStats {
  readonly seats: number
  readonly inUse: number
  readonly waiting: number
  readonly admitted: number
  readonly rejected: { readonly queueFull: number; readonly timedOut: number }
}

interface Flow {
  readonly name: string
  readonly bounded: boolean
  inUse: number
  /** In order of arrival; a Set, so that one who gives up leaves in O(1). */
  readonly waiters: Set<Waiter>
}

interface Waiter {
  readonly resolve: (seat: Seat) => void
  readonly leave: () => void
  readonly refuse: (reason: unknown) => void
}

const refusal = (): Error => tooManyRequests('too many requests, please try again later', 1)

const now = (value: Changing): number => (typeof value === 'number' ? value : value())

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { seats, queueLength, totalLength = Infinity, waitMillis, flowShare = 0.75, timers = systemTimers, onRelease } = options
  const flowLimit = (available: number): number => Math.max(1, Math.floor(available * flowShare))
  const flows = new Map<string, Flow>()
  /** Flows with waiters; the first is the next to be served. */
  const turns = new Set<Flow>()
  let inUse = 0
  let waiting = 0
  let admitted = 0
  const rejected = { queueFull: 0, timedOut: 0 }

  class FlowSeat implements Seat {
    #flow: Flow | undefined
    constructor(flow: Flow) {
      this.#flow = flow
      flow.inUse++
      inUse++
      admitted++
    }
    release(): void {
      const flow = this.#flow
      if (flow === undefined) return
      this.#flow = undefined
      flow.inUse--
      inUse--
      if (turns.size > 0) dispatch()
      forgetIdle(flow)
      onRelease?.()
    }
  }

  function forgetIdle(flow: Flow): void {
    if (flow.inUse === 0 && flow.waiters.size === 0) flows.delete(flow.name)
  }

  /** Gives free seats to flows in turn. At most one flow can be at its limit while seats are free, so skipping is cheap. */
  function dispatch(): void {
    for (const flow of turns) {
      const available = now(seats)
      if (inUse >= available) return
      if (flow.bounded && flow.inUse >= flowLimit(available)) continue
      const [waiter] = flow.waiters
      turns.delete(flow)
      if (waiter === undefined) continue
      waiter.leave()
      // Back to the end of the line: iteration over a Set visits it again after the others.
      if (flow.waiters.size > 0) turns.add(flow)
      waiter.resolve(new FlowSeat(flow))
    }
  }

  function wait(flow: Flow, signal: AbortSignal | undefined): Promise<Seat> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => waiter.refuse(signal?.reason)
      const timer = timers.setTimeout(() => {
        rejected.timedOut++
        waiter.refuse(refusal())
      }, waitMillis)
      const waiter: Waiter = {
        resolve,
        leave() {
          timers.clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          flow.waiters.delete(waiter)
          waiting--
        },
        refuse(reason) {
          waiter.leave()
          if (flow.waiters.size === 0) turns.delete(flow)
          forgetIdle(flow)
          reject(reason)
        },
      }
      signal?.addEventListener('abort', onAbort)
      flow.waiters.add(waiter)
      turns.add(flow)
      waiting++
    })
  }

  return {
    acquire(name, client, bounded = true) {
      let flow = flows.get(name)
      if (flow === undefined) {
        flow = { name, bounded, inUse: 0, waiters: new Set() }
        flows.set(name, flow)
      }
      const available = now(seats)
      if (inUse < available && !(bounded && flow.inUse >= flowLimit(available)) && flow.waiters.size === 0) return new FlowSeat(flow)
      const signal = client?.signal
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
      if (flow.waiters.size < now(queueLength) && waiting < now(totalLength)) return wait(flow, signal)
      rejected.queueFull++
      forgetIdle(flow)
      return Promise.reject(refusal())
    },
    dispatch,
    get inUse() {
      return inUse
    },
    get waiting() {
      return waiting
    },
    stats: () => ({ seats: now(seats), inUse, waiting, admitted, rejected: { ...rejected } }),
    close() {
      // Refusing removes from both sets; iterating a Set allows that.
      for (const flow of turns) for (const waiter of flow.waiters) waiter.refuse(refusal())
    },
  }
}
