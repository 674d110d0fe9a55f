import type { KubeObject } from '@weft/api'
import { secretKind } from '@weft/client'
import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AGGREGATE, AGGREGATE_CLASS } from '../bindings-table/well-known.ts'
import {
  BUCKET,
  CLAIM,
  claim,
  classOf,
  databases,
  managed,
  refTo,
  RESOURCE_GROUP,
  RESOURCE_GROUP_CLASS,
  SERVER,
  SERVER_CLASS,
  SQL,
  SQL_CLASS,
} from '../claim/databases.fixture.ts'
import { type ClaimWorld, startClaimWorld, isReady as ready } from '../claim/world.fixture.ts'

const LABEL = 'resourceclass.crossplane.io/aggregate-to'
const aggregateClass = (name: string, specTemplate: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: 'aggregation.crossplane.io/v1alpha1',
  kind: 'AggregateResourceClass',
  metadata: { name, ...metadata },
  aggregationRule: { classSelector: { matchLabels: { [LABEL]: name } } },
  specTemplate,
})
const specOf = (object: KubeObject) => object['spec'] as Record<string, Record<string, string>>
const statusOf = (object: KubeObject) => object['status'] as { bindingPhase: string; aggregatedResources: Record<string, string>[] }
const refToAggregateClass = (name: string) => ({ apiVersion: 'aggregation.crossplane.io/v1alpha1', kind: 'AggregateResourceClass', name })

