import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KubeObject } from '@weft/api'
import { type CustomResourceDefinition, customResourceDefinitionKind } from '@weft/client'
import { startTestServer, type TestServer, waitFor } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadProviderPackage } from './provider-package.ts'

const providers = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')
const packages = ['gcp', 'azure', 'aws'].map((cloud) => loadProviderPackage(join(providers, cloud)))
const definitions = packages.flatMap(({ managed, custom }) => [...managed, ...custom])

let test: TestServer
beforeAll(async () => {
  test = await startTestServer()
  for (const { name, object } of definitions) {
    const { connectionDetails: _, ...spec } = object['spec'] as Record<string, unknown>
    await test.client.create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec,
    } as unknown as CustomResourceDefinition)
  }
})
afterAll(() => test.close())

describe('an API server', () => {
  it.each(definitions.map(({ name }) => name))('establishes %s with a structural schema', async (name) => {
    const established = await waitFor(
      test.client,
      customResourceDefinitionKind,
      { name },
      (definition) => condition(definition, 'Established') === 'True',
    )
    expect(condition(established, 'NonStructuralSchema')).not.toBe('True')
  })

  it.each([
    [
      '000:182-204 GKECluster with an empty forProvider',
      'apiVersion: compute.gcp.crossplane.io/v1beta1\nkind: GKECluster\nmetadata: {name: a}\nspec:\n  forProvider:\n  aggregateRef: {apiVersion: aggregation.crossplane.io/v1alpha1, kind: AggregateResource, name: x, uid: y}\n  writeConnectionSecretsToRef: {namespace: crossplane-system, name: z}\n  reclaimPolicy: Delete',
    ],
    [
      '000:287-299 Subnetwork',
      'apiVersion: compute.gcp.crossplane.io/v1alpha3\nkind: Subnetwork\nmetadata: {name: coolsubnet}\nspec:\n  forProvider:\n    network: /projects/foo/global/networks/bar\n    networkRef: {name: foobar}\n    networkSelector: {matchAggregate: true, matchClassRef: {name: foo}}',
    ],
    [
      '000:433-447, B9 Subnet',
      'apiVersion: network.azure.crossplane.io/v1alpha3\nkind: Subnet\nmetadata: {name: private}\nspec:\n  resourceGroupName: {name: some-existing-group}\n  virtualNetworkName: {name: some-existing-network}\n  properties: {addressPrefix: 10.2.0.0/24, serviceEndpoints: [{service: Microsoft.Sql}]}\n  providerRef: {name: example}',
    ],
    [
      '000:481-492 ResourceGroupClass',
      'apiVersion: azure.crossplane.io/v1alpha3\nkind: ResourceGroupClass\nmetadata: {name: a}\nspecTemplate: {location: Central US, providerRef: {name: example}}',
    ],
    [
      '000:528-551, B8 class with spec',
      'apiVersion: database.azure.crossplane.io/v1alpha3\nkind: MySQLServerVirtualNetworkRuleClass\nmetadata: {name: a}\nspec:\n  serverNameSelector: {matchAggregate: true, matchClassRef: {name: x}}\n  properties: {virtualNetworkSubnetIdRef: {name: private}}',
    ],
    [
      '000:680-728, B5 SQLServer',
      'apiVersion: database.azure.crossplane.io/v1beta1\nkind: SQLServer\nmetadata: {name: a}\nspec:\n  forProvider:\n    administratorLogin: my-cool-login\n    resourceGroupNameSelector: {matchAggregate: true}\n    location: Central US\n    version: "5.6"\n    sku: {tier: GeneralPurpose, capacity: 2, family: Gen5}\n  writeConnectionSecretsToNamespace: crossplane-system',
    ],
    [
      '001:311-318, B13 ResourceGroup',
      'apiVersion: azure.crossplane.io/v1alpha3\nkind: ResourceGroup\nmetadata: {name: a}\nspec: {location: West US, forProvider: {location: East US}, providerRef: {name: example}, reclaimPolicy: Delete}',
    ],
    [
      '001:559-585, B14, B33 NodePool',
      'apiVersion: container.gcp.crossplane.io/v1alpha3\nkind: NodePool\nmetadata: {name: a, annotations: {crossplane.io/external-name-suffix: "-a"}}\nspec:\n  forProvider:\n    clusterSelector: {matchComposite: true}\n    autoscaling: {enabled: true, minNodeCount: 0, maxNodecount: 100}\n    config: {diskType: PD_SSD, machineType: n1-standard-8}\n    version: 1.16',
    ],
    [
      '001:201-235, B32 CloudSQLInstance',
      'apiVersion: database.gcp.crossplane.io/v1beta1\nkind: CloudSQLInstance\nmetadata: {name: a}\nspec:\n  forProvider: {region: us-west2, databaseVersion: MYSQL_5_6, dataDiskSizeGb: 10, settings: {tier: db-n1-standard-1, ipConfiguration: {ipv4Enabled: true}}}\n  writeConnectionSecretToRef: {namespace: crossplane-system}',
    ],
    [
      '002:436-449, B41 rule',
      'apiVersion: database.azure.crossplane.io/v1alpha3\nkind: MySQLServerVirtualNetworkRule\nmetadata: {name: a}\nspec: {name: my-cool-vnet-rule, serverNameSelector: {matchComposite: true}, properties: {virtualNetworkSubnetIdRef: {name: sample-subnet}}}',
    ],
    [
      '003:184-196 class',
      'apiVersion: cache.gcp.crossplane.io/v1alpha2\nkind: CloudMemorystoreInstanceClass\nmetadata: {name: gcp-dev}\nspecTemplate: {tier: STANDARD_HA, region: us-west2, memorySizeGb: 1, redisVersion: REDIS_3_2}',
    ],
    [
      '003:198-212 class',
      'apiVersion: cache.azure.crossplane.io/v1alpha2\nkind: RedisClass\nmetadata: {name: azure-dev}\nspecTemplate: {resourceGroupName: group-westus-1, location: West US, sku: {name: Basic, family: C, capacity: 0}}',
    ],
    [
      '003:145 class version',
      'apiVersion: database.gcp.crossplane.io/v1alpha2\nkind: CloudSQLInstanceClass\nmetadata: {name: gitlab-experimental}\nspecTemplate: {forProvider: {databaseVersion: POSTGRES_9_6}}',
    ],
    [
      'Provider',
      'apiVersion: gcp.crossplane.io/v1beta1\nkind: Provider\nmetadata: {name: example}\nspec: {projectID: p, credentialsSecretRef: {namespace: crossplane-system, name: c, key: credentials}}',
    ],
  ])('keeps %s as it was applied', async (_, text) => {
    const given = parse(text) as KubeObject
    const stored = await test.client.create(given)
    const { apiVersion: _a, kind: _k, metadata: _m, ...fields } = given
    expect(stored).toMatchObject(fields)
  })

  it.each([
    [
      'F6: a required field',
      'apiVersion: database.gcp.crossplane.io/v1beta1\nkind: CloudSQLInstance\nmetadata: {name: x}\nspec: {forProvider: {region: us-west2}}',
      'databaseVersion',
    ],
    [
      'an unknown policy',
      'apiVersion: azure.crossplane.io/v1alpha3\nkind: ResourceGroup\nmetadata: {name: x}\nspec: {reclaimPolicy: Perhaps}',
      'reclaimPolicy',
    ],
    [
      'a Provider without credentials',
      'apiVersion: aws.crossplane.io/v1beta1\nkind: Provider\nmetadata: {name: x}\nspec: {}',
      'credentialsSecretRef',
    ],
  ])('refuses %s', async (_, text, field) => {
    await expect(test.client.create(parse(text) as KubeObject)).rejects.toMatchObject({
      code: 422,
      message: expect.stringContaining(field),
    })
  })
})

const condition = (definition: CustomResourceDefinition | undefined, type: string): string | undefined => {
  const status = definition?.['status'] as { conditions?: { type: string; status: string }[] } | undefined
  return status?.conditions?.find((candidate) => candidate.type === type)?.status
}
