import { StatusError } from '@weft/api'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFairQueue, type FairQueueOptions, type Seat } from './fair-queue.ts'
import type { Timers } from './timers.ts'

/** Time that moves only when told to. */
function fakeTimers(): Timers & { advance(millis: number): void; readonly pending: number } {
  let now = 0
  const timers = new Map<object, { at: number; callback: () => void }>()
  return {
    get pending() {
      return timers.size
    },
    setTimeout(callback, millis) {
      const handle = {}
      timers.set(handle, { at: now + millis, callback })
      return handle
    },
    clearTimeout: (handle) => void timers.delete(handle as object),
    advance(millis) {
      now += millis
      for (const [handle, { at, callback }] of timers) {
        if (at > now) continue
        timers.delete(handle)
        callback()
      }
    },
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const queue = (options: Partial<FairQueueOptions> = {}) =>
  createFairQueue({ seats: 2, queueLength: 3, waitMillis: 1000, flowShare: 1, ...options })
const immediate = (answer: Seat | Promise<Seat>): Seat => {
  if (answer instanceof Promise) throw new Error('had to wait')
  return answer
}
const statusOf = (answer: Seat | Promise<Seat>): Promise<unknown> =>
  Promise.resolve(answer).catch((error: unknown) => (error instanceof StatusError ? error.status : error))

describe('fair queue', () => {
  test('an idle queue answers at once, without a promise', () => {
    const q = queue()
    immediate(q.acquire('a')).release()
    expect(q.stats()).toMatchObject({ inUse: 0, waiting: 0, admitted: 1 })
  })

  test('a seat is released once, however often release is called', () => {
    const q = queue()
    const first = immediate(q.acquire('a'))
    immediate(q.acquire('a'))
    first.release()
    first.release()
    expect(q.stats().inUse).toBe(1)
  })

  test('seats that become free go round the flows, not to whoever queued most', async () => {
    const q = queue({ seats: 1, queueLength: 10 })
    const seat = immediate(q.acquire('noisy'))
    const order: string[] = []
    const run = async (flow: string): Promise<void> => {
      const got = await q.acquire(flow)
      order.push(flow)
      await tick()
      got.release()
    }
    const all = [...Array.from({ length: 5 }, () => run('noisy')), run('quiet'), run('other'), run('quiet')]
    seat.release()
    await Promise.all(all)
    expect(order).toEqual(['noisy', 'quiet', 'other', 'noisy', 'quiet', 'noisy', 'noisy', 'noisy'])
  })

  test('a full queue of one flow answers 429 with Retry-After 1, and others may still queue', async () => {
    const q = queue({ seats: 1, queueLength: 1 })
    const seat = immediate(q.acquire('a'))
    const waiting = q.acquire('a')
    expect(await statusOf(q.acquire('a'))).toMatchObject({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } })
    const other = q.acquire('b')
    expect(q.stats()).toMatchObject({ waiting: 2, rejected: { queueFull: 1 } })
    seat.release()
    ;(await waiting).release()
    ;(await other).release()
    expect(q.stats()).toMatchObject({ inUse: 0, waiting: 0 })
  })

  test('who waits too long gets 429', async () => {
    const timers = fakeTimers()
    const q = queue({ seats: 1, timers })
    const seat = immediate(q.acquire('a'))
    const late = statusOf(q.acquire('b'))
    timers.advance(999)
    expect(q.stats().waiting).toBe(1)
    timers.advance(1)
    expect(await late).toMatchObject({ code: 429 })
    expect(q.stats()).toMatchObject({ waiting: 0, rejected: { timedOut: 1 } })
    seat.release()
    immediate(q.acquire('b'))
    expect(timers.pending).toBe(0)
  })

  test('a client that goes away leaves the queue', async () => {
    const timers = fakeTimers()
    const q = queue({ seats: 1, timers })
    const seat = immediate(q.acquire('a'))
    const controller = new AbortController()
    const gone = statusOf(q.acquire('b', controller))
    const next = q.acquire('b')
    controller.abort(new Error('gone'))
    expect(await gone).toMatchObject({ message: 'gone' })
    seat.release()
    ;(await next).release()
    expect(q.stats()).toMatchObject({ inUse: 0, waiting: 0 })
    expect(timers.pending).toBe(0)
    await expect(Promise.resolve(q.acquire('c', { signal: AbortSignal.abort(new Error('x')) }))).resolves.toBeDefined()
  })

  test('one flow never holds more than its share, even when all its requests hang', async () => {
    const q = queue({ seats: 4, flowShare: 0.75 })
    const held = [1, 2, 3].map(() => immediate(q.acquire('hog')))
    const waiting = q.acquire('hog')
    expect(waiting).toBeInstanceOf(Promise)
    immediate(q.acquire('small')).release()
    held[0]?.release()
    ;(await waiting).release()
    expect(q.stats().inUse).toBe(2)
  })

  test('a flow at its limit is passed over for the next one', async () => {
    const q = queue({ seats: 4, flowShare: 0.5 })
    const hog = [1, 2].map(() => immediate(q.acquire('hog')))
    const other = [1, 2].map(() => immediate(q.acquire('other')))
    const hogWaits = q.acquire('hog')
    const small = q.acquire('small')
    other[0]?.release()
    ;(await small).release()
    hog[0]?.release()
    await hogWaits
    expect(q.stats()).toMatchObject({ inUse: 3, waiting: 0 })
  })

  test('close refuses those who wait', async () => {
    const q = queue({ seats: 1 })
    immediate(q.acquire('a'))
    const waiting = statusOf(q.acquire('b'))
    q.close()
    expect(await waiting).toMatchObject({ code: 429 })
  })

  test('whatever happens, seats in use never exceed the limits and nobody is lost', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('acquire' as const), flow: fc.constantFrom('a', 'b', 'c', 'd') }),
      fc.record({ do: fc.constant('release' as const), index: fc.nat(20) }),
      fc.record({ do: fc.constant('advance' as const), millis: fc.nat(600) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const timers = fakeTimers()
        const q = createFairQueue({ seats: 3, queueLength: 2, waitMillis: 1000, flowShare: 0.7, timers })
        const seats: Seat[] = []
        let settled = 0
        let asked = 0
        for (const s of steps) {
          if (s.do === 'acquire') {
            asked++
            void Promise.resolve(q.acquire(s.flow)).then(
              (seat) => (seats.push(seat), settled++),
              () => settled++,
            )
          } else if (s.do === 'release') seats.splice(s.index, 1)[0]?.release()
          else timers.advance(s.millis)
          expect(q.stats().inUse).toBeLessThanOrEqual(3)
          await tick()
          const { inUse, waiting } = q.stats()
          // Work-conserving: a free seat and a waiter together mean that the waiter's flow is at its share.
          expect(inUse >= 2 || waiting === 0).toBe(true)
          expect(settled + waiting).toBe(asked)
        }
        timers.advance(10_000)
        for (const seat of seats) seat.release()
        await tick()
        expect(q.stats()).toMatchObject({ inUse: 0, waiting: 0 })
        expect(timers.pending).toBe(0)
      }),
      { numRuns: 60 },
    )
  })
})
