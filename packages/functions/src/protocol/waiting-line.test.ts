import { describe, expect, it } from 'vitest'
import { WaitingLine } from './waiting-line.ts'

const FOREVER = Date.now() + 600_000
const asking = { name: 'f', busyWith: '2 calls', end: FOREVER }

describe('calls that wait for their turn', () => {
  it('get it in the order in which they came', async () => {
    const line = new WaitingLine<string>()
    const [first, second] = [line.wait(asking), line.wait(asking)]
    line.next()?.('a')
    line.next()?.('b')
    expect(await Promise.all([first, second])).toEqual(['a', 'b'])
    expect(line.next()).toBeUndefined()
  })

  it('are told when it is too late, and keep no turn from others', async () => {
    const line = new WaitingLine<string>()
    const late = line.wait({ ...asking, end: Date.now() - 1 })
    const patient = line.wait(asking)
    await expect(late).rejects.toMatchObject({ code: 'DeadlineExceeded', message: expect.stringContaining('busy with 2 calls') as string })
    line.next()?.('a')
    expect(await patient).toBe('a')
  })

  it.each([
    { when: 'while they wait', before: false },
    { when: 'before they come', before: true },
  ])('leave the line when whoever asks gives up $when', async ({ before }) => {
    const line = new WaitingLine<string>()
    const caller = new AbortController()
    if (before) caller.abort()
    const given = line.wait({ ...asking, signal: caller.signal })
    caller.abort()
    await expect(given).rejects.toMatchObject({ code: 'Cancelled' })
    expect(line.next()).toBeUndefined()
  })
})
