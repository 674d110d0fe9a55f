import { readFileSync } from 'node:fs'
import { findCondition, getOwn, type KubeObject } from '@weft/api'
import { customResourceDefinitionKind, type Kind } from '@weft/client'
import {
  applyPatches,
  conditionsOf,
  contractErrors,
  controllerOf,
  findReferences,
  nextStep,
  parsePatches,
  parseTemplateSource,
} from '@weft/composition'
import { applicationDefinitionKind, compositionKind, infrastructureDefinitionKind, infrastructurePublicationKind } from '@weft/controllers'
import { eventually } from '@weft/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { changed, mayDoEverything, startDefinitionWorld } from './definition-world.ts'
import { EXAMPLES, example, exampleNames, examplesOf, hasDocuments } from './seed-examples.ts'
import { isReady, type SeedWorld } from './seed-world.ts'

const MYSQL: Kind = { group: 'database.example.org', kind: 'MySQLInstance' }
const REQUIREMENT: Kind = { group: 'database.example.org', kind: 'MySQLInstanceRequirement' }
const WORDPRESS: Kind = { group: 'apps.example.org', kind: 'Wordpress' }
const GROUP: Kind = { group: 'azure.crossplane.io', kind: 'ResourceGroup' }
const SERVER: Kind = { group: 'database.azure.crossplane.io', kind: 'MySQLServer' }
const RULE: Kind = { group: 'database.azure.crossplane.io', kind: 'MySQLServerVirtualNetworkRule' }
const NAME = 'mysqlinstances.database.example.org'
const APP = 'wordpresses.apps.example.org'

const one = (name: string): KubeObject => example(name)[0] as KubeObject
const established = (object: KubeObject): boolean => findCondition(conditionsOf(object), 'Established')?.status === 'True'
const message = (object: KubeObject, type = 'Synced'): string => findCondition(conditionsOf(object), type)?.message ?? ''
const machinery = (object: KubeObject): Record<string, { name: string }[]> =>
  ((object['spec'] as Record<string, unknown>)['infrastructure'] ?? (object['spec'] as Record<string, unknown>)['application']) as never
const names = (object: KubeObject): string[] => (machinery(object)['composedRefs'] ?? []).map(({ name }) => name)

/** B25: the definition forces a Composition that no example defines. */
const withoutForce = (definition: KubeObject): KubeObject =>
  changed(definition, (copy) => delete (copy['spec'] as Record<string, unknown>)['forceComposition'])
const SUBNET: KubeObject = {
  apiVersion: 'network.azure.crossplane.io/v1alpha3',
  kind: 'Subnet',
  metadata: { name: 'sample-subnet' },
  spec: {},
}

