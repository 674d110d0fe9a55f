import type { KubeObject } from '@weft/api'
import { seededRandom } from '@weft/testing'
import { describe, expect, test } from 'vitest'
import { pick, WEIGHT } from './pick.ts'

const named = (name: string, weight?: string): KubeObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Class',
  metadata: { name, ...(weight !== undefined && { annotations: { [WEIGHT]: weight } }) },
})

/** The race: each kind picks and waits; the shortest wait wins. */
function race(kinds: readonly (readonly KubeObject[])[], runs: number, seed = 7): Map<string, number> {
  const random = seededRandom(seed)
  const wins = new Map<string, number>()
  for (let run = 0; run < runs; run++) {
    const [first] = kinds.flatMap((candidates) => pick(candidates, { random, jitterMs: 100 }) ?? []).sort((a, b) => a.delayMs - b.delayMs)
    const name = first?.chosen.metadata.name ?? ''
    wins.set(name, (wins.get(name) ?? 0) + 1)
  }
  return wins
}

/** Within five standard deviations of a binomial share: a fair choice fails this once in a million. */
function expectShare(wins: Map<string, number>, name: string, share: number, runs: number): void {
  const tolerance = 5 * Math.sqrt(runs * share * (1 - share))
  expect(Math.abs((wins.get(name) ?? 0) - runs * share), `${name} won ${wins.get(name) ?? 0} of ${runs}`).toBeLessThan(tolerance)
}

describe('pick', () => {
  test('S7: uniform within a kind', () => {
    const wins = race([['a', 'b', 'c', 'd'].map((name) => named(name))], 2000)
    for (const name of ['a', 'b', 'c', 'd']) expectShare(wins, name, 1 / 4, 2000)
  })

  test('S12: a kind with one candidate and a kind with many win equally often', () => {
    const many = Array.from({ length: 9 }, (_, i) => named(`many-${i}`))
    const wins = race([[named('one')], many], 4000)
    expectShare(wins, 'one', 1 / 2, 4000)
    for (const candidate of many) expectShare(wins, candidate.metadata.name ?? '', 1 / 18, 4000)
  })

  test('S12: the wait is at least 0 and less than the jitter', () => {
    const random = seededRandom(3)
    for (let i = 0; i < 500; i++) {
      const { delayMs = -1 } = pick([named('a', i % 2 === 0 ? '7' : undefined)], { random, jitterMs: 1500 }) ?? {}
      expect(delayMs).toBeGreaterThanOrEqual(0)
      expect(delayMs).toBeLessThan(1500)
    }
  })

  test('S11: no jitter, no wait; no candidate, no pick', () => {
    expect(pick([named('a')], { random: () => 0.9, jitterMs: 0 })).toMatchObject({ delayMs: 0 })
    expect(pick([], { random: () => 0.9, jitterMs: 100 })).toBeUndefined()
  })

  test('weights share out within a kind and between kinds, without coordination', () => {
    const wins = race([[named('a', '1'), named('b', '2')], [named('c', '3')], [named('plain')]], 7000)
    for (const [name, weight] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['plain', 1],
    ] as const)
      expectShare(wins, name, weight / 7, 7000)
  })

  test.each([
    ['0', 0],
    ['-1', 1 / 2],
    ['many', 1 / 2],
    ['', 1 / 2],
  ])('a weight of %j', (weight, share) => {
    const wins = race([[named('odd', weight), named('one', '1')]], 1000)
    expectShare(wins, 'odd', share === 0 ? 0.001 : share, 1000)
    if (share === 0) expect(wins.get('odd') ?? 0).toBe(0)
  })
})
