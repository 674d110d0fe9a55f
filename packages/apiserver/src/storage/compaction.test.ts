import { describe, expect, it } from 'vitest'
import { CompactionService, decideCompaction, DEFAULT_COMPACTION } from './compaction.ts'
import type { CompactionClock, CompactionPolicy, HistorySample } from './compaction.ts'
import { openMemoryStorage } from './memory/memory-storage.ts'

const policy: CompactionPolicy = { maxAgeMs: 600, minAgeMs: 300, maxBytes: 1000, hardMaxBytes: 5000 }

function samples(...rows: readonly [time: number, revision: number, producedBytes: number][]): HistorySample[] {
  return rows.map(([time, revision, producedBytes]) => ({ time, revision, producedBytes }))
}

describe('decideCompaction', () => {
  const cases: { reason: string; samples: HistorySample[]; historyBytes: number; expected: number | undefined }[] = [
    { reason: 'nothing is known yet', samples: [], historyBytes: 0, expected: undefined },
    { reason: 'young and small history is kept', samples: samples([0, 10, 100], [599, 20, 900]), historyBytes: 900, expected: undefined },
    {
      reason: 'what is older than the maximum age goes, up to the newest such sample',
      samples: samples([0, 10, 0], [200, 20, 0], [300, 30, 0], [850, 40, 0]),
      historyBytes: 0,
      expected: 20,
    },
    {
      reason: 'too many bytes: as much goes as is needed',
      samples: samples([0, 10, 500], [100, 20, 1000], [200, 30, 1500], [550, 40, 1900]),
      historyBytes: 1900,
      expected: 20,
    },
    {
      reason: 'too many bytes, but what is younger than the minimum age stays',
      samples: samples([0, 10, 0], [200, 20, 100], [400, 30, 4000], [550, 40, 4900]),
      historyBytes: 4900,
      expected: 20,
    },
    {
      reason: 'the hard limit does not look at the age',
      samples: samples([0, 10, 0], [500, 20, 3000], [540, 30, 6000], [550, 40, 9000]),
      historyBytes: 9000,
      expected: 30,
    },
    { reason: 'even all of it, if it must be', samples: samples([0, 10, 9000]), historyBytes: 9000, expected: 10 },
    { reason: 'an empty store has nothing to compact', samples: samples([0, 0, 0], [9000, 0, 0]), historyBytes: 0, expected: undefined },
  ]
  it.each(cases)('$reason', ({ samples: given, historyBytes, expected }) => {
    expect(decideCompaction(policy, given, historyBytes)).toBe(expected)
  })
})

class FakeClock implements CompactionClock {
  #now = 0
  #run: (() => void) | undefined
  now(): number {
    return this.#now
  }
  every(_ms: number, run: () => void): () => void {
    this.#run = run
    return () => {
      this.#run = undefined
    }
  }
  async advance(ms: number): Promise<void> {
    this.#now += ms
    this.#run?.()
    // A compaction of the memory store takes a turn of the event loop or two.
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('CompactionService', () => {
  const write = (storage: ReturnType<typeof openMemoryStorage>, key: string): Promise<number> =>
    storage.write(key, storage.get(key)?.revision ?? 0, () => new Uint8Array(50))

  it('keeps at least five minutes unless told otherwise, and a page that was begun can be continued for less than ten', () => {
    const interval = 30_000
    expect(DEFAULT_COMPACTION).toMatchObject({ minAgeMs: 5 * 60_000, maxBytes: 256 * 1024 ** 2, hardMaxBytes: 4 * 1024 ** 3 })
    expect(DEFAULT_COMPACTION.maxAgeMs + 2 * interval, 'Kubernetes’ own specs wait ten minutes for the end').toBeLessThan(10 * 60_000)
  })

  it('keeps history as old as the policy says, not more', async () => {
    const clock = new FakeClock()
    const storage = openMemoryStorage({ now: () => clock.now() })
    const service = new CompactionService(storage, { policy, intervalMs: 100, clock })
    service.start()
    for (let minute = 1; minute <= 20; minute++) {
      await write(storage, 'a')
      await clock.advance(100)
      expect(storage.compactedRevision).toBe(Math.max(0, minute - 6))
    }
    await service.stop()
    await write(storage, 'a')
    await clock.advance(10_000)
    expect(storage.compactedRevision, 'stopped').toBe(14)
  })

  it('keeps history no longer when it is started anew again and again', async () => {
    const clock = new FakeClock()
    const storage = openMemoryStorage({ now: () => clock.now() })
    for (let minute = 1; minute <= 20; minute++) {
      const service = new CompactionService(storage, { policy, intervalMs: 100, clock })
      service.start()
      await write(storage, 'a')
      await clock.advance(100)
      expect(storage.compactedRevision).toBeGreaterThanOrEqual(Math.max(0, minute - 6))
      expect(storage.compactedRevision, 'what is younger stays').toBeLessThanOrEqual(Math.max(0, minute - 5))
      await service.stop()
    }
  })

  it('bounds the bytes', async () => {
    const clock = new FakeClock()
    const storage = openMemoryStorage({ now: () => clock.now() })
    const tight = { maxAgeMs: 1e9, minAgeMs: 0, maxBytes: 1000, hardMaxBytes: 1e9 }
    const service = new CompactionService(storage, { policy: tight, clock })
    service.start()
    for (let i = 0; i < 100; i++) {
      await write(storage, 'a')
      await clock.advance(1)
      expect(storage.stats().historyBytes).toBeLessThanOrEqual(1000)
    }
    expect(storage.stats().historyEntries).toBeGreaterThan(5)
    await service.stop()
  })

  it('is not told to go on by a second start, nor piled upon while it takes its time', async () => {
    const clock = new FakeClock()
    const storage = openMemoryStorage({ now: () => clock.now() })
    let begun = 0
    let end: () => void = () => undefined
    const compact = (): Promise<void> => {
      begun++
      return new Promise((resolve) => (end = resolve))
    }
    const slow = new Proxy(storage, { get: (target, name) => (name === 'compact' ? compact : bind(target, name)) })
    const service = new CompactionService(slow, { policy, clock })
    service.start()
    service.start()
    await write(storage, 'a')
    await clock.advance(1)
    for (let turn = 0; turn < 3; turn++) await clock.advance(1_000)
    expect(begun).toBe(1)
    let isStopped = false
    const stopped = service.stop().then(() => (isStopped = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(isStopped, 'it waits for what is under way').toBe(false)
    end()
    await stopped
  })

  it('says nothing of a storage that was closed meanwhile', async () => {
    const clock = new FakeClock()
    const errors: unknown[] = []
    const storage = openMemoryStorage({ now: () => clock.now() })
    const service = new CompactionService(storage, { policy, clock, onError: (error) => errors.push(error) })
    service.start()
    await storage.close()
    await clock.advance(1_000)
    expect(errors).toEqual([])
    await service.stop()
  })

  it('reports a compaction that failed and tries again', async () => {
    const clock = new FakeClock()
    const errors: unknown[] = []
    const storage = openMemoryStorage({ now: () => clock.now() })
    const compact = (): Promise<void> => Promise.reject(new Error('no'))
    const failing = new Proxy(storage, { get: (target, name) => (name === 'compact' ? compact : bind(target, name)) })
    const service = new CompactionService(failing, { policy, clock, onError: (error) => errors.push(error) })
    service.start()
    await write(storage, 'a')
    await clock.advance(1)
    await clock.advance(1000)
    await clock.advance(1000)
    expect(errors).toHaveLength(2)
    await service.stop()
  })
})

function bind(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target)
  return typeof value === 'function' ? value.bind(target) : value
}