describe('examples of document 002', () => {
  let world: SeedWorld
  afterEach(() => world?.stop())
  const infrastructure = async (force = false): Promise<void> => {
    world = await startDefinitionWorld()
    const definition = one('002/602-666')
    await world.apply(SUBNET, mayDoEverything('crossplane-system', NAME), force ? definition : withoutForce(definition), one('002/351-449'))
    await world.until(infrastructureDefinitionKind, NAME, undefined, established)
  }

  test.runIf(hasDocuments())('they are what the document says', () => {
    const wanted = examplesOf('002')
    expect(exampleNames('002')).toEqual([...wanted.keys()].toSorted())
    for (const [name, text] of wanted) expect(readFileSync(`${EXAMPLES}${name}`, 'utf8'), name).toBe(text)
  })

  test('002:35-41: a Wordpress of apps.crossplane.io is background: there is no such kind', async () => {
    world = await startDefinitionWorld()
    await expect(world.apply(one('002/035-041'))).rejects.toThrow('no matches for kind "Wordpress"')
  })

  test('002:87-118, B26, X7: the claim, in the default namespace, gets its class by label; the version of the class stands', async () => {
    world = await startDefinitionWorld()
    await world.apply(...example('002/087-118'))
    const claim = await world.ready({ group: 'database.crossplane.io', kind: 'MySQLInstance' }, 'example-resource-claim', 'default')
    expect((claim['spec'] as { classRef: { name: string } }).classRef.name).toBe('example-resource-class')
    const [instance] = await world.list({ group: 'database.gcp.crossplane.io', kind: 'CloudSQLInstance' })
    expect(instance?.['spec']).toMatchObject({ forProvider: { databaseVersion: 'MYSQL_5_6' } })
  })

  test('002:351-449, C4: the Composition is stored; its spec cannot be changed, its labels can', async () => {
    world = await startDefinitionWorld()
    await world.apply(one('002/351-449'))
    const name = 'private-mysql-server'
    await expect(
      world.client.patch(compositionKind, { name }, { type: 'json', body: [{ op: 'remove', path: '/spec/to/2' }] }),
    ).rejects.toMatchObject({ code: 422 })
    await world.client.patch(compositionKind, { name }, { type: 'merge', body: { metadata: { labels: { tier: 'gold' } } } })
  })

  test('002:470-528, C8, C10, C11, B16, B17: the ApplicationDefinition makes a namespaced kind; another name is rejected', async () => {
    world = await startDefinitionWorld()
    await world.apply(one('002/470-528'))
    await world.until(applicationDefinitionKind, APP, undefined, established)
    const crd = await world.client.get(customResourceDefinitionKind, { name: APP })
    expect(crd.spec.scope).toBe('Namespaced')
    const spec = (
      crd.spec.versions[0] as unknown as {
        schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, { type: string }> } } } }
      }
    ).schema.openAPIV3Schema.properties.spec.properties
    expect(spec['storageSize']?.type).toBe('integer')
    expect(Object.keys(spec).toSorted()).toEqual(['administratorLogin', 'application', 'storageSize', 'storageType'])
    await expect(
      world.client.create(
        changed(one('002/470-528'), (copy) => ((copy['metadata'] as Record<string, unknown>)['name'] = 'wordpress.apps.example.org')),
      ),
    ).rejects.toMatchObject({ code: 422 })
  })

  test('002:602-666, C12, B16: the InfrastructureDefinition makes a cluster-scoped kind whose storageGB is an integer', async () => {
    await infrastructure(true)
    const crd = await world.client.get(customResourceDefinitionKind, { name: NAME })
    expect(crd.spec.scope).toBe('Cluster')
    expect(JSON.stringify(crd.spec.versions)).toContain('"storageGB":{"type":"integer"}')
  })

  test('002:674-736, B18, B25, C15: as it stands, the forced Composition is set and missed', async () => {
    await infrastructure(true)
    await world.apply(one('002/674-736'))
    const waiting = await world.until(
      MYSQL,
      'sql',
      undefined,
      (object) => message(object) === `cannot get Composition ${NAME}: it does not exist`,
    )
    expect(machinery(waiting)['compositionRef']).toEqual({ name: NAME })
    await world.apply(changed(one('002/351-449'), (copy) => ((copy['metadata'] as Record<string, unknown>)['name'] = NAME)))
    const ready = await world.ready(MYSQL, 'sql')
    expect(machinery(ready)['compositionRef']).toEqual({ name: NAME })
  })

  test('002:674-736, C5, C6, C16, C20, C40, C41: composed of three members under the names it lists, with exactly the promised details; deletion collects them', async () => {
    await infrastructure()
    await world.apply(one('002/674-736'))
    const ready = await world.ready(MYSQL, 'sql')
    expect(machinery(ready)['compositionRef']).toEqual({ name: 'private-mysql-server' })
    expect(names(ready)).toEqual(['sql-34jd2', 'sql-3i3d1', 'sql-2mdus'])
    const server = await world.get(SERVER, 'sql-3i3d1')
    expect(controllerOf(server)).toMatchObject({ kind: 'MySQLInstance', name: 'sql' })
    expect(server['spec']).toMatchObject({
      forProvider: {
        version: '5.7',
        storageMB: 10240,
        location: 'West US',
        resourceGroupName: 'sql-34jd2',
        resourceGroupNameRef: { name: 'sql-34jd2' },
      },
      writeConnectionSecretToRef: { namespace: 'crossplane-system', name: ready.metadata.uid },
    })
    const rule = await world.until(RULE, 'sql-2mdus', undefined, isReady)
    expect(rule['spec']).toMatchObject({
      serverName: 'sql-3i3d1',
      resourceGroupName: 'sql-34jd2',
      properties: { virtualNetworkSubnetId: 'sample-subnet' },
    })
    const secret = await world.secret('crossplane-system', 'sql')
    expect(Object.keys(secret ?? {}).toSorted()).toEqual(['endpoint', 'password', 'username'])
    await world.client.delete(MYSQL, { name: 'sql' })
    for (const kind of [GROUP, SERVER, RULE]) await eventually(async () => expect(await world.list(kind)).toEqual([]))
    await eventually(async () => expect(await world.secret('crossplane-system', 'sql')).toBeUndefined())
    expect([...world.clouds.keys()].filter((key) => !key.startsWith('Subnet/'))).toEqual([])
  })

  test('002:768-779, C26, C27: the publication makes the requirement; another name is rejected', async () => {
    await infrastructure()
    await world.apply(one('002/768-779'))
    await world.until(infrastructurePublicationKind, NAME, undefined, established)
    const crd = await world.client.get(customResourceDefinitionKind, { name: 'mysqlinstancerequirements.database.example.org' })
    expect(crd.spec).toMatchObject({ scope: 'Namespaced', names: { kind: 'MySQLInstanceRequirement' } })
    await expect(
      world.client.create(
        changed(one('002/768-779'), (copy) => ((copy['metadata'] as Record<string, unknown>)['name'] = 'others.database.example.org')),
      ),
    ).rejects.toMatchObject({ code: 422 })
  })

  test('002:787-833, C30, B18: as it stands it waits for default-sql-dd02m, and binds when that exists', async () => {
    await infrastructure()
    await world.apply(one('002/768-779'))
    await world.until(infrastructurePublicationKind, NAME, undefined, established)
    await world.apply(one('002/787-833'))
    const missing = 'MySQLInstance default-sql-dd02m does not exist'
    await world.until(REQUIREMENT, 'sql', 'default', (object) => message(object, 'Ready') === missing)
    const composite = changed(one('002/674-736'), (copy) => {
      ;(copy['metadata'] as Record<string, unknown>)['name'] = 'default-sql-dd02m'
      delete copy['spec']?.['infrastructure']?.['requirementRef']
    })
    await world.apply(composite)
    await world.ready(REQUIREMENT, 'sql', 'default')
    expect(await world.secret('default', 'sql')).toEqual(await world.secret('crossplane-system', 'sql'))
    await world.client.delete(REQUIREMENT, { name: 'sql', namespace: 'default' })
    const kept = await world.until(MYSQL, 'default-sql-dd02m', undefined, (object) => machinery(object)['requirementRef'] === undefined)
    expect(isReady(kept)).toBe(true)
  })

  test('002:787-833, C30, C31, C32: without resourceRef it is provisioned; an edit reaches the MySQLServer; deletion removes all', async () => {
    await infrastructure()
    await world.apply(one('002/768-779'))
    await world.until(infrastructurePublicationKind, NAME, undefined, established)
    await world.apply(changed(one('002/787-833'), (copy) => delete copy['spec']?.['infrastructure']?.['resourceRef']))
    const ready = await world.ready(REQUIREMENT, 'sql', 'default')
    const { name } = machinery(ready)['resourceRef'] as unknown as { name: string }
    expect(name).toMatch(/^default-sql-[a-z0-9]{5}$/)
    const composite = await world.get(MYSQL, name)
    expect(Object.keys((await world.secret('default', 'sql')) ?? {}).toSorted()).toEqual(['endpoint', 'password', 'username'])
    await world.client.patch(REQUIREMENT, { name: 'sql', namespace: 'default' }, { type: 'merge', body: { spec: { storageGB: 20 } } })
    await world.until(
      SERVER,
      names(composite)[1] ?? '',
      undefined,
      ({ spec }) => (spec as { forProvider: { storageMB: number } }).forProvider.storageMB === 20480,
    )
    await world.client.delete(REQUIREMENT, { name: 'sql', namespace: 'default' })
    for (const kind of [MYSQL, GROUP, SERVER, RULE]) await eventually(async () => expect(await world.list(kind)).toEqual([]))
  })

  test('002:536-580, B19, C11, C21, cross-seed 4: Wordpress → requirement → MySQLInstance → three primitives → secret in its namespace; deleting it removes everything', async () => {
    await infrastructure()
    await expect(world.apply(one('002/536-580'))).rejects.toThrow('no matches for kind "Wordpress" in version "example.org/v1alpha1"')
    await world.apply(one('002/768-779'), one('002/470-528'), mayDoEverything('crossplane-system', APP), KUBERNETES_APPLICATION)
    await world.until(infrastructurePublicationKind, NAME, undefined, established)
    await world.until(applicationDefinitionKind, APP, undefined, established)
    await world.apply(FORCED)
    await world.apply(
      changed(one('002/536-580'), (copy) => ((copy as Record<string, unknown>)['apiVersion'] = 'apps.example.org/v1alpha1')),
    )
    const ready = await world.ready(WORDPRESS, 'coolblog', 'default')
    expect(machinery(ready)['compositionRef']).toEqual({ name: APP })
    expect(names(ready)).toEqual(['coolblog-3jmdf', 'coolblog-3mdm2'])
    const requirement = await world.get(REQUIREMENT, 'coolblog-3jmdf', 'default')
    expect(controllerOf(requirement)).toMatchObject({ kind: 'Wordpress', name: 'coolblog' })
    expect(getOwn(requirement['spec'] as object, 'storageGB')).toBe(2)
    expect(Object.keys((await world.secret('default', 'coolblog-database')) ?? {}).toSorted()).toEqual(['endpoint', 'password', 'username'])
    await world.client.delete(WORDPRESS, { name: 'coolblog', namespace: 'default' })
    for (const kind of [REQUIREMENT, MYSQL, GROUP, SERVER, RULE]) await eventually(async () => expect(await world.list(kind)).toEqual([]))
    await eventually(async () => expect(await world.secret('default', 'coolblog-database')).toBeUndefined())
  })

  test('002:536-580, C11: a Composition with a cluster-scoped base is refused', async () => {
    world = await startDefinitionWorld()
    await world.apply(one('002/470-528'), mayDoEverything('crossplane-system', APP))
    await world.until(applicationDefinitionKind, APP, undefined, established)
    const cluster = changed(
      FORCED,
      (copy) =>
        ((copy['spec'] as Record<string, unknown>)['to'] = [
          { base: { apiVersion: 'azure.crossplane.io/v1alpha3', kind: 'ResourceGroup' } },
        ]),
    )
    await world.apply(cluster)
    await world.apply(
      changed(one('002/536-580'), (copy) => ((copy as Record<string, unknown>)['apiVersion'] = 'apps.example.org/v1alpha1')),
    )
    await world.until(WORDPRESS, 'coolblog', 'default', (object) => message(object).includes('is cluster scoped'))
    expect(await world.list(GROUP)).toEqual([])
  })
})

