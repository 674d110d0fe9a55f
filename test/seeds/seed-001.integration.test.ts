import type { KubeObject } from '@weft/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { example } from './seed-examples.ts'
import { claimKind, isReady, membersOf, missingPaths, saysUnsynced, type SeedWorld, specOf, startSeedWorld } from './seed-world.ts'

const MYSQL = { group: 'database.example.org', kind: 'MySQLInstance' }
const KUBERNETES = { group: 'compute.example.org', kind: 'KubernetesCluster' }
const COMPOSITE = { group: 'core.crossplane.io', kind: 'CompositeResource' }
const CLOUD_SQL = { group: 'database.gcp.crossplane.io', kind: 'CloudSQLInstance' }

/** B37: what the document refers to without defining it. */
const PRESUMED: readonly KubeObject[] = [
  {
    apiVersion: 'azure.crossplane.io/v1alpha3',
    kind: 'ResourceGroup',
    metadata: { name: 'some-existing-group' },
    spec: { location: 'West US' },
  },
  {
    apiVersion: 'network.azure.crossplane.io/v1alpha3',
    kind: 'Subnet',
    metadata: { name: 'sample-subnet' },
    spec: { resourceGroupNameRef: { name: 'some-existing-group' }, virtualNetworkName: 'vnet' },
  },
]

