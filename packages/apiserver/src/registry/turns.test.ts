import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

describe('Turns', () => {
  it('are taken one after the other, by key', async () => {
    const turns = new Turns(60_000)
    const running = new Map<string, number>()
    const most = new Map<string, number>()
    const run = (key: string) => async (): Promise<void> => {
      running.set(key, (running.get(key) ?? 0) + 1)
      most.set(key, Math.max(most.get(key) ?? 0, running.get(key) ?? 0))
      await new Promise((resolve) => setImmediate(resolve))
      running.set(key, (running.get(key) ?? 0) - 1)
    }
    await Promise.all(Array.from({ length: 50 }, (_, n) => turns.take(n % 2 === 0 ? 'even' : 'odd', run(n % 2 === 0 ? 'even' : 'odd'))))
    expect([...most]).toEqual([
      ['even', 1],
      ['odd', 1],
    ])
  })

  it('go on after one that failed, and past one that waits for a later one', async () => {
    const turns = new Turns(1)
    await expect(turns.take('a', () => Promise.reject(new Error('lost again')))).rejects.toThrow('lost again')
    const outer = turns.take('a', () => turns.take('a', () => Promise.resolve('inner')))
    expect(await outer).toBe('inner')
  })
})
