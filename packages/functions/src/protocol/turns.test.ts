import { describe, expect, it } from 'vitest'
import { type TurnOptions, Turns } from './turns.ts'

const asking: TurnOptions = { name: 'f', end: Date.now() + 600_000 }
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Calls by name; `entered` says who has a turn, in the order in which they got it, and `leave` gives the turn of the first back. */
function calls(turns: Turns) {
  const entered: string[] = []
  const leaves: (() => void)[] = []
  const ask = async (name: string, more: Partial<TurnOptions> = {}): Promise<void> => {
    const leave = await turns.enter({ ...asking, ...more })
    entered.push(name)
    leaves.push(leave)
  }
  const leave = async (): Promise<void> => {
    leaves.shift()?.()
    await settled()
  }
  return { entered, ask, leave }
}

describe('calls that wait for their turn', () => {
  it('get it in the order in which they came', async () => {
    const { entered, ask, leave } = calls(new Turns(2))
    for (const name of ['a', 'b', 'c', 'd']) void ask(name)
    await settled()
    expect(entered).toEqual(['a', 'b'])
    await leave()
    expect(entered).toEqual(['a', 'b', 'c'])
    await leave()
    expect(entered).toEqual(['a', 'b', 'c', 'd'])
  })

  it('are told when it is too late, and keep no turn from others', async () => {
    const { entered, ask, leave } = calls(new Turns(1))
    void ask('a')
    const late = ask('b', { end: Date.now() - 1 })
    void ask('c')
    await expect(late).rejects.toMatchObject({
      code: 'DeadlineExceeded',
      message: expect.stringContaining('busy with other calls') as string,
    })
    await leave()
    expect(entered).toEqual(['a', 'c'])
  })

  it.each([
    { when: 'while they wait', before: false },
    { when: 'before they come', before: true },
  ])('leave the line when whoever asks gives up $when', async ({ before }) => {
    const turns = new Turns(1)
    const { entered, ask, leave } = calls(turns)
    void ask('a')
    const caller = new AbortController()
    if (before) caller.abort()
    const given = ask('b', { signal: caller.signal })
    caller.abort()
    await expect(given).rejects.toMatchObject({ code: 'Cancelled' })
    expect(turns.isIdle).toBe(false)
    await leave()
    expect(entered).toEqual(['a'])
    expect(turns.isIdle).toBe(true)
  })
})

describe('callers with a name', () => {
  it('have half of the turns at most, and one at least', async () => {
    const { entered, ask, leave } = calls(new Turns(4))
    for (const name of ['m1', 'm2', 'm3', 'm4']) void ask(name, { caller: 'mallory' })
    await settled()
    expect(entered).toEqual(['m1', 'm2'])
    void ask('a1', { caller: 'ada' })
    void ask('a2', { caller: 'ada' })
    await settled()
    expect(entered).toEqual(['m1', 'm2', 'a1', 'a2'])
    await leave()
    expect(entered.at(-1)).toBe('m3')
    const single = calls(new Turns(1))
    void single.ask('m1', { caller: 'mallory' })
    await settled()
    expect(single.entered).toEqual(['m1'])
  })

  it('wait behind whoever has fewer turns', async () => {
    const { entered, ask, leave } = calls(new Turns(4))
    for (const name of ['m1', 'm2', 'm3', 'm4']) void ask(name, { caller: 'mallory' })
    for (const name of ['e1', 'e2', 'e3']) void ask(name, { caller: 'eve' })
    void ask('a1', { caller: 'ada' })
    await settled()
    expect(entered).toEqual(['m1', 'm2', 'e1', 'e2'])
    await leave()
    await leave()
    expect(entered.slice(4)).toEqual(['a1', 'm3'])
  })

  it('take nothing from calls without one', async () => {
    const { entered, ask } = calls(new Turns(2))
    for (const name of ['a', 'b', 'c']) void ask(name)
    await settled()
    expect(entered).toEqual(['a', 'b'])
  })
})
