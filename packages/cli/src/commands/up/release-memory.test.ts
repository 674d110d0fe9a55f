import { FakeClock } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { collectGarbage, releaseMemoryLater } from './release-memory.ts'

describe('what starting took', () => {
  const collections = async (used: number, stop = false): Promise<number> => {
    const clock = new FakeClock()
    let count = 0
    const stopWaiting = releaseMemoryLater({ clock, used: () => used, collect: async () => void count++ })
    if (stop) stopWaiting()
    await clock.advance(3_600_000)
    return count
  }

  it.each([
    { reason: 'is given back once', used: 40_000_000, stop: false, times: 1 },
    { reason: 'is left to the engine where there is much more', used: 900_000_000, stop: false, times: 0 },
    { reason: 'is of no interest when the control plane ends before', used: 40_000_000, stop: true, times: 0 },
  ])('$reason', async ({ used, stop, times }) => {
    expect(await collections(used, stop)).toBe(times)
  })

  it('is really collected', async () => {
    const unused = new WeakRef(Array.from({ length: 1000 }, (_, i) => ({ i })))
    await new Promise((resolve) => setImmediate(resolve))
    await collectGarbage()
    expect(unused.deref()).toBeUndefined()
  })
})