describe('aggregates', () => {
  let world: ClaimWorld
  beforeAll(async () => {
    world = await startClaimWorld(databases())
    const labels = { [LABEL]: 'private' }
    await world.apply(
      aggregateClass('private', { writeConnectionSecretsToNamespace: 'crossplane-system', reclaimPolicy: 'Delete' }),
      classOf(RESOURCE_GROUP_CLASS, 'private', { labels }),
      classOf(
        SERVER_CLASS,
        'private',
        {
          labels,
          annotations: {
            'aggregation.crossplane.io/connection-secret-prefix': 'db-',
            'crossplane.io/external-name-prefix': 'a-',
            'crossplane.io/external-name-suffix': '-z',
          },
        },
        { writeConnectionSecretsToNamespace: 'crossplane-system', reclaimPolicy: 'Delete' },
      ),
    )
  })
  afterAll(() => world.stop())

  const boundAggregate = async (name: string): Promise<{ claim: KubeObject; group: KubeObject }> => {
    const bound = await world.until(CLAIM, name, 'default', ready)
    return { claim: bound, group: await world.get(AGGREGATE, specOf(bound)['resourceRef']?.['name'] ?? '') }
  }

  test('A3, A6, A7, A9, A10, A22: one AggregateResource, one member for each class, all labelled and bound', async () => {
    await world.apply(
      claim(
        'whole',
        { classRef: refToAggregateClass('private'), writeConnectionSecretToRef: { name: 'whole' } },
        { annotations: { 'crossplane.io/external-name': 'mine' } },
      ),
    )
    const { claim: bound, group } = await boundAggregate('whole')
    expect(group.metadata.name).toMatch(/^default-whole-[a-z0-9]{5}$/)
    const labels = {
      'resourceclaim.crossplane.io/namespace': 'default',
      'resourceclaim.crossplane.io/name': 'whole',
      'resourceclaim.crossplane.io/uid': bound.metadata.uid,
    }
    expect(group['spec']).toMatchObject({
      aggregationRule: { resourceSelector: { matchLabels: labels } },
      claimRef: { kind: 'MySQLInstance', namespace: 'default', name: 'whole', uid: bound.metadata.uid },
      classRef: { kind: 'AggregateResourceClass', name: 'private' },
      writeConnectionSecretsToRef: { namespace: 'crossplane-system', name: bound.metadata.uid },
      reclaimPolicy: 'Delete',
    })
    expect(specOf(bound)['resourceRef']).toEqual({
      apiVersion: 'aggregation.crossplane.io/v1alpha1',
      kind: 'AggregateResource',
      name: group.metadata.name,
      uid: group.metadata.uid,
    })
    expect(statusOf(group)).toMatchObject({ bindingPhase: 'Bound' })
    expect(statusOf(group).aggregatedResources.map(({ kind, bindingPhase }) => ({ kind, bindingPhase }))).toEqual(
      expect.arrayContaining([
        { kind: 'ResourceGroup', bindingPhase: 'Bound' },
        { kind: 'SQLServer', bindingPhase: 'Bound' },
      ]),
    )
    expect(statusOf(group).aggregatedResources).toHaveLength(2)
    for (const entry of statusOf(group).aggregatedResources) {
      const member = await world.get({ group: entry['apiVersion']?.split('/')[0] ?? '', kind: entry['kind'] ?? '' }, entry['name'] ?? '')
      expect(member).toMatchObject({
        metadata: { labels, uid: entry['uid'] },
        spec: { aggregateRef: { name: group.metadata.name, uid: group.metadata.uid }, classRef: { name: 'private' } },
        status: { bindingPhase: 'Bound' },
      })
      expect(specOf(member)).not.toHaveProperty('claimRef')
      // B6: labels of the class are not copied.
      expect(member.metadata.labels).not.toHaveProperty(LABEL)
    }
  })

  test('A18, A19: external names come from the claim, with prefix and suffix of the class', async () => {
    const { group } = await boundAggregate('whole')
    const names = new Map<string, string | undefined>()
    for (const { apiVersion = '', kind = '', name = '' } of statusOf(group).aggregatedResources)
      names.set(
        kind,
        (await world.get({ group: apiVersion.split('/')[0] ?? '', kind }, name)).metadata.annotations?.['crossplane.io/external-name'],
      )
    expect(Object.fromEntries(names)).toEqual({ ResourceGroup: 'mine', SQLServer: 'a-mine-z' })
  })

  test('A20, A21, A29: the secret of the aggregate is the union with prefixes, and goes to the claim', async () => {
    const { claim: bound, group } = await boundAggregate('whole')
    const server = statusOf(group).aggregatedResources.find(({ kind }) => kind === 'SQLServer')?.['name'] ?? ''
    const union = { 'db-username': 'admin', 'db-endpoint': `${server}.example.org` }
    expect(await world.secret('crossplane-system', bound.metadata.uid ?? '')).toEqual(union)
    expect(await world.secret('default', 'whole')).toEqual(union)
    expect(await world.secret('crossplane-system', server)).toEqual({ username: 'admin', endpoint: `${server}.example.org` })
  })

  test('A20: a key that a member no longer publishes goes from the secrets of the aggregate and of the claim', async () => {
    const { claim: bound, group } = await boundAggregate('whole')
    const server = statusOf(group).aggregatedResources.find(({ kind }) => kind === 'SQLServer')?.['name'] ?? ''
    const publish = (password: string | null): Promise<unknown> =>
      world.client.patch(secretKind, { namespace: 'crossplane-system', name: server }, { type: 'merge', body: { data: { password } } })
    const uid = bound.metadata.uid ?? ''
    const keys = async (namespace: string, name: string): Promise<readonly string[]> =>
      Object.keys((await world.secret(namespace, name)) ?? {}).toSorted()
    const copies = async (): Promise<unknown> => [await keys('crossplane-system', uid), await keys('default', 'whole')]
    await publish(Buffer.from('old').toString('base64'))
    const more = ['db-endpoint', 'db-password', 'db-username']
    await eventually(async () => expect(await copies()).toEqual([more, more]))
    await publish(null)
    const fewer = ['db-endpoint', 'db-username']
    await eventually(async () => expect(await copies()).toEqual([fewer, fewer]))
  })

  test('A11c: a class that stands for nothing sensible makes nothing, not even the AggregateResource', async () => {
    const before = (await world.list(AGGREGATE)).length
    await world.apply(
      aggregateClass('useless'),
      classOf(RESOURCE_GROUP_CLASS, 'alone', { labels: { [LABEL]: 'useless' } }),
      claim('nothing', { classRef: refToAggregateClass('useless') }),
      { ...claim('bucket', { classRef: refToAggregateClass('private') }), apiVersion: 'storage.crossplane.io/v1alpha1', kind: 'Bucket' },
    )
    await world.idle()
    expect(await world.list(AGGREGATE)).toHaveLength(before)
    for (const kind of [CLAIM, BUCKET])
      expect(specOf(await world.get(kind, kind === CLAIM ? 'nothing' : 'bucket', 'default'))).not.toHaveProperty('resourceRef')
  })

  test('A11b, A12, A24: the default for claims that could be satisfied directly from one of its classes, and for no others', async () => {
    const annotations = { 'resourceclass.crossplane.io/is-default-class': 'true' }
    await world.apply(aggregateClass('useless', {}, { annotations }), claim('undecided'))
    await world.idle()
    expect(specOf(await world.get(CLAIM, 'undecided', 'default'))).not.toHaveProperty('classRef')
    await world.apply(aggregateClass('private', { reclaimPolicy: 'Delete' }, { annotations }))
    const { group } = await boundAggregate('undecided')
    expect(specOf(group)['classRef']).toMatchObject({ name: 'private' })
    await world.client.delete(AGGREGATE_CLASS, { name: 'useless' })
    await world.apply(aggregateClass('private', { writeConnectionSecretsToNamespace: 'crossplane-system', reclaimPolicy: 'Delete' }))
  })

  test('A14, X8: a class that comes later is aggregated too, once', async () => {
    await world.apply(
      aggregateClass('growing'),
      classOf(SERVER_CLASS, 'growing', { labels: { [LABEL]: 'growing' } }),
      claim('growing', { classRef: refToAggregateClass('growing') }),
    )
    const { group } = await boundAggregate('growing')
    expect(statusOf(group).aggregatedResources).toHaveLength(1)
    await world.apply(classOf(RESOURCE_GROUP_CLASS, 'late', { labels: { [LABEL]: 'growing' } }))
    const grown = await world.until(
      AGGREGATE,
      group.metadata.name ?? '',
      undefined,
      (object) => statusOf(object).aggregatedResources.length === 2 && ready(object),
    )
    await world.idle()
    expect(statusOf(grown).aggregatedResources.map(({ kind }) => kind)).toEqual(['SQLServer', 'ResourceGroup'])
  })

  test('A16 of claims: a member that belongs to an aggregate is refused', async () => {
    const { group } = await boundAggregate('whole')
    const server = statusOf(group).aggregatedResources.find(({ kind }) => kind === 'SQLServer')?.['name'] ?? ''
    await world.apply(claim('thief', { resourceRef: refTo(SERVER, server) }))
    await world.until(
      CLAIM,
      'thief',
      'default',
      (object) =>
        world.condition(object, 'Synced')?.message?.includes('belongs to AggregateResource.aggregation.crossplane.io of somebody else') ===
        true,
    )
    expect(specOf(await world.get(SERVER, server))).not.toHaveProperty('claimRef')
    await world.client.delete(CLAIM, { namespace: 'default', name: 'thief' })
    await world.gone(CLAIM, 'thief', 'default')
    expect(await world.find(SERVER, server)).toBeDefined()
  })

  test('A26, A27, A13, B42: a static aggregate binds its members when it is claimed, the oldest first', async () => {
    const labels = { team: 'a' }
    const group = (name: string): KubeObject => ({
      apiVersion: 'aggregation.crossplane.io/v1alpha1',
      kind: 'AggregateResource',
      metadata: { name },
      spec: { aggregationRule: { resourceSelector: { matchLabels: labels } } },
    })
    await world.apply(
      managed(SQL, 'a-sql', {}, { labels }),
      managed(RESOURCE_GROUP, 'a-group', {}, { labels }),
      group('static-a'),
      group('static-b'),
    )
    await world.idle()
    expect(specOf(await world.get(SQL, 'a-sql'))).not.toHaveProperty('aggregateRef')
    await world.apply(
      claim('takes-a', { resourceRef: { apiVersion: 'aggregation.crossplane.io/v1alpha1', kind: 'AggregateResource', name: 'static-a' } }),
    )
    await boundAggregate('takes-a')
    expect(specOf(await world.get(SQL, 'a-sql'))['aggregateRef']).toMatchObject({ name: 'static-a' })
    expect(specOf(await world.get(RESOURCE_GROUP, 'a-group'))['aggregateRef']).toMatchObject({ name: 'static-a' })
    // A11a: nothing is left for the other.
    await world.apply(
      claim('takes-b', { resourceRef: { apiVersion: 'aggregation.crossplane.io/v1alpha1', kind: 'AggregateResource', name: 'static-b' } }),
    )
    await world.until(
      CLAIM,
      'takes-b',
      'default',
      (object) => world.condition(object, 'Synced')?.message?.includes('nothing suitable') === true,
    )
    // One that comes later joins.
    await world.apply(managed(RESOURCE_GROUP, 'a-later', {}, { labels }))
    await world.until(RESOURCE_GROUP, 'a-later', undefined, (object) => specOf(object)['aggregateRef']?.['name'] === 'static-a')
  })

  test('A23: the aggregate goes with its claim, each member as its own policy says', async () => {
    const labels = { [LABEL]: 'mixed' }
    await world.apply(
      aggregateClass('mixed', { reclaimPolicy: 'Delete' }),
      classOf(SERVER_CLASS, 'goes', { labels }),
      classOf(RESOURCE_GROUP_CLASS, 'stays', { labels }, { reclaimPolicy: 'Retain' }),
      claim('mixed', { classRef: refToAggregateClass('mixed') }),
    )
    const { group } = await boundAggregate('mixed')
    const members = statusOf(group).aggregatedResources
    await world.client.delete(CLAIM, { namespace: 'default', name: 'mixed' })
    await world.gone(AGGREGATE, group.metadata.name ?? '')
    await world.gone(SERVER, members.find(({ kind }) => kind === 'SQLServer')?.['name'] ?? '')
    const kept = await world.get(RESOURCE_GROUP, members.find(({ kind }) => kind === 'ResourceGroup')?.['name'] ?? '')
    expect(kept).toMatchObject({ status: { bindingPhase: 'Released' } })
    expect(specOf(kept)).not.toHaveProperty('aggregateRef')
  })

  test('A23, F18: members follow their own policies when their aggregate is retained, as those of a composite do', async () => {
    const labels = { [LABEL]: 'kept' }
    await world.apply(
      aggregateClass('kept', { reclaimPolicy: 'Retain' }),
      classOf(SERVER_CLASS, 'kept', { labels }, { reclaimPolicy: 'Retain' }),
      classOf(RESOURCE_GROUP_CLASS, 'kept', { labels }),
      claim('kept', { classRef: refToAggregateClass('kept') }),
    )
    const { group } = await boundAggregate('kept')
    const nameOf = (wanted: string) => statusOf(group).aggregatedResources.find(({ kind }) => kind === wanted)?.['name'] ?? ''
    await world.client.delete(CLAIM, { namespace: 'default', name: 'kept' })
    await world.gone(CLAIM, 'kept', 'default')
    await world.gone(RESOURCE_GROUP, nameOf('ResourceGroup'))
    const released = await world.get(AGGREGATE, group.metadata.name ?? '')
    expect(specOf(released)).not.toHaveProperty('claimRef')
    expect(released).toMatchObject({
      status: { bindingPhase: 'Released', aggregatedResources: [{ kind: 'SQLServer', bindingPhase: 'Released' }] },
    })
    expect(await world.get(SERVER, nameOf('SQLServer'))).toMatchObject({
      spec: { aggregateRef: { name: group.metadata.name } },
      status: { bindingPhase: 'Released' },
    })
  })

  test('a member that somebody deleted is missed in words, and another of its name takes its place', async () => {
    const labels = { [LABEL]: 'bereft' }
    await world.apply(
      aggregateClass('bereft'),
      classOf(SERVER_CLASS, 'bereft', { labels }),
      classOf(RESOURCE_GROUP_CLASS, 'bereft', { labels }),
      claim('bereft', { classRef: refToAggregateClass('bereft') }),
    )
    const { group } = await boundAggregate('bereft')
    const name = statusOf(group).aggregatedResources.find(({ kind }) => kind === 'ResourceGroup')?.['name'] ?? ''
    await world.client.delete(RESOURCE_GROUP, { name })
    await world.until(
      CLAIM,
      'bereft',
      'default',
      (each) => world.condition(each, 'Ready')?.message?.includes(`ResourceGroup/${name}: was deleted`) === true,
    )
    await world.apply(managed(RESOURCE_GROUP, name))
    await world.until(CLAIM, 'bereft', 'default', (each) => world.condition(each, 'Ready')?.status === 'True')
    expect(specOf(await world.get(RESOURCE_GROUP, name))['aggregateRef']).toMatchObject({ name: group.metadata.name })
    await world.client.delete(CLAIM, { namespace: 'default', name: 'bereft' })
    await world.gone(AGGREGATE, group.metadata.name ?? '')
  })

  test('A13: an older aggregate does not keep from others what its own claim has no use for', async () => {
    const labels = { team: 'shared' }
    const shared = (name: string): KubeObject => ({
      apiVersion: 'aggregation.crossplane.io/v1alpha1',
      kind: 'AggregateResource',
      metadata: { name },
      spec: { aggregationRule: { resourceSelector: { matchLabels: labels } } },
    })
    const refToShared = (name: string) => ({ apiVersion: 'aggregation.crossplane.io/v1alpha1', kind: 'AggregateResource', name })
    // Claimed by something that no row lets have a server.
    const older = shared('older')
    await world.apply({
      ...older,
      spec: {
        ...(older['spec'] as object),
        claimRef: { apiVersion: 'storage.crossplane.io/v1alpha1', kind: 'Bucket', namespace: 'x', name: 'b' },
      },
    })
    await world.apply(
      shared('younger'),
      managed(SERVER, 'shared', {}, { labels }),
      claim('younger', { resourceRef: refToShared('younger') }),
    )
    await world.until(SERVER, 'shared', undefined, (object) => specOf(object)['aggregateRef']?.['name'] === 'younger')
  })

  test('A4, A11d: of a partial match only what has a row is made, and aggregates do not nest', async () => {
    const labels = { [LABEL]: 'partial' }
    await world.apply(
      aggregateClass('partial'),
      classOf(SQL_CLASS, 'partial', { labels }),
      { ...aggregateClass('nested'), metadata: { name: 'nested', labels } },
      claim('partial', { classRef: refToAggregateClass('partial') }),
    )
    const { group } = await boundAggregate('partial')
    expect(statusOf(group).aggregatedResources.map(({ kind }) => kind)).toEqual(['CloudSQLInstance'])
  })
})
