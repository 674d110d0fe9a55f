import { type KubeObject, withMeta } from '@weft/api'
import { seededRandom } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { example } from './seed-examples.ts'
import { isReady, type SeedWorld, specOf, startSeedWorld } from './seed-world.ts'

const POSTGRES = { group: 'database.crossplane.io', kind: 'PostgreSQLInstance' }
const REDIS = { group: 'cache.crossplane.io', kind: 'RedisCluster' }

const classWith = (apiVersion: string, kind: string, name: string, labels: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, labels },
  specTemplate: { forProvider: {} },
})

describe('003: simple resource class selection', () => {
  let world: SeedWorld
  beforeEach(async () => {
    world = await startSeedWorld({ random: seededRandom(3), jitterMs: 20 })
  })
  afterEach(() => world.stop())

  /** The classes that claims like this one get, over many runs. */
  const choices = async (claim: KubeObject, runs: number): Promise<ReadonlyMap<string, number>> => {
    const { group, kind } = { group: claim.apiVersion.split('/')[0] ?? '', kind: claim.kind }
    const names = Array.from({ length: runs }, (_, i) => `${claim.metadata.name}-${i}`)
    await Promise.all(names.map((name) => world.apply(withMeta(claim, { name }))))
    const counts = new Map<string, number>()
    for (const name of names) {
      const decided = await world.until(
        { group, kind },
        name,
        claim.metadata.namespace ?? 'default',
        (object) => specOf(object)['classRef'] !== undefined,
      )
      const chosen = specOf(decided)['classRef']?.['name'] ?? ''
      counts.set(chosen, (counts.get(chosen) ?? 0) + 1)
    }
    return counts
  }

  test('003:77-87, S3, S5, S6, S7: any compatible class of any kind, every candidate sometimes', async () => {
    const [claim] = example('003/077-087') as [KubeObject]
    const labels = { stack: 'gitlab', grade: 'experimental', region: 'us-east-1' }
    await world.apply(
      classWith('database.gcp.crossplane.io/v1alpha2', 'CloudSQLInstanceClass', 'gcp', labels),
      classWith('database.aws.crossplane.io/v1alpha2', 'RDSInstanceClass', 'aws-a', labels),
      classWith('database.aws.crossplane.io/v1alpha2', 'RDSInstanceClass', 'aws-b', labels),
      classWith('database.aws.crossplane.io/v1alpha2', 'RDSInstanceClass', 'elsewhere', { ...labels, region: 'us-west-1' }),
    )
    const counts = await choices(claim, 60)
    expect([...counts.keys()].toSorted()).toEqual(['aws-a', 'aws-b', 'gcp'])
  })

  test('003:138-149, S4: an explicit reference is not touched, waits for its class and is provisioned from it', async () => {
    await world.apply(...example('003/138-149'))
    const waiting = await world.until(POSTGRES, 'gitlab-database', 'acme-team', (object) => object['status'] !== undefined)
    expect(specOf(waiting)['classRef']).toEqual(specOf(example('003/138-149')[0] as KubeObject)['classRef'])
    expect(specOf(waiting)).not.toHaveProperty('resourceRef')
    await world.apply({
      ...classWith('database.gcp.crossplane.io/v1alpha2', 'CloudSQLInstanceClass', 'gitlab-experimental', {}),
      specTemplate: {
        forProvider: { databaseVersion: 'POSTGRES_9_6', region: 'us-east1' },
        writeConnectionSecretsToNamespace: 'crossplane-system',
      },
    })
    const claim = await world.ready(POSTGRES, 'gitlab-database', 'acme-team')
    expect(specOf(claim)['resourceRef']).toMatchObject({
      kind: 'CloudSQLInstance',
      name: expect.stringMatching(/^acme-team-gitlab-database-[a-z0-9]{5}$/),
    })
    await world.until({ group: '', kind: 'Secret' }, 'app-postgresql-connection', 'acme-team', () => true)
  })

  test('003:168-212, S7, S10, B35: a Redis of either cloud, both over many runs', async () => {
    await world.apply(...example('003/184-212'))
    await world.apply(...example('003/168-177'))
    // X7: without a namespace it is in default.
    const claim = await world.until(REDIS, 'my-cache', 'default', (object) => specOf(object)['resourceRef'] !== undefined)
    expect(['CloudMemorystoreInstance', 'Redis']).toContain(specOf(claim)['resourceRef']?.['kind'])
    const counts = await choices(example('003/168-177')[0] as KubeObject, 40)
    expect([...counts.keys()].toSorted()).toEqual(['azure-dev', 'gcp-dev'])
  })

  test('003:344-385, S20, B35: without weights it is random, not weighted', async () => {
    await world.apply(...example('003/359-385'))
    const counts = await choices(example('003/344-353')[0] as KubeObject, 60)
    expect([...counts.keys()].toSorted()).toEqual(['cheap-redis', 'really-quite-a-lot-of-memory'])
    for (const count of counts.values()) expect(count).toBeGreaterThan(10)
  })

  test('S1, S2: there are no portable classes, and only claims are namespaced', async () => {
    for (const [group, kind] of [
      ['database.gcp.crossplane.io', 'CloudSQLInstanceClass'],
      ['database.gcp.crossplane.io', 'CloudSQLInstance'],
      ['aggregation.crossplane.io', 'AggregateResourceClass'],
    ] as const)
      expect((await world.client.mapping({ group, kind })).namespaced).toBe(false)
    expect((await world.client.mapping(POSTGRES)).namespaced).toBe(true)
    expect(
      (await world.list({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' })).some(({ metadata }) =>
        metadata.name?.startsWith('mysqlinstanceclasses.'),
      ),
    ).toBe(false)
    expect(isReady).toBeTypeOf('function')
  })
})
