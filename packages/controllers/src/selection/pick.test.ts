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
    ['  ', 1 / 2],
    ['Infinity', 1 / 2],
  ])('a weight of %j', (weight, share) => {
    const wins = race([[named('odd', weight), named('one', '1')]], 1000)
    expectShare(wins, 'odd', share === 0 ? 0.001 : share, 1000)
    if (share === 0) expect(wins.get('odd') ?? 0).toBe(0)
  })

  test('S12: without weights the wait is as long as chance says', () => {
    for (const chance of [0, 0.25, 0.75])
      expect(pick([named('a'), named('b')], { random: () => chance, jitterMs: 100 })?.delayMs).toBeCloseTo(100 * chance)
  })

  test('one weight is enough: those without one count as one', () => {
    const wins = race([[named('heavy', '3'), named('plain')]], 4000)
    expectShare(wins, 'heavy', 3 / 4, 4000)
  })

  test('a weight above a million counts as a million: nothing else would ever be chosen', () => {
    const at = 1e6 / (1e6 + 1)
    const chosen = (chance: number) =>
      pick([named('huge', '1e12'), named('one', '1')], { random: () => chance, jitterMs: 1 })?.chosen.metadata.name
    expect([chosen(at - 1e-9), chosen(at + 1e-9)]).toEqual(['huge', 'one'])
  })

  test('S7: chance at its very end still chooses one that may be chosen', () => {
    expect(pick([named('a', '1'), named('never', '0')], { random: () => 1, jitterMs: 1 })?.chosen.metadata.name).toBe('a')
    expect(pick([named('never', '0')], { random: () => 0, jitterMs: 1 })).toBeUndefined()
  })
})
