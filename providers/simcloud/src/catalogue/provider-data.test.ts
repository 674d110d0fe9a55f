import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject } from '@weft/api'
import { describe, expect, it } from 'vitest'
import { readDataFiles } from './data-file.ts'
import { loadKinds } from './kinds.ts'
import { loadProviderPackage } from './provider-package.ts'

const providers = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')
const directories = ['gcp', 'azure', 'aws'].map((cloud) => join(providers, cloud))
const packages = directories.map(loadProviderPackage)
const kinds = loadKinds(directories)

const managed = packages.flatMap((p) => p.managed)
const custom = packages.flatMap((p) => p.custom)
const bindings = packages.flatMap((p) => p.bindings)
const references = packages.flatMap((p) => p.references)

describe('every YAML file of the provider packages', () => {
  it.each(
    directories
      .flatMap((directory) => readDataFiles(join(directory, 'package')))
      .map((node) => [node.file.slice(providers.length + 1), node] as const),
  )('%s has the mandatory fields', (_, node) => {
    expect(node.get('apiVersion').string()).toMatch(/^[a-z0-9.]+\/v[0-9a-z]+$/)
    expect(node.get('kind').string()).toMatch(/^[A-Z]/)
    expect(node.get('metadata').get('name').string()).toMatch(/^[a-z0-9.-]+$/)
    expect(isJsonObject(node.get('spec').value)).toBe(true)
  })

  it('004:148-154 is a package that activates its kinds late', () => {
    expect(packages.map(({ name, capabilities }) => ({ name, capabilities }))).toEqual(
      ['gcp', 'azure', 'aws'].map((cloud) => ({ name: `provider-${cloud}`, capabilities: ['late-mr-activation'] })),
    )
  })
})

describe('managed kinds', () => {
  it.each([
    ['compute.gcp.crossplane.io', 'v1beta1', 'GKECluster'],
    ['container.gcp.crossplane.io', 'v1beta1', 'GKECluster'],
    ['container.gcp.crossplane.io', 'v1alpha3', 'NodePool'],
    ['compute.gcp.crossplane.io', 'v1alpha3', 'Subnetwork'],
    ['compute.gcp.crossplane.io', 'v1alpha3', 'Network'],
    ['database.gcp.crossplane.io', 'v1beta1', 'CloudSQLInstance'],
    ['cache.gcp.crossplane.io', 'v1alpha2', 'CloudMemorystoreInstance'],
    ['azure.crossplane.io', 'v1alpha3', 'ResourceGroup'],
    ['database.azure.crossplane.io', 'v1beta1', 'SQLServer'],
    ['database.azure.crossplane.io', 'v1beta1', 'MySQLServer'],
    ['database.azure.crossplane.io', 'v1alpha3', 'MySQLServerVirtualNetworkRule'],
    ['network.azure.crossplane.io', 'v1alpha3', 'Subnet'],
    ['cache.azure.crossplane.io', 'v1alpha2', 'Redis'],
    ['database.aws.crossplane.io', 'v1beta1', 'RDSInstance'],
    ['compute.aws.crossplane.io', 'v1alpha3', 'EKSCluster'],
  ])('appendix A, B40: %s/%s %s', (group, version, kind) => {
    expect(managed.find((definition) => definition.group === group && definition.kind === kind)?.versions).toContain(version)
  })

  it.each(managed.map((definition) => [`${definition.kind}.${definition.group}`, definition] as const))(
    '%s is as a managed kind must be',
    (_, definition) => {
      expect(definition.scope).toBe('Cluster')
      const spec = definition.object['spec'] as unknown as { names: { categories: string[] }; versions: VersionShape[]; state?: string }
      expect(spec.state, 'M11: the package does not activate it').toBeUndefined()
      expect(spec.names.categories).toEqual(['crossplane', 'managed', expect.stringMatching(/^(gcp|azure|aws)$/)])
      for (const version of spec.versions) {
        expect(version.subresources).toEqual({ status: {} })
        expect(version.additionalPrinterColumns.map(({ name }) => name)).toEqual(['READY', 'SYNCED', 'EXTERNAL-NAME', 'AGE'])
        const { spec, status } = version.schema.openAPIV3Schema.properties
        expect(pruningObjects(spec), 'B14: unknown fields are kept at every depth').toEqual([])
        expect(pruningObjects(status)).toEqual([])
      }
    },
  )

  it.each(managed.map((definition) => [`${definition.kind}.${definition.group}`, definition] as const))(
    'M13: %s announces exactly the connection details that the cloud gives',
    (_, definition) => {
      const simulated = kinds.findManaged(definition.group, definition.kind)
      expect(simulated?.connection.map(({ name }) => name)).toEqual(definition.connectionDetails.map(({ name }) => name))
    },
  )

  it('every simulated kind stands behind a managed kind', () => {
    for (const { managed: names } of kinds.kinds)
      for (const { group, kind } of names)
        expect(
          managed.some((definition) => definition.group === group && definition.kind === kind),
          `${kind}.${group}`,
        ).toBe(true)
  })
})

