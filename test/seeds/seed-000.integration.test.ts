import type { KubeObject } from '@weft/api'
import { eventually } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { example } from './seed-examples.ts'
import { isReady, membersOf, missingPaths, saysUnsynced, type SeedWorld, specOf, startSeedWorld } from './seed-world.ts'

const KUBERNETES_CLUSTER = { group: 'compute.crossplane.io', kind: 'KubernetesCluster' }
const MYSQL = { group: 'database.crossplane.io', kind: 'MySQLInstance' }
const REDIS = { group: 'cache.crossplane.io', kind: 'RedisCluster' }
const AGGREGATE = { group: 'aggregation.crossplane.io', kind: 'AggregateResource' }
const AGGREGATE_CLASS = { group: 'aggregation.crossplane.io', kind: 'AggregateResourceClass' }
const GKE = { group: 'compute.gcp.crossplane.io', kind: 'GKECluster' }
const SERVER = { group: 'database.azure.crossplane.io', kind: 'SQLServer' }
const RULE = { group: 'database.azure.crossplane.io', kind: 'MySQLServerVirtualNetworkRule' }
const RESOURCE_GROUP = { group: 'azure.crossplane.io', kind: 'ResourceGroup' }

/** What the document presumes without showing it: a group and a network for the subnet (B37). */
const PRESUMED: readonly KubeObject[] = [
  {
    apiVersion: 'azure.crossplane.io/v1alpha3',
    kind: 'ResourceGroup',
    metadata: { name: 'some-existing-group' },
    spec: { location: 'Central US' },
  },
  {
    apiVersion: 'network.azure.crossplane.io/v1alpha3',
    kind: 'VirtualNetwork',
    metadata: { name: 'some-existing-network' },
    spec: { resourceGroupNameRef: { name: 'some-existing-group' } },
  },
]
const EXPERIENCE = ['000/433-447', '000/455-551', '000/560-577']