describe('fragments of document 002', () => {
  const patched = (name: string, composite: object): unknown => {
    const patches = parsePatches((one(name) as unknown as { patches: unknown }).patches)
    if (!patches.ok) throw new Error(JSON.stringify(patches.error))
    const result = applyPatches(patches.value, 'composed', { composite }, {})
    return result.ok ? result.value.object : result.error
  }
  test.each([
    { lines: '916-918', composite: { spec: { region: 'us-west' } }, expected: { spec: { forProvider: { location: 'us-west' } } } },
    { lines: '938-945', composite: { spec: { region: 'us-west' } }, expected: { spec: { forProvider: { location: 'West US' } } } },
    {
      lines: '956-962',
      composite: { spec: { storageGB: 10 } },
      expected: { spec: { forProvider: { storageProfile: { storageMB: 10240 } } } },
    },
    {
      lines: '969-975',
      composite: { metadata: { uid: 'some-uid' } },
      expected: { spec: { writeConnectionSecretToRef: { name: 'some-uid-postgresqlserver' } } },
    },
    {
      lines: '985-993',
      composite: { metadata: { annotations: { 'crossplane.io/external-name': 'example' } } },
      expected: { metadata: { annotations: { 'crossplane.io/external-name': 'example-a' } } },
    },
  ])('002:$lines, C5, C6, C43: patches as the document says', ({ lines, composite, expected }) =>
    expect(patched(`002/${lines}`, composite)).toEqual(expected),
  )

  test.each([
    { lines: '1004-1006', step: undefined, reason: 'a value is a value' },
    { lines: '1013-1016', step: 'get', reason: 'a reference is fetched' },
    { lines: '1023-1028', step: 'get', reason: 'a reference sets the value again' },
    { lines: '1060-1069', step: 'select', reason: 'a selector chooses the reference' },
  ])('002:$lines, C40, C41, C42: $reason', ({ lines, step }) => {
    const object: KubeObject = {
      ...one(`002/${lines}`),
      apiVersion: 'compute.gcp.crossplane.io/v1alpha3',
      kind: 'Subnetwork',
      metadata: { name: 'a' },
    }
    const [field] = findReferences(object, [{ field: 'network', kinds: [{ group: 'compute.gcp.crossplane.io', kind: 'Network' }] }])
    expect(field && nextStep(field).kind).toBe(step)
  })

  test.each([
    { lines: '1123-1136', reason: 'by one resource, admin-username under another name' },
    { lines: '1154-1172', reason: 'by two resources' },
  ])('002:1108-1115 and $lines, C7, C16: the contract is kept $reason', ({ lines }) => {
    const promised = (one('002/1108-1115')['spec'] as { connectionDetails: string[] }).connectionDetails
    const fragment = changed(one(`002/${lines}`), (copy) => {
      const spec = copy['spec'] as unknown as { from: unknown; to: { base: unknown; patches: unknown }[] }
      spec.from = { apiVersion: 'a/v1', kind: 'A' }
      for (const template of spec.to) Object.assign(template, { base: { apiVersion: 'b/v1', kind: 'B' }, patches: [] })
    })
    const source = parseTemplateSource({ ...fragment, metadata: { name: 'c' } })
    if (!source.ok) throw new Error(JSON.stringify(source.error))
    expect(contractErrors(promised, source.value.templates)).toEqual([])
    expect(contractErrors([...promised, 'port'], source.value.templates).map(({ type }) => type)).toEqual(['FieldValueRequired'])
  })
})

