import { settle } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import { Downloads } from './downloads.ts'

const never = (signal: AbortSignal): Promise<string> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

describe('downloads', () => {
  it('answer what is here at once, and forget it', async () => {
    const downloads = new Downloads<number>()
    let begun = 0
    const ask = () =>
      downloads.ask(
        'a',
        'one',
        () => Promise.resolve(++begun),
        () => undefined,
      )
    expect(await ask()).toEqual({ state: 'done', value: 1 })
    expect(await ask()).toEqual({ state: 'done', value: 2 })
  })

  it('keep nobody waiting, and call back when they are done', async () => {
    const downloads = new Downloads<string>()
    let finish: (value: string) => void = () => undefined
    let woken = 0
    const begin = () => new Promise<string>((resolve) => (finish = resolve))
    expect(await downloads.ask('a', 'one', begin, () => woken++)).toEqual({ state: 'pending' })
    expect(woken).toBe(0)
    finish('here')
    await settle()
    expect(woken).toBe(1)
    expect(
      await downloads.ask(
        'a',
        'one',
        () => Promise.reject(new Error('not asked again')),
        () => undefined,
      ),
    ).toEqual({
      state: 'done',
      value: 'here',
    })
  })

  it('call nobody back who still asks, and has the answer a moment later', async () => {
    const downloads = new Downloads<string>()
    let woken = 0
    const news: (() => void)[] = []
    let finish: (value: string) => void = () => undefined
    const begin = (_signal: AbortSignal, callBack: () => void): Promise<string> => {
      news.push(callBack)
      callBack()
      return new Promise((resolve) => (finish = resolve))
    }
    const asking = downloads.ask('a', 'one', begin, () => woken++)
    await settle()
    expect(woken, 'told of its progress while it asks').toBe(0)
    expect(await asking).toEqual({ state: 'pending' })
    news[0]?.()
    expect(woken, 'told of its progress while it waits').toBe(1)
    const again = downloads.ask('a', 'one', begin, () => woken++)
    news[0]?.()
    finish('here')
    expect(await again).toEqual({ state: 'done', value: 'here' })
    await settle()
    news[0]?.()
    // A call after the answer would begin it anew, for ever.
    expect({ woken, begun: news.length }).toEqual({ woken: 1, begun: 1 })
  })

  it('answer a failure once', async () => {
    const downloads = new Downloads<string>()
    expect(
      await downloads.ask(
        'a',
        'one',
        () => Promise.reject(new Error('down')),
        () => undefined,
      ),
    ).toMatchObject({ state: 'failed' })
    expect(
      await downloads.ask(
        'a',
        'one',
        () => Promise.resolve('up'),
        () => undefined,
      ),
    ).toEqual({ state: 'done', value: 'up' })
  })

  it('give up what is no longer wanted', async () => {
    const downloads = new Downloads<string>()
    const aborted: unknown[] = []
    const begin = (signal: AbortSignal): Promise<string> => {
      signal.addEventListener('abort', () => aborted.push(signal.reason))
      return never(signal)
    }
    await downloads.ask('a', 'one', begin, () => undefined)
    expect(
      await downloads.ask(
        'a',
        'two',
        () => Promise.resolve('other'),
        () => undefined,
      ),
    ).toEqual({ state: 'done', value: 'other' })
    expect(aborted).toHaveLength(1)
    await downloads.ask('b', 'one', begin, () => undefined)
    downloads.cancel('b')
    expect(aborted).toHaveLength(2)
  })
})
