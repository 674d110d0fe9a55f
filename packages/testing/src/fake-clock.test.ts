import { sleep } from '@weft/client'
import { describe, expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { FakeClock } from './fake-clock.ts'
import { seededRandom } from './seeded-random.ts'

describe('fake clock', () => {
  it('fires timers in order, at their time, also those that timers set', async () => {
    const clock = new FakeClock(0)
    const log: string[] = []
    const at = (name: string, millis: number): unknown => clock.setTimeout(() => log.push(`${name}@${clock.now()}`), millis)
    at('b', 20)
    at('a', 10)
    clock.clearTimeout(at('never', 15))
    clock.setTimeout(() => at('nested', 5), 10)
    expect(clock.nextIn).toBe(10)
    await clock.advance(100)
    expect(log).toEqual(['a@10', 'nested@15', 'b@20'])
    expect(clock.now()).toBe(100)
    expect(clock.pending).toBe(0)
    expect(clock.nextIn).toBeUndefined()
  })

  it('lets what a timer woke run before the next timer fires', async () => {
    const clock = new FakeClock(0)
    const times: number[] = []
    const loop = (async () => {
      for (let i = 0; i < 3; i++) {
        await sleep(clock, 10)
        times.push(clock.now())
      }
    })()
    await clock.advance(30)
    await loop
    expect(times).toEqual([10, 20, 30])
  })

  it('sleeps are aborted without a trace', async () => {
    const clock = new FakeClock()
    const abort = new AbortController()
    const sleeping = sleep(clock, 10, abort.signal)
    abort.abort(new Error('up'))
    await expect(sleeping).rejects.toThrow('up')
    await expect(sleep(clock, 10, abort.signal)).rejects.toThrow('up')
    expect(clock.pending).toBe(0)
  })
})

describe('eventually', () => {
  it('tries again when it is woken, and fails with the last failure', async () => {
    let tries = 0
    let wake: () => void = () => undefined
    const result = eventually(
      () => {
        if (++tries < 3) {
          setImmediate(() => wake())
          throw new Error('not yet')
        }
        return tries
      },
      { intervalMs: 1_000_000, timeoutMs: 1_000_000, wake: (again) => ((wake = again), () => undefined) },
    )
    expect(await result).toBe(3)
    await expect(eventually(() => expect(1).toBe(2), { timeoutMs: 0 })).rejects.toThrow('expected 1 to be 2')
  })
})

describe('seeded random', () => {
  it('is in [0, 1), spread, and the same for the same seed', () => {
    const [a, b] = [seededRandom(5), seededRandom(5)]
    const numbers = Array.from({ length: 10_000 }, () => a())
    expect(numbers).toEqual(Array.from({ length: 10_000 }, () => b()))
    const buckets = Array.from({ length: 10 }, (_, i) => numbers.filter((n) => Math.floor(n * 10) === i).length)
    for (const size of buckets) expect(size).toBeGreaterThan(850)
  })
})