/** B25: what the ApplicationDefinition of the example forces; it composes what the example's Wordpress lists. */
const FORCED: KubeObject = {
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'Composition',
  metadata: { name: APP },
  spec: {
    from: { apiVersion: 'apps.example.org/v1alpha1', kind: 'Wordpress' },
    to: [
      {
        base: {
          apiVersion: 'database.example.org/v1alpha1',
          kind: 'MySQLInstanceRequirement',
          spec: {
            engineVersion: '5.7',
            region: 'us-west',
            infrastructure: {
              compositionSelector: { matchLabels: { connectivity: 'private' } },
              writeConnectionSecretToRef: { name: 'coolblog-database' },
            },
          },
        },
        patches: [{ fromFieldPath: 'spec.storageSize', toFieldPath: 'spec.storageGB' }],
      },
      { base: { apiVersion: 'workload.crossplane.io/v1alpha1', kind: 'KubernetesApplication', spec: { a: 'workload' } } },
    ],
  },
}

const KUBERNETES_APPLICATION: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'kubernetesapplications.workload.crossplane.io' },
  spec: {
    group: 'workload.crossplane.io',
    scope: 'Namespaced',
    names: { kind: 'KubernetesApplication', plural: 'kubernetesapplications' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
        },
      },
    ],
  },
}
