import { describe, expect, it } from 'vitest'
import { Downloads } from './downloads.ts'

describe('work beside the workers', () => {
  it('answers at once what is quick, and calls nobody again', async () => {
    const downloads = new Downloads<number>()
    let woken = 0
    expect(
      await downloads.ask(
        'a',
        '1',
        () => Promise.resolve(42),
        () => woken++,
      ),
    ).toEqual({ state: 'done', value: 42 })
    await new Promise((resolve) => setImmediate(resolve))
    expect(woken).toBe(0)
  })

  it('says that it is under way, calls again once, and then answers', async () => {
    const downloads = new Downloads<number>()
    let finish: (value: number) => void = () => undefined
    let begun = 0
    const begin = (): Promise<number> => {
      begun++
      return new Promise((resolve) => (finish = resolve))
    }
    let woken = 0
    const woke = new Promise<void>((resolve) => {
      void downloads.ask('a', '1', begin, () => {
        woken++
        resolve()
      })
    })
    expect(await downloads.ask('a', '1', begin, () => woken++)).toEqual({ state: 'pending' })
    finish(7)
    await woke
    expect(await downloads.ask('a', '1', begin, () => woken++)).toEqual({ state: 'done', value: 7 })
    await new Promise((resolve) => setImmediate(resolve))
    expect([begun, woken]).toEqual([1, 1])
  })
})
