import { FakeClock } from '@weft/testing'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWorkQueue, type WorkQueueOptions } from './create-work-queue.ts'
import { DelayedKeys } from './delayed-keys.ts'
import type { WorkQueue } from './work-queue.ts'

function queueWith(options: Partial<WorkQueueOptions> = {}): { queue: WorkQueue; clock: FakeClock } {
  const clock = new FakeClock()
  return { clock, queue: createWorkQueue({ clock, random: () => 0, backoff: { baseMs: 100, maxMs: 1000 }, ...options }) }
}

const takeAll = (queue: WorkQueue): string[] => {
  const keys: string[] = []
  for (let taken = queue.take(); taken !== undefined; taken = queue.take()) keys.push(taken.key)
  return keys
}

describe('work queue', () => {
  it('holds a key once, in order of arrival', () => {
    const { queue } = queueWith()
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key)
    expect(takeAll(queue)).toEqual(['a', 'b', 'c'])
  })

  it('gives a key that changes while it is worked on again, but never twice at a time', () => {
    const { queue } = queueWith()
    queue.add('a')
    queue.take()
    queue.add('a')
    queue.add('a')
    expect(queue.take()).toBeUndefined()
    queue.done('a')
    expect(takeAll(queue)).toEqual(['a'])
    queue.done('a')
    expect(queue.stats).toEqual({ ready: 0, delayed: 0, working: 0, failing: 0 })
  })

  it('delays on one timer, the earlier time wins, and adding at once ends the delay', async () => {
    const { queue, clock } = queueWith()
    queue.addAfter('late', 1000)
    queue.addAfter('late', 300)
    queue.addAfter('late', 2000)
    queue.addAfter('other', 500)
    expect(clock.pending).toBe(1)
    await clock.advance(299)
    expect(queue.take()).toBeUndefined()
    await clock.advance(1)
    expect(queue.take()?.key).toBe('late')
    queue.add('other')
    expect(queue.take()?.key).toBe('other')
    expect(clock.pending).toBe(0)
  })

  it('says how long a key waited since it was due', async () => {
    const { queue, clock } = queueWith()
    queue.addAfter('a', 100)
    await clock.advance(150)
    expect(queue.take()).toEqual({ key: 'a', waitedMs: 50 })
  })

  it('doubles the delay of a failing key up to the maximum, per key, until it is forgotten', () => {
    const { queue } = queueWith()
    expect([1, 2, 3, 4, 5, 6].map(() => queue.addFailed('a'))).toEqual([100, 200, 400, 800, 1000, 1000])
    expect(queue.addFailed('b')).toBe(100)
    queue.forget('a')
    expect(queue.addFailed('a')).toBe(100)
  })

  it('refuses what does not fit and asks for it when there is room', () => {
    let room = 0
    const { queue } = queueWith({ capacity: 4, onRoom: () => room++ })
    const fits = ['a', 'b', 'c', 'd', 'e', 'a'].map((key) => queue.add(key))
    expect(fits).toEqual([true, true, true, true, false, true])
    queue.take()
    queue.done('a')
    expect(room).toBe(0)
    queue.take()
    queue.done('b')
    expect(room).toBe(1)
    queue.take()
    queue.done('c')
    expect(room).toBe(1)
  })

  it('has room for what is new however many keys are delayed', async () => {
    const { queue, clock } = queueWith({ capacity: 2 })
    for (const key of ['a', 'b', 'c', 'd']) queue.addAfter(key, 100)
    expect(queue.stats.delayed).toBe(4)
    expect(queue.add('new')).toBe(true)
    await clock.advance(100)
    expect(takeAll(queue).toSorted()).toEqual(['a', 'b', 'c', 'd', 'new'])
  })

  it('takes nothing once closed and leaves no timer', () => {
    const { queue, clock } = queueWith()
    queue.addAfter('a', 10)
    queue.close()
    expect(queue.add('b')).toBe(false)
    expect(clock.pending).toBe(0)
    expect(queue.take()).toBeUndefined()
  })
})

describe('delayed keys', () => {
  it('come due in company, by a hundredth of their delay too early at most', async () => {
    const clock = new FakeClock(0)
    const due: [string, number][] = []
    const keys = new DelayedKeys(clock, (key) => due.push([key, clock.now()]))
    const at = { a: 60_000, b: 60_500, c: 61_000, x: 100, y: 102 }
    for (const [key, time] of Object.entries(at)) keys.set(key, time)
    await clock.advance(70_000)
    expect(due).toEqual([
      ['x', 100],
      ['y', 102],
      ['a', 60_000],
      ['b', 60_000],
      ['c', 61_000],
    ])
  })

  it('come due in order of time, whatever was set and deleted', async () => {
    const step = fc.record({ key: fc.constantFrom(...'abcdefgh'), at: fc.integer({ min: 1, max: 50 }), remove: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = new FakeClock(0)
        const due: [string, number][] = []
        const keys = new DelayedKeys(clock, (key) => due.push([key, clock.now()]))
        const model = new Map<string, number>()
        for (const { key, at, remove } of steps) {
          if (remove) {
            keys.delete(key)
            model.delete(key)
          } else {
            keys.set(key, at)
            model.set(key, Math.min(at, model.get(key) ?? at))
          }
        }
        expect(keys.size).toBe(model.size)
        expect(clock.pending).toBe(model.size === 0 ? 0 : 1)
        await clock.advance(50)
        expect(new Map(due)).toEqual(model)
        expect(due.map(([, at]) => at)).toEqual([...due.map(([, at]) => at)].sort((a, b) => a - b))
      }),
      { numRuns: 30 },
    )
  })
})