describe('001: flexible resource claims and composition', () => {
  let world: SeedWorld
  beforeEach(async () => {
    world = await startSeedWorld({
      kinds: [
        claimKind('database.example.org', 'MySQLInstance', 'mysqlinstances'),
        claimKind('compute.example.org', 'KubernetesCluster', 'kubernetesclusters'),
      ],
    })
  })
  afterEach(() => world.stop())

  test('001:160-258, F1, F2, F5, F7, F8, F9, F15, B32: a claim of one CloudSQLInstance', async () => {
    await world.apply(...example('001/160-258'))
    const claim = await world.ready(MYSQL, 'sql', 'default')
    const resource = await world.get(CLOUD_SQL, specOf(claim)['resourceRef']?.['name'] ?? '')
    expect(resource).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^default-sql-[a-z0-9]{5}$/),
        labels: { region: 'us-west2' },
        annotations: { 'crossplane.io/external-name': 'simple-database' },
      },
      spec: {
        forProvider: { databaseVersion: 'MYSQL_5_7', dataDiskSizeGb: 10, settings: { dataDiskSizeGb: 10 } },
        claimRef: { name: 'sql' },
        writeConnectionSecretToRef: { namespace: 'crossplane-system', name: claim.metadata.uid },
      },
      status: { bindingPhase: 'Bound' },
    })
    expect(await world.secret('default', 'sql')).toEqual(await world.secret('crossplane-system', claim.metadata.uid ?? ''))
    expect(world.clouds.has('CloudSQLInstance/simple-database')).toBe(true)
  })

  test('001:275-386, 398-503, F10 to F17, B12, B13, B15, B28: a claim of three resources', async () => {
    await world.apply(...PRESUMED, ...example('001/275-386'))
    const claim = await world.ready(MYSQL, 'sql', 'default')
    const group = await world.until(COMPOSITE, specOf(claim)['resourceRef']?.['name'] ?? '', undefined, isReady)
    expect(membersOf(group).map(({ kind, bindingPhase }) => ({ kind, bindingPhase }))).toEqual([
      { kind: 'ResourceGroup', bindingPhase: 'Bound' },
      { kind: 'MySQLServer', bindingPhase: 'Bound' },
      { kind: 'MySQLServerVirtualNetworkRule', bindingPhase: 'Bound' },
    ])
    const [resourceGroup, server, rule] = await Promise.all(
      membersOf(group).map(({ apiVersion, kind, name }) => world.get({ group: apiVersion.split('/')[0] ?? '', kind }, name)),
    )
    expect(specOf(resourceGroup as KubeObject)['forProvider']).toMatchObject({ location: 'West US' })
    expect(specOf(server as KubeObject)['forProvider']).toMatchObject({
      version: '5.7',
      storageMB: 10240,
      location: 'West US',
      resourceGroupNameRef: { name: resourceGroup?.metadata.name },
    })
    expect(specOf(server as KubeObject)['writeConnectionSecretToRef']).toEqual({
      namespace: 'crossplane-system',
      name: server?.metadata.name,
    })
    expect(specOf(rule as KubeObject)).toMatchObject({
      serverNameRef: { name: server?.metadata.name },
      resourceGroupNameRef: { name: resourceGroup?.metadata.name },
      properties: { virtualNetworkSubnetId: 'sample-subnet' },
    })
    // F12: bindable by the one kind it was made for. The shape is the document's.
    expect(group.metadata.annotations).toMatchObject({ 'mysqlinstance.database.example.org/v1alpha1': 'bindable' })
    expect(missingPaths(example('001/398-453')[0], group)).toEqual([])
    const shape = missingPaths(example('001/464-503')[0], server).filter((path) => !path.includes('writeConnectionSecretsToRef'))
    expect(shape).toEqual([])
    expect(await world.secret('default', 'sql')).toEqual(await world.secret('crossplane-system', server?.metadata.name ?? ''))
  })

  test('001:464-503, F13: a member is accepted as it stands, and not directly claimable', async () => {
    await world.apply(...example('001/464-503'))
    await world.apply({
      apiVersion: 'database.crossplane.io/v1alpha1',
      kind: 'MySQLInstance',
      metadata: { namespace: 'default', name: 'thief' },
      spec: { resourceRef: { apiVersion: 'database.azure.crossplane.io/v1beta1', kind: 'SQLServer', name: 'default-sql-3d093' } },
    })
    await world.until(
      { group: 'database.crossplane.io', kind: 'MySQLInstance' },
      'thief',
      'default',
      saysUnsynced('belongs to CompositeResource'),
    )
  })

  test('001:514-643, F5, F15, B12, B33: one cluster and three node pools', async () => {
    await world.apply(...example('001/514-643'))
    const claim = await world.ready(KUBERNETES, 'cluster', 'default')
    const group = await world.until(COMPOSITE, specOf(claim)['resourceRef']?.['name'] ?? '', undefined, isReady)
    expect(membersOf(group).map(({ kind }) => kind)).toEqual(['GKECluster', 'NodePool', 'NodePool', 'NodePool'])
    const [cluster, ...pools] = membersOf(group)
    for (const [i, suffix] of ['-a', '-b', '-highmem'].entries()) {
      const pool = await world.get({ group: 'container.gcp.crossplane.io', kind: 'NodePool' }, pools[i]?.name ?? '')
      expect(specOf(pool)['forProvider']).toMatchObject({ version: 1.16, clusterRef: { name: cluster?.name } })
      expect(world.clouds.has(`NodePool/${pool.metadata.name}${suffix}`)).toBe(true)
    }
  })

  test('001:663-687, 720-729, F16, F17: value, reference and selector', async () => {
    const subnet = (name: string, fragment: string): KubeObject => ({
      apiVersion: 'compute.gcp.crossplane.io/v1alpha3',
      kind: 'Subnetwork',
      metadata: { name },
      ...(example(fragment)[0] as object),
    })
    const composite = { apiVersion: 'core.crossplane.io/v1alpha1', kind: 'CompositeResource', name: 'c', uid: 'c-uid' }
    const network = (name: string, labels: Readonly<Record<string, string>>, compositeRef?: object): KubeObject => ({
      apiVersion: 'compute.gcp.crossplane.io/v1alpha3',
      kind: 'Network',
      metadata: { name, labels },
      spec: { ...(compositeRef && { compositeRef }) },
    })
    const selecting = subnet('by-selector', '001/720-729')
    await world.apply(
      network('desired-vpc-network', {}),
      network('right', { example: 'label' }, composite),
      network('unlabelled', {}, composite),
      network('stranger', { example: 'label' }),
      subnet('by-value', '001/663-665'),
      subnet('by-reference', '001/672-675'),
      { ...selecting, spec: { ...(selecting['spec'] as object), compositeRef: composite } },
    )
    const networkOf = (name: string, wanted: string): Promise<KubeObject> =>
      world.until(
        { group: 'compute.gcp.crossplane.io', kind: 'Subnetwork' },
        name,
        undefined,
        (object) => (specOf(object)['forProvider'] as unknown as Record<string, string>)['network'] === wanted,
      )
    await networkOf('by-value', '/projects/example/global/networks/desired-vpc-network')
    const resolved = await networkOf('by-reference', 'desired-vpc-network')
    expect(missingPaths(example('001/682-687')[0], resolved)).toEqual([])
    await networkOf('by-selector', 'right')
  })

  test('001:821-860, F20: a template engine is rejected, and the message says what to do', async () => {
    await expect(world.apply(...example('001/821-860'))).rejects.toThrow(/opaque templates are not supported: give a base and patches/)
  })
})
