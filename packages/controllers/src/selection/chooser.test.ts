import type { KubeObject } from '@weft/api'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUCKET, CLAIM, claim, classOf, databases, refTo, SERVER_CLASS, SQL, SQL_CLASS } from '../claim/databases.fixture.ts'
import { type ClaimWorld, startClaimWorld } from '../claim/world.fixture.ts'

const specOf = (object: KubeObject) => object['spec'] as Record<string, Record<string, string>>
const DEFAULT = { 'resourceclass.crossplane.io/is-default-class': 'true' }
const decided = (object: KubeObject): boolean => specOf(object)['classRef'] !== undefined

describe('choosing a class', () => {
  let world: ClaimWorld
  beforeAll(async () => {
    world = await startClaimWorld(databases({ managed: [] }))
  })
  afterAll(() => world.stop())

  test('S9, S17: without a default class, and without a match, a claim stays as it is and is told why', async () => {
    await world.apply(claim('unopinionated'), claim('picky', { classSelector: { matchLabels: { tier: 'gold' } } }))
    const told = await world.until(CLAIM, 'unopinionated', 'default', (object) => world.condition(object, 'Ready') !== undefined)
    expect(world.condition(told, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'Waiting',
      message: expect.stringContaining('no default class'),
    })
    expect(world.condition(told, 'Synced')).toBeUndefined()
    await world.apply(classOf(SQL_CLASS, 'silver', { labels: { tier: 'silver' }, annotations: DEFAULT }))
    await world.until(CLAIM, 'unopinionated', 'default', decided)
    const why = 'no class has the labels tier=gold: the nearest one is CloudSQLInstanceClass/silver (tier is silver)'
    const picky = await world.until(CLAIM, 'picky', 'default', (object) => world.condition(object, 'Ready')?.message === why)
    expect(decided(picky)).toBe(false)
    await world.events(picky, 'NoResourceClass')
    await world.client.delete(SQL_CLASS, { name: 'silver' })
  })

  test('S11: a class that comes later is chosen then', async () => {
    await world.apply(classOf(SERVER_CLASS, 'gold', { labels: { tier: 'gold' } }))
    expect(specOf(await world.until(CLAIM, 'picky', 'default', decided))['classRef']).toMatchObject({
      kind: 'SQLServerClass',
      name: 'gold',
    })
  })

  test('S10: losing to another writer is no failure, and says nothing', async () => {
    const faults = world.planes[0]?.faults
    faults?.inject({
      verb: 'update',
      name: 'contended',
      matches: (request) => 'object' in request && decided(request.object as KubeObject),
      times: 1,
      fault: { type: 'conflict' },
    })
    await world.apply(claim('contended', { classSelector: { matchLabels: { tier: 'gold' } } }))
    await eventually(() => expect(faults?.log.filter(({ fault }) => fault === 'conflict')).toHaveLength(1))
    // What the other writer wrote brings it back.
    await world.client.patch(
      CLAIM,
      { namespace: 'default', name: 'contended' },
      { type: 'merge', body: { metadata: { annotations: { note: 'changed' } } } },
    )
    const chosen = await world.until(CLAIM, 'contended', 'default', decided)
    // The choice is told with what was made by it.
    const events = await world.events(chosen, 'CreatedManagedResource')
    expect(events.filter(({ type }) => type === 'Warning')).toEqual([])
  })

  test('S13, S16: what is decided stays decided, whatever happens to labels', async () => {
    await world.apply(
      classOf(SERVER_CLASS, 'gold', { labels: { tier: 'bronze' } }),
      classOf(SQL_CLASS, 'gold-too', { labels: { tier: 'gold' } }),
    )
    await world.apply(claim('picky', { classSelector: { matchLabels: { tier: 'bronze' } } }))
    await world.idle()
    expect(specOf(await world.get(CLAIM, 'picky', 'default'))['classRef']).toMatchObject({ name: 'gold' })
  })

  test('S4, S14: an explicit reference is left alone, and waits for a class that is missing', async () => {
    await world.apply(claim('explicit', { classRef: refTo(SQL_CLASS, 'later'), classSelector: { matchLabels: { tier: 'bronze' } } }))
    const waiting = await world.until(
      CLAIM,
      'explicit',
      'default',
      (object) =>
        world.condition(object, 'Synced')?.message?.includes('there is no CloudSQLInstanceClass.database.gcp.crossplane.io later') === true,
    )
    expect(specOf(waiting)['classRef']).toEqual(refTo(SQL_CLASS, 'later'))
    await world.apply(classOf(SQL_CLASS, 'later'))
    const made = await world.until(CLAIM, 'explicit', 'default', (object) => specOf(object)['resourceRef'] !== undefined)
    expect(specOf(made)['resourceRef']).toMatchObject({ kind: 'CloudSQLInstance' })
  })

  test('S18: what nobody is responsible for is never reconciled', async () => {
    const bucket = {
      ...claim('nonsense', { classRef: refTo(SQL_CLASS, 'later') }),
      apiVersion: 'storage.crossplane.io/v1alpha1',
      kind: 'Bucket',
    }
    const stray = {
      ...claim('stray', { resourceRef: refTo(SQL, 'anything') }),
      apiVersion: 'storage.crossplane.io/v1alpha1',
      kind: 'Bucket',
    }
    await world.apply(bucket, stray)
    const told = await world.until(BUCKET, 'nonsense', 'default', (object) => world.condition(object, 'Ready') !== undefined)
    expect(world.condition(told, 'Ready')?.message).toBe(
      'nothing lets a Bucket.storage.crossplane.io be satisfied through a CloudSQLInstanceClass.database.gcp.crossplane.io',
    )
    await world.idle()
    for (const name of ['nonsense', 'stray'])
      expect(await world.get(BUCKET, name, 'default')).toMatchObject({
        metadata: expect.not.objectContaining({ finalizers: expect.anything() }),
      })
    expect(specOf(await world.get(BUCKET, 'nonsense', 'default'))).not.toHaveProperty('resourceRef')
  })

  test('A28, S3: the references of a claim are those of the seeds', async () => {
    expect(specOf(await world.get(CLAIM, 'picky', 'default'))['classRef']).toEqual({
      ...refTo(SERVER_CLASS, 'gold'),
      uid: (await world.get(SERVER_CLASS, 'gold')).metadata.uid,
    })
  })
})