describe('000: aggregate managed resources', () => {
  let world: SeedWorld
  beforeEach(async () => {
    world = await startSeedWorld()
  })
  afterEach(() => world.stop())

  test('000:98-107, A1, A2, A5: an AggregateResourceClass is stored as it stands, and makes nothing by itself', async () => {
    await world.apply(...example('000/098-107'))
    expect(await world.get(AGGREGATE_CLASS, 'cool-gke-cluster')).toMatchObject(example('000/098-107')[0] as object)
    await world.idle()
    expect(await world.list(AGGREGATE)).toEqual([])
  })

  test('000:111-135, A3, A26: a static AggregateResource binds nothing until it is claimed', async () => {
    await world.apply(...example('000/111-135'))
    const labels = {
      'resourceclaim.crossplane.io/namespace': 'default',
      'resourceclaim.crossplane.io/name': 'coolcluster',
      'resourceclaim.crossplane.io/uid': 'eabce854-0cd7-11ea-8d71-362b9e155667',
    }
    await world.apply({
      apiVersion: 'compute.gcp.crossplane.io/v1beta1',
      kind: 'GKECluster',
      metadata: { name: 'matching', labels },
      spec: {},
    })
    await world.ready(GKE, 'matching')
    await world.idle()
    expect(specOf(await world.get(GKE, 'matching'))).not.toHaveProperty('aggregateRef')
    expect(await world.get(AGGREGATE, 'default-coolcluster-g3bf7')).toMatchObject(example('000/111-135')[0] as object)
  })

  test('000:152-161, A6, A8, A11c: a claim of it makes nothing without a class, and a bound AggregateResource at once with one', async () => {
    await world.apply(...example('000/098-107'), ...example('000/152-161'))
    await world.idle()
    expect(await world.list(AGGREGATE)).toEqual([])
    await world.apply({
      apiVersion: 'compute.gcp.crossplane.io/v1beta1',
      kind: 'GKEClusterClass',
      metadata: { name: 'cool-gke-cluster', labels: { 'resourceclass.crossplane.io/aggregate-to': 'cool-gke-cluster' } },
      specTemplate: { forProvider: {}, writeConnectionSecretsToNamespace: 'crossplane-system', reclaimPolicy: 'Delete' },
    })
    const claim = await world.ready(KUBERNETES_CLUSTER, 'coolcluster', 'default')
    const group = await world.get(AGGREGATE, specOf(claim)['resourceRef']?.['name'] ?? '')
    expect(group.metadata.name).toMatch(/^default-coolcluster-[a-z0-9]{5}$/)
    expect(specOf(claim)['resourceRef']?.['uid']).toBe(group.metadata.uid)
    expect(group).toMatchObject({ status: { bindingPhase: 'Bound' } })
    expect(missingPaths(example('000/111-135')[0], group)).toEqual([])
    const [cluster, ...more] = await world.list(GKE)
    expect(more).toEqual([])
    // The shape of the document's own GKECluster, but for the label of the class (B6) and the plural (B4).
    const shape = missingPaths(example('000/182-204')[0], cluster).filter(
      (path) => !path.includes('aggregate-to') && !path.includes('writeConnectionSecretsToRef'),
    )
    expect(shape.filter((path) => path !== 'spec.forProvider')).toEqual([])
  })

  test('000:182-204, A9: a member is accepted as it stands, is not directly claimable, and its plural reference is honoured', async () => {
    await world.apply(...example('000/182-204'))
    await world.ready(GKE, 'default-coolcluster-ffm8f')
    expect(await world.secret('crossplane-system', '97efa0de-0cdd-11ea-8d71-362b9e155667')).toBeDefined()
    await world.apply({
      apiVersion: 'compute.crossplane.io/v1alpha1',
      kind: 'KubernetesCluster',
      metadata: { namespace: 'default', name: 'thief' },
      spec: { resourceRef: { apiVersion: 'compute.gcp.crossplane.io/v1beta1', kind: 'GKECluster', name: 'default-coolcluster-ffm8f' } },
    })
    await world.until(KUBERNETES_CLUSTER, 'thief', 'default', saysUnsynced('belongs to AggregateResource'))
  })

  test('000:287-299, A15, A16, A17: the reference decides, not the selector, and it decides about the value', async () => {
    await world.apply(
      {
        apiVersion: 'compute.gcp.crossplane.io/v1alpha3',
        kind: 'Network',
        metadata: { name: 'foobar', annotations: { 'crossplane.io/external-name': 'outside' } },
        spec: {},
      },
      ...example('000/287-299'),
    )
    const subnet = await world.until(
      { group: 'compute.gcp.crossplane.io', kind: 'Subnetwork' },
      'coolsubnet',
      undefined,
      (object) => (specOf(object)['forProvider'] as unknown as Record<string, string>)['network'] === 'outside',
    )
    expect(specOf(subnet)['forProvider']).toMatchObject({ networkRef: { name: 'foobar' } })
  })

  test('000:433-447, B9: the subnet is accepted and becomes ready', async () => {
    await world.apply(...PRESUMED, ...example('000/433-447'))
    await world.ready({ group: 'network.azure.crossplane.io', kind: 'Subnet' }, 'private')
  })

  const expectExperience = async (): Promise<void> => {
    const claim = await world.ready(MYSQL, 'sql', 'default')
    expect(specOf(claim)['classRef']).toMatchObject({ kind: 'AggregateResourceClass', name: 'private-mysql-server' })
    const group = await world.until(
      AGGREGATE,
      specOf(claim)['resourceRef']?.['name'] ?? '',
      undefined,
      (object) => isReady(object) && membersOf(object).length === 3,
    )
    expect(
      membersOf(group)
        .map(({ kind, bindingPhase }) => `${kind} ${bindingPhase}`)
        .toSorted(),
    ).toEqual(['MySQLServerVirtualNetworkRule Bound', 'ResourceGroup Bound', 'SQLServer Bound'])
    const [server, rule, resourceGroup] = await Promise.all(
      [SERVER, RULE, RESOURCE_GROUP].map(async (kind) => {
        const entry = membersOf(group).find((each) => each.kind === kind.kind)
        return world.get(kind, entry?.name ?? '')
      }),
    )
    for (const member of [server, rule, resourceGroup] as KubeObject[]) {
      expect(member.metadata.labels).toMatchObject({
        'resourceclaim.crossplane.io/namespace': 'default',
        'resourceclaim.crossplane.io/name': 'sql',
        'resourceclaim.crossplane.io/uid': claim.metadata.uid,
      })
      expect(member.metadata.annotations).toMatchObject({ 'crossplane.io/external-name': 'very-private-database' })
      expect(specOf(member)['aggregateRef']).toMatchObject({ name: group.metadata.name, uid: group.metadata.uid })
    }
    // B26: the class says 5.6. B27: values are external names.
    expect(specOf(server as KubeObject)['forProvider']).toMatchObject({
      version: '5.6',
      resourceGroupName: 'very-private-database',
      resourceGroupNameRef: { name: resourceGroup?.metadata.name },
    })
    expect(specOf(rule as KubeObject)).toMatchObject({
      serverName: 'very-private-database',
      serverNameRef: { name: server?.metadata.name },
      resourceGroupNameRef: { name: resourceGroup?.metadata.name },
      properties: { virtualNetworkSubnetId: 'private' },
    })
    expect(await world.secret('default', 'sql')).toEqual(await world.secret('crossplane-system', server?.metadata.name ?? ''))
    expect(Object.keys((await world.secret('default', 'sql')) ?? {})).toEqual(expect.arrayContaining(['username', 'password', 'endpoint']))
    expect([...world.clouds.keys()]).toEqual(
      expect.arrayContaining([
        'ResourceGroup/very-private-database',
        'SQLServer/very-private-database',
        'MySQLServerVirtualNetworkRule/very-private-database',
      ]),
    )
    // B7: the examples show three uids for one claim; all of them are the claim's.
    const uid = claim.metadata.uid ?? ''
    expect(specOf(group)).toMatchObject({
      aggregationRule: { resourceSelector: { matchLabels: { 'resourceclaim.crossplane.io/uid': uid } } },
      claimRef: { uid },
      writeConnectionSecretsToRef: { namespace: 'crossplane-system', name: uid },
    })
    expect(await world.secret('crossplane-system', uid)).toEqual(await world.secret('default', 'sql'))
    // 000:584-772 and 779-802 show the shape of all of this (modulo B4, B5, B27).
    const outputs = example('000/584-772')
    const ignored = /writeConnectionSecrets|aggregatedResources\[/
    for (const [output, actual] of [
      [outputs[0], group],
      [outputs[1], resourceGroup],
      [outputs[2], server],
      [outputs[3], rule],
      [example('000/779-802')[0], claim],
    ] as const)
      expect(
        missingPaths(output, actual).filter((path) => !ignored.test(path)),
        actual?.kind,
      ).toEqual([])
  }

  test('000:433-577, A18, A20, A24, B7: the whole user experience', async () => {
    await world.apply(...PRESUMED, ...EXPERIENCE.flatMap(example))
    await expectExperience()
  })

  test('000:455-551, A12: it is the default for MySQLInstance only', async () => {
    await world.apply(...example('000/455-551'), {
      apiVersion: 'cache.crossplane.io/v1alpha1',
      kind: 'RedisCluster',
      metadata: { namespace: 'default', name: 'cache' },
      spec: {},
    })
    await world.until(REDIS, 'cache', 'default', (object) => object['status'] !== undefined)
    await world.idle()
    expect(specOf(await world.get(REDIS, 'cache', 'default'))).not.toHaveProperty('classRef')
  })

  test('cross-seed 6, X8: in one shot and in reverse order it converges to the same', async () => {
    const all = [...PRESUMED, ...EXPERIENCE.flatMap(example)]
    await Promise.all(all.toReversed().map((object) => world.apply(object)))
    await expectExperience()
  })

  test('000:378-407, A20, A21: secrets are united, with prefixes where a class asks for them', async () => {
    const labels = { 'resourceclass.crossplane.io/aggregate-to': 'both' }
    await world.apply(
      {
        apiVersion: 'aggregation.crossplane.io/v1alpha1',
        kind: 'AggregateResourceClass',
        metadata: { name: 'both' },
        aggregationRule: { classSelector: { matchLabels: labels } },
        specTemplate: { writeConnectionSecretsToNamespace: 'crossplane-system' },
      },
      {
        apiVersion: 'database.azure.crossplane.io/v1beta1',
        kind: 'SQLServerClass',
        metadata: { name: 'a', labels, annotations: { 'aggregation.crossplane.io/connection-secret-prefix': 'a-' } },
        specTemplate: {
          forProvider: { administratorLogin: 'admin', location: 'West US', version: '5.7' },
          writeConnectionSecretsToNamespace: 'crossplane-system',
        },
      },
      {
        apiVersion: 'database.azure.crossplane.io/v1beta1',
        kind: 'SQLServerClass',
        metadata: { name: 'b', labels },
        specTemplate: {
          forProvider: { administratorLogin: 'admin', location: 'West US', version: '5.7' },
          writeConnectionSecretsToNamespace: 'crossplane-system',
        },
      },
      {
        apiVersion: 'database.crossplane.io/v1alpha1',
        kind: 'MySQLInstance',
        metadata: { namespace: 'default', name: 'both' },
        spec: {
          classRef: { apiVersion: 'aggregation.crossplane.io/v1alpha1', kind: 'AggregateResourceClass', name: 'both' },
          writeConnectionSecretToRef: { name: 'both' },
        },
      },
    )
    await world.ready(MYSQL, 'both', 'default')
    // A class that the controllers learn of late adds its member, and the member its keys, when it is known.
    await eventually(async () => {
      const keys = Object.keys((await world.secret('default', 'both')) ?? {})
      expect(keys).toEqual(expect.arrayContaining(['username', 'password', 'a-username', 'a-password']))
    })
  })
})