describe('class kinds and bindings', () => {
  it.each([
    ['compute.gcp.crossplane.io', 'v1beta1', 'GKEClusterClass', 'GKECluster'],
    ['container.gcp.crossplane.io', 'v1alpha3', 'GKENodePoolClass', 'NodePool'],
    ['compute.gcp.crossplane.io', 'v1alpha3', 'SubnetworkClass', 'Subnetwork'],
    ['iam.gcp.crossplane.io', 'v1alpha1', 'ServiceAccountClass', 'ServiceAccount'],
    ['azure.crossplane.io', 'v1alpha3', 'ResourceGroupClass', 'ResourceGroup'],
    ['database.azure.crossplane.io', 'v1beta1', 'SQLServerClass', 'SQLServer'],
    ['database.azure.crossplane.io', 'v1alpha3', 'MySQLServerVirtualNetworkRuleClass', 'MySQLServerVirtualNetworkRule'],
    ['database.gcp.crossplane.io', 'v1alpha2', 'CloudSQLInstanceClass', 'CloudSQLInstance'],
    ['database.gcp.crossplane.io', 'v1beta1', 'CloudSQLInstanceClass', 'CloudSQLInstance'],
    ['database.aws.crossplane.io', 'v1beta1', 'RDSInstanceClass', 'RDSInstance'],
    ['cache.gcp.crossplane.io', 'v1alpha2', 'CloudMemorystoreInstanceClass', 'CloudMemorystoreInstance'],
    ['cache.azure.crossplane.io', 'v1alpha2', 'RedisClass', 'Redis'],
    ['compute.aws.crossplane.io', 'v1alpha3', 'EKSClusterClass', 'EKSCluster'],
  ])('appendix A: %s/%s %s makes a %s', (group, version, kind, managedKind) => {
    const definition = custom.find((candidate) => candidate.group === group && candidate.kind === kind)
    expect(definition?.versions).toContain(version)
    expect(definition?.scope, 'S2').toBe('Cluster')
    const rows = bindings.filter((row) => row.class.group === group && row.class.kind === kind)
    expect(new Set(rows.map((row) => row.managed.kind))).toEqual(new Set([managedKind]))
  })

  it.each(custom.filter(({ kind }) => kind.endsWith('Class')).map((definition) => [definition.name, definition] as const))(
    'B8: %s keeps specTemplate and spec, whatever is in them',
    (_, definition) => {
      for (const { schema } of (definition.object['spec'] as unknown as { versions: VersionShape[] }).versions)
        for (const key of ['specTemplate', 'spec'] as const) expect(pruningObjects(schema.openAPIV3Schema.properties[key]), key).toEqual([])
    },
  )

  const directFor = (kind: string): string[] =>
    bindings.filter((row) => row.claim.kind === kind && row.type === 'Direct').map((row) => row.class.kind)
  const supportingFor = (kind: string): string[] =>
    bindings.filter((row) => row.claim.kind === kind && row.type === 'Supporting').map((row) => row.class.kind)

  it('000:461: the aggregate of ResourceGroupClass, SQLServerClass and the rule class can be a default for MySQLInstance only', () => {
    const aggregated = new Set(['ResourceGroupClass', 'SQLServerClass', 'MySQLServerVirtualNetworkRuleClass'])
    const claims = new Set(bindings.filter((row) => row.type === 'Direct' && aggregated.has(row.class.kind)).map((row) => row.claim.kind))
    expect(claims).toEqual(new Set(['MySQLInstance']))
    expect(supportingFor('MySQLInstance')).toEqual(expect.arrayContaining(['ResourceGroupClass', 'MySQLServerVirtualNetworkRuleClass']))
  })

  it('A11d: a RedisCluster has a row for CloudMemorystoreInstanceClass and none for EKSClusterClass', () => {
    expect(directFor('RedisCluster')).toEqual(expect.arrayContaining(['CloudMemorystoreInstanceClass', 'RedisClass']))
    expect([...directFor('RedisCluster'), ...supportingFor('RedisCluster')]).not.toContain('EKSClusterClass')
  })

  it('000:214: a Bucket has no row for CloudSQLInstanceClass', () => {
    expect(directFor('Bucket')).toEqual(['BucketClass', 'S3BucketClass'])
  })

  it('003: a PostgreSQLInstance can be satisfied by several clouds', () => {
    expect(directFor('PostgreSQLInstance')).toEqual(expect.arrayContaining(['CloudSQLInstanceClass', 'RDSInstanceClass']))
  })

  it('B26: a class keeps its value against the claim', () => {
    const mappings = bindings.flatMap((row) => row.fieldMappings)
    expect(mappings.length).toBeGreaterThan(5)
    expect(new Set(mappings.map(({ conflict }) => conflict))).toEqual(new Set(['KeepClass']))
  })
})

