import { describe, expect, test } from 'vitest'
import { LongWork } from './long-work.ts'
import { StoredObject } from './stored-object.ts'

const loopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('long work', () => {
  test('of all who wait, one has its turn in each turn of the event loop, in the order in which they came', async () => {
    const work = new LongWork()
    const order: string[] = []
    const run = async (who: string): Promise<void> => {
      for (let part = 0; part < 3; part++) {
        await work.turn()
        order.push(who)
      }
    }
    const all = Promise.all([run('a'), run('b'), run('c')])
    for (let turns = 0; order.length < 9; turns++) {
      expect(order.length).toBeLessThanOrEqual(turns)
      await loopTurn()
    }
    await all
    expect(order.join('')).toBe('abcabcabc')
    expect(work.waiting).toBe(0)
  })

  test('parts run in turns, and what one throws arrives', async () => {
    const work = new LongWork()
    const steps: number[] = []
    function* parts(last: () => string): Generator<void, string, void> {
      for (let i = 0; i < 4; i++) {
        steps.push(i)
        yield
      }
      return last()
    }
    const done = work.inTurns(parts(() => 'made'))
    expect(steps).toEqual([0])
    await loopTurn()
    await loopTurn()
    expect(steps.length).toBeLessThanOrEqual(3)
    expect(await done).toBe('made')
    const broken = parts(() => {
      throw new Error('broken')
    })
    await expect(work.inTurns(broken)).rejects.toThrow('broken')
    expect(work.waiting).toBe(0)
  })

  test('a short list is made at once, a long one in turns, with the same result', async () => {
    const work = new LongWork()
    const objects = (count: number, bytes: number): StoredObject[] =>
      Array.from({ length: count }, (_, i) => StoredObject.ofBytes(`k${i}`, i, Buffer.alloc(bytes)))
    const keyOf = ({ key }: StoredObject): string => key
    expect(work.map(objects(3, 100), keyOf)).toEqual(['k0', 'k1', 'k2'])
    expect(work.map([], keyOf)).toEqual([])
    for (const [count, bytes] of [
      [2000, 1000],
      [3, 1_000_000],
    ] as const) {
      let made = 0
      let turns = 0
      const long = work.map(objects(count, bytes), (object) => (made++, keyOf(object)))
      expect(long).toBeInstanceOf(Promise)
      while (made < count) {
        await loopTurn()
        turns++
      }
      expect(await long).toEqual(objects(count, 0).map(keyOf))
      // Megabytes are several parts.
      expect(turns).toBeGreaterThan(2)
    }
  })
})
