import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { KeyedQueue } from './keyed-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A queue whose work ends when it is let go. */
function heldQueue(concurrency?: number) {
  const begun: string[] = []
  const held: (() => void)[] = []
  const errors: unknown[] = []
  const queue = new KeyedQueue<string>(
    (key) => {
      begun.push(key)
      return new Promise((resolve) => held.push(resolve))
    },
    (_key, error) => errors.push(error),
    concurrency,
  )
  const letGo = async (): Promise<void> => {
    held.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { queue, begun, errors, letGo }
}
const begin = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)

describe('work by key', () => {
  test('a key that is added twice is processed once, in the order of adding', async () => {
    const { queue, begun, letGo } = heldQueue()
    for (const key of ['a', 'b', 'a']) queue.add(key)
    expect(begun, 'nothing runs within the call').toEqual([])
    await begin()
    expect(begun, 'one at a time').toEqual(['a'])
    await letGo()
    await letGo()
    expect(begun).toEqual(['a', 'b'])
  })

  test('as many at a time as it is told, and never one key twice at once', async () => {
    const { queue, begun, letGo } = heldQueue(2)
    for (const key of ['a', 'b', 'c']) queue.add(key)
    await begin()
    expect(begun).toEqual(['a', 'b'])
    queue.add('a')
    await begin()
    expect(begun).toEqual(['a', 'b'])
    await letGo()
    expect(begun, 'others before the same again').toEqual(['a', 'b', 'c'])
    await letGo()
    expect(begun).toEqual(['a', 'b', 'c', 'a'])
    await letGo()
    await letGo()
    expect(begun, 'added once meanwhile, processed once again').toHaveLength(4)
  })

  test('what fails is told, and tried again after a delay that doubles and has an end', async () => {
    const tries: number[] = []
    let isBroken = true
    const errors: [string, string][] = []
    const queue = new KeyedQueue<string>(
      async () => {
        tries.push(Date.now())
        if (isBroken) throw new Error('broken')
      },
      (key, error) => errors.push([key, (error as Error).message]),
    )
    const start = Date.now()
    queue.add('a')
    await begin()
    expect(errors).toEqual([['a', 'broken']])
    await vi.advanceTimersByTimeAsync(99)
    expect(tries).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(tries.map((at) => at - start).slice(0, 5)).toEqual([0, 100, 300, 700, 1_500])
    const waits = tries.slice(1).map((at, i) => at - (tries[i] as number))
    expect(Math.max(...waits)).toBe(30_000)
    // Once it went well, the next failure is the first again.
    isBroken = false
    await vi.advanceTimersByTimeAsync(30_000)
    const done = tries.length
    await vi.advanceTimersByTimeAsync(120_000)
    expect(tries).toHaveLength(done)
    isBroken = true
    queue.add('a')
    await vi.advanceTimersByTimeAsync(100)
    expect(tries).toHaveLength(done + 2)
    await queue.stop()
  })

  test('work that is put off begins then', async () => {
    const { queue, begun } = heldQueue()
    queue.addAfter('a', 200)
    await vi.advanceTimersByTimeAsync(199)
    expect(begun).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toEqual(['a'])
  })
})

describe('a queue that stops', () => {
  test('takes no more work, drops what waits, and waits for what it is at', async () => {
    const { queue, begun, letGo } = heldQueue()
    for (const key of ['a', 'b']) queue.add(key)
    await begin()
    queue.add('a')
    queue.addAfter('c', 50)
    let isOver = false
    const stopped = queue.stop().then(() => (isOver = true))
    queue.add('d')
    queue.addAfter('e', 1)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(isOver).toBe(false)
    await letGo()
    await stopped
    await vi.advanceTimersByTimeAsync(1_000)
    expect(begun).toEqual(['a'])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('that has nothing to do is stopped at once', async () => {
    await heldQueue().queue.stop()
  })
})
