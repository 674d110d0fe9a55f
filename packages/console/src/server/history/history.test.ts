import { FakeClock, settle } from '@weft/testing'
import { describe, expect, it } from 'vitest'
import type { Census, StateCounts } from './census.ts'
import { type History, startHistory } from './history.ts'

const things = (counts: Readonly<Record<string, StateCounts>>): Census =>
  new Map([
    [
      'Thing.example.org',
      { group: 'example.org', kind: 'Thing', plural: 'things', namespaced: true, counts: new Map(Object.entries(counts)) },
    ],
  ])

async function kept(censuses: readonly (Census | Error)[]): Promise<{ history: History; log: readonly string[] }> {
  const clock = new FakeClock(0)
  const rest = [...censuses]
  const log: string[] = []
  const takeCensus = async (): Promise<Census> => {
    const next = rest.shift() ?? new Map()
    if (next instanceof Error) throw next
    return next
  }
  const history = startHistory({ takeCensus, clock, log: (line) => log.push(line) })
  for (let i = 1; i < censuses.length; i++) await clock.advance(10_000)
  await settle()
  history.stop()
  return { history, log }
}

const everything = (history: History): readonly unknown[] => history.read('', () => true).map(({ at, counts }) => [at / 1000, counts])

describe('the past', () => {
  it('is what was counted, each time', async () => {
    const { history } = await kept([things({ a: { ready: 1 } }), things({ a: { ready: 1 }, b: { failed: 2 } }), new Map()])
    expect(everything(history)).toEqual([
      [0, { ready: 1 }],
      [10, { ready: 1, failed: 2 }],
      [20, {}],
    ])
    expect(history.read('b', () => true).map(({ counts }) => counts)).toEqual([{}, { failed: 2 }, {}])
    expect(history.read('', () => false).map(({ counts }) => counts)).toEqual([{}, {}, {}])
  })

  it('has a gap where nothing could be counted, and says so once', async () => {
    const down = new Error('down')
    const { history, log } = await kept([things({ a: { ready: 1 } }), down, down, things({ a: { ready: 2 } })])
    expect(everything(history)).toEqual([
      [0, { ready: 1 }],
      [30, { ready: 2 }],
    ])
    expect(log).toHaveLength(1)
  })

  it('is an hour long and no longer', async () => {
    const { history } = await kept(Array.from({ length: 400 }, () => things({ a: { ready: 1 } })))
    const [[first] = []] = everything(history) as [number, unknown][]
    expect(first).toBe(3990 - 3590)
  })

  it('is shorter where it would not fit into its place in memory, and the newest stays', async () => {
    const many = (state: 'ready' | 'failed'): Census =>
      things(Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`namespace-${i}`, { [state]: 1 }])))
    const changing = await kept([many('ready'), many('failed'), many('ready')])
    expect(everything(changing.history)).toEqual([
      [10, { failed: 90_000 }],
      [20, { ready: 90_000 }],
    ])
    const quiet = await kept([many('ready'), many('ready'), many('ready')])
    expect(everything(quiet.history)).toHaveLength(3)
  })
})
