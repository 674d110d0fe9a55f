import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLAIM, claim, classOf, databases, managed, refTo, SQL, SQL_CLASS } from './databases.fixture.ts'
import { type ClaimWorld, startClaimWorld, isReady as ready } from './world.fixture.ts'

describe('a claim and one managed resource', () => {
  let world: ClaimWorld
  beforeAll(async () => {
    world = await startClaimWorld(databases())
    await world.apply(
      classOf(
        SQL_CLASS,
        'small',
        { labels: { size: 'small' } },
        {
          forProvider: { tier: 'db-1' },
          providerRef: { name: 'example' },
          writeConnectionSecretsToNamespace: 'crossplane-system',
          reclaimPolicy: 'Delete',
        },
      ),
    )
  })
  afterAll(() => world.stop())

  test('S5, S11, F9: a selector becomes a class, a class a resource, and the claim is Ready with its secret', async () => {
    await world.apply(
      claim('first', {
        engineVersion: '5.7',
        classSelector: { matchLabels: { size: 'small' } },
        writeConnectionSecretToRef: { name: 'first-secret' },
      }),
    )
    const bound = await world.until(CLAIM, 'first', 'default', ready)
    const spec = bound['spec'] as Record<string, Record<string, string>>
    expect(spec['classRef']).toMatchObject({
      apiVersion: 'database.gcp.crossplane.io/v1beta1',
      kind: 'CloudSQLInstanceClass',
      name: 'small',
    })
    expect(spec['resourceRef']).toMatchObject({ kind: 'CloudSQLInstance', name: expect.stringMatching(/^default-first-[a-z0-9]{5}$/) })
    const resource = await world.get(SQL, spec['resourceRef']?.['name'] ?? '')
    expect(resource).toMatchObject({
      spec: {
        claimRef: { kind: 'MySQLInstance', namespace: 'default', name: 'first', uid: bound.metadata.uid },
        classRef: { kind: 'CloudSQLInstanceClass', name: 'small' },
        forProvider: { tier: 'db-1', databaseVersion: '5.7' },
        writeConnectionSecretToRef: { namespace: 'crossplane-system', name: bound.metadata.uid },
        reclaimPolicy: 'Delete',
      },
      status: { bindingPhase: 'Bound' },
    })
    expect(spec['resourceRef']?.['uid']).toBe(resource.metadata.uid)
    expect(await world.secret('default', 'first-secret')).toEqual({ username: 'root', password: `secret-of-${resource.metadata.name}` })
    const told = async (): Promise<readonly string[]> => {
      const events = await world.events(bound, 'CreatedManagedResource', 'BoundManagedResource')
      expect(events.filter(({ type }) => type === 'Warning')).toEqual([])
      return events.map(({ message }) => message)
    }
    const made = `Created ${resource.kind}/${resource.metadata.name ?? ''} from CloudSQLInstanceClass small`
    // In one sentence with what was made where nobody else can choose, which is known when all kinds of classes are in memory; until then by itself.
    await eventually(async () => {
      const messages = await told()
      const isTogether = messages.includes(`${made}, selected by its labels`)
      expect(isTogether || (messages.includes(made) && messages.includes('Chose CloudSQLInstanceClass small')), messages.join('\n')).toBe(
        true,
      )
    })
    expect((await told()).join('\n')).toContain('copied its connection secret')
  })

  test('a claim that is paused is left alone until it is resumed', async () => {
    const paused = claim('paused', { classRef: refTo(SQL_CLASS, 'small') })
    await world.apply({ ...paused, metadata: { ...paused.metadata, annotations: { 'crossplane.io/paused': 'true' } } })
    // One that comes later is done first: the paused one was looked at.
    await world.apply(claim('after-paused', { classRef: refTo(SQL_CLASS, 'small') }))
    await world.until(CLAIM, 'after-paused', 'default', ready)
    expect((await world.get(CLAIM, 'paused', 'default'))['status']).toBeUndefined()
    await world.client.patch(
      CLAIM,
      { namespace: 'default', name: 'paused' },
      { type: 'merge', body: { metadata: { annotations: { 'crossplane.io/paused': null } } } },
    )
    await world.until(CLAIM, 'paused', 'default', ready)
  })

  test('a claim that is deleted takes what was made for it along', async () => {
    await world.apply(claim('short', { classRef: refTo(SQL_CLASS, 'small') }))
    const bound = await world.until(CLAIM, 'short', 'default', ready)
    const { name = '' } = (bound['spec'] as Record<string, Record<string, string>>)['resourceRef'] ?? {}
    await world.client.delete(CLAIM, { namespace: 'default', name: 'short' })
    await world.gone(CLAIM, 'short', 'default')
    await world.gone(SQL, name)
  })

  test('A18: of its annotations a claim passes on its external name, and never leave to take over what exists: that is for the class to give', async () => {
    const annotations = { 'crossplane.io/external-name': 'wanted', 'weft.dev/adopt': 'true', 'weft.dev/external-resource': '{}' }
    await world.apply(
      classOf(SQL_CLASS, 'adopting', { annotations: { 'weft.dev/adopt': 'true' } }),
      claim('greedy', { classRef: refTo(SQL_CLASS, 'small') }, { annotations }),
      claim('granted', { classRef: refTo(SQL_CLASS, 'adopting') }, { annotations: { 'crossplane.io/external-name': 'granted' } }),
    )
    const annotationsOf = async (name: string): Promise<unknown> => {
      const bound = await world.until(CLAIM, name, 'default', ready)
      const ref = (bound['spec'] as Record<string, Record<string, string>>)['resourceRef']
      return (await world.get(SQL, ref?.['name'] ?? '')).metadata.annotations
    }
    expect(await annotationsOf('greedy')).toEqual({ 'crossplane.io/external-name': 'wanted' })
    expect(await annotationsOf('granted')).toEqual({ 'crossplane.io/external-name': 'granted', 'weft.dev/adopt': 'true' })
  })

  test('static: a claim binds the resource it names, and releases it when it goes', async () => {
    await world.apply(managed(SQL, 'precious'), claim('static', { resourceRef: refTo(SQL, 'precious') }))
    await world.until(CLAIM, 'static', 'default', ready)
    expect(await world.get(SQL, 'precious')).toMatchObject({ spec: { claimRef: { name: 'static' } }, status: { bindingPhase: 'Bound' } })
    await world.client.delete(CLAIM, { namespace: 'default', name: 'static' })
    await world.gone(CLAIM, 'static', 'default')
    const released = await world.get(SQL, 'precious')
    expect(released).toMatchObject({ status: { bindingPhase: 'Released' } })
    expect(released['spec'] as object).not.toHaveProperty('claimRef')
  })
})