describe('configuration kinds', () => {
  it.each(['gcp.crossplane.io', 'azure.crossplane.io', 'aws.crossplane.io'])(
    '%s has a cluster-scoped Provider and ProviderConfig',
    (group) => {
      for (const kind of ['Provider', 'ProviderConfig']) {
        const definition = custom.find((candidate) => candidate.group === group && candidate.kind === kind)
        expect(definition?.versions).toContain('v1beta1')
        expect(definition?.scope).toBe('Cluster')
      }
    },
  )
})

describe('reference fields', () => {
  it.each([
    ['network', 'Subnetwork', ['Network']],
    ['resourceGroupName', 'SQLServer', ['ResourceGroup']],
    ['resourceGroupName', 'MySQLServer', ['ResourceGroup']],
    ['resourceGroupName', 'MySQLServerVirtualNetworkRule', ['ResourceGroup']],
    ['resourceGroupName', 'Subnet', ['ResourceGroup']],
    ['serverName', 'MySQLServerVirtualNetworkRule', ['SQLServer', 'MySQLServer']],
    ['virtualNetworkSubnetId', 'MySQLServerVirtualNetworkRule', ['Subnet']],
    ['cluster', 'NodePool', ['GKECluster', 'GKECluster']],
  ])('appendix A, B10: %s of %s → %s', (field, from, targets) => {
    const found = references.find((reference) => reference.field === field && reference.from?.kind === from)
    expect(found?.targets.map(({ kind }) => kind)).toEqual(targets)
  })

  it.each(references.map((reference) => [reference.name, reference] as const))(
    '%s names what the cloud asks for as well',
    (_, { field, from, targets }) => {
      const simulated = kinds.findManaged(from?.group ?? '', from?.kind ?? '')
      const parent = simulated?.parents.find((rule) => rule.field === field || rule.field.endsWith(`.${field}`))
      for (const { group, kind } of targets) expect(parent?.kinds).toContain(kinds.findManaged(group, kind)?.kind)
    },
  )
})

interface SchemaShape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, SchemaShape>>
  readonly items?: SchemaShape
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
}

interface VersionShape {
  readonly subresources: object
  readonly additionalPrinterColumns: readonly { readonly name: string }[]
  readonly schema: { readonly openAPIV3Schema: { readonly properties: Readonly<Record<'spec' | 'status' | 'specTemplate', SchemaShape>> } }
}

/** Paths of the objects in a schema that would lose unknown fields. */
function pruningObjects(schema: SchemaShape, path = '.'): string[] {
  const here = schema.type === 'object' && schema['x-kubernetes-preserve-unknown-fields'] !== true ? [path] : []
  const below = Object.entries(schema.properties ?? {}).flatMap(([key, child]) => pruningObjects(child, `${path}${key}.`))
  return [...here, ...below, ...(schema.items ? pruningObjects(schema.items, `${path}[]`) : [])]
}
