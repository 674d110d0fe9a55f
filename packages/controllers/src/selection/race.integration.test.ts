import type { KubeObject } from '@weft/api'
import { seededRandom } from '@weft/testing'
import { describe, expect, test } from 'vitest'
import { CLAIM, claim, classOf, databases, SERVER_CLASS, SQL, SQL_CLASS } from '../claim/databases.fixture.ts'
import { type ClaimWorld, startClaimWorld } from '../claim/world.fixture.ts'

const specOf = (object: KubeObject) => object['spec'] as Record<string, Record<string, string>>
const decided = (object: KubeObject): boolean => specOf(object)['classRef'] !== undefined

describe('racing schedulers', () => {
  /** How often each class is chosen by `count` claims that all match. */
  async function shares(
    world: ClaimWorld,
    count: number,
    spec: Record<string, unknown> = { classSelector: { matchLabels: { race: 'on' } } },
  ): Promise<Map<string, number>> {
    const names = Array.from({ length: count }, (_, i) => `race-${i}`)
    await Promise.all(names.map((name) => world.client.create(claim(name, spec))))
    const wins = new Map<string, number>()
    for (const name of names) {
      const chosen = specOf(await world.until(CLAIM, name, 'default', decided))['classRef']?.['name'] ?? ''
      wins.set(chosen, (wins.get(chosen) ?? 0) + 1)
    }
    return wins
  }

  function expectShare(wins: Map<string, number>, name: string, share: number, count: number): void {
    expect(Math.abs((wins.get(name) ?? 0) - count * share), JSON.stringify([...wins])).toBeLessThan(
      5 * Math.sqrt(count * share * (1 - share)),
    )
  }

  test('S7, S10, S12: over 1,000 claims every candidate has its share, whatever the number of candidates of its kind', async () => {
    const world = await startClaimWorld(databases({ managed: [], jitterMs: 100, patienceMs: 60_000, random: seededRandom(11) }))
    try {
      const labels = { race: 'on' }
      await world.apply(classOf(SQL_CLASS, 'one', { labels }), ...[1, 2, 3, 4].map((i) => classOf(SERVER_CLASS, `many-${i}`, { labels })))
      const wins = await shares(world, 1_000)
      expectShare(wins, 'one', 1 / 2, 1_000)
      for (const i of [1, 2, 3, 4]) expectShare(wins, `many-${i}`, 1 / 8, 1_000)
    } finally {
      await world.stop()
    }
  })

  test('S9, S15: default classes of several kinds race in the same way, and none is an error', async () => {
    const world = await startClaimWorld(databases({ managed: [], jitterMs: 50, patienceMs: 60_000, random: seededRandom(8) }))
    try {
      const annotations = { 'resourceclass.crossplane.io/is-default-class': 'true' }
      await world.apply(
        classOf(SQL_CLASS, 'one', { annotations }),
        ...[1, 2].map((i) => classOf(SERVER_CLASS, `two-${i}`, { annotations })),
      )
      const wins = await shares(world, 300, {})
      expectShare(wins, 'one', 1 / 2, 300)
      for (const i of [1, 2]) expectShare(wins, `two-${i}`, 1 / 4, 300)
    } finally {
      await world.stop()
    }
  })

  test('cross-seed 2: typed classes, aggregates and ResourceClasses share one pool; one reference results', async () => {
    const world = await startClaimWorld(databases({ managed: [], jitterMs: 50, patienceMs: 60_000, random: seededRandom(5) }))
    try {
      const labels = { race: 'on' }
      await world.apply(
        classOf(SQL_CLASS, 'typed', { labels }),
        classOf(SERVER_CLASS, 'part', { labels: { part: 'of' } }),
        {
          apiVersion: 'aggregation.crossplane.io/v1alpha1',
          kind: 'AggregateResourceClass',
          metadata: { name: 'aggregate', labels },
          aggregationRule: { classSelector: { matchLabels: { part: 'of' } } },
        },
        {
          apiVersion: 'infrastructure.crossplane.io/v1alpha1',
          kind: 'ResourceClass',
          metadata: { name: 'flexible', labels },
          spec: {
            claim: { apiVersion: 'database.crossplane.io/v1alpha1', kind: 'MySQLInstance' },
            resource: { base: { apiVersion: 'database.gcp.crossplane.io/v1beta1', kind: 'CloudSQLInstance', spec: {} } },
          },
        },
      )
      const wins = await shares(world, 300)
      for (const name of ['typed', 'aggregate', 'flexible']) expectShare(wins, name, 1 / 3, 300)
      await world.idle()
      // Never two provisionings.
      const made = [...(await world.list(SQL)), ...(await world.list({ group: 'aggregation.crossplane.io', kind: 'AggregateResource' }))]
      expect(made).toHaveLength(300)
    } finally {
      await world.stop()
    }
  })
})
