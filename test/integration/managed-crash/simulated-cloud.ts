import { join } from 'node:path'
import type { JsonObject, KubeObject } from '@weft/api'
import { SimCloudAdmin, SimCloudClient, startSimulatorProcess } from '@weft/provider-simcloud'
import type { Site } from './site.ts'

const ACCOUNT = 'crash-test'
const TOKEN = 'a-token-of-the-crash-test'
/** Long enough to be killed in the middle of. */
const DELAY_MS = 60

const KINDS: Readonly<Record<string, string>> = { CloudSQLInstance: 'cloudsqlinstances', Network: 'networks', Subnetwork: 'subnetworks' }

const managed = (apiVersion: string, kind: string, name: string, forProvider: JsonObject, spec: JsonObject = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name },
  spec: { providerRef: { name: 'cloud' }, deletionPolicy: 'Delete', forProvider, ...spec },
})

const sqlInstance = (i: number): readonly KubeObject[] => [
  managed(
    'database.gcp.crossplane.io/v1beta1',
    'CloudSQLInstance',
    `sql-${i}`,
    { databaseVersion: 'MYSQL_5_7', region: 'us-west2', settings: { tier: 'db-n1-standard-1', dataDiskSizeGb: 20 } },
    { writeConnectionSecretToRef: { namespace: 'default', name: `sql-${i}` } },
  ),
]

const network = (i: number): readonly KubeObject[] => [
  managed('compute.gcp.crossplane.io/v1alpha3', 'Network', `network-${i}`, {}),
  managed('compute.gcp.crossplane.io/v1alpha3', 'Subnetwork', `subnetwork-${i}`, {
    region: 'us-west2',
    ipCidrRange: '10.0.0.0/16',
    networkRef: { name: `network-${i}` },
  }),
]

/** The simulator in a process of its own, which nobody kills. */
export async function openSimulatedCloud(folder: string, { instances, networks }: { instances: number; networks: number }): Promise<Site> {
  const simulator = await startSimulatorProcess({ stateFile: join(folder, 'cloud-state'), delayMs: DELAY_MS })
  const admin = new SimCloudAdmin({ endpoint: simulator.url, token: simulator.adminToken })
  await admin.putAccount('gcp', ACCOUNT, { tokens: [{ token: TOKEN, role: 'editor' }] })
  const cloud = new SimCloudClient({ endpoint: simulator.url, token: TOKEN, cloud: 'gcp', account: ACCOUNT })
  const credentials = JSON.stringify({ endpoint: simulator.url, token: TOKEN, account: ACCOUNT })
  return {
    name: 'simulated cloud',
    objects: [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'default', name: 'cloud' },
        data: { credentials: Buffer.from(credentials).toString('base64') },
      },
      {
        apiVersion: 'gcp.crossplane.io/v1beta1',
        kind: 'Provider',
        metadata: { name: 'cloud' },
        spec: { projectID: ACCOUNT, credentialsSecretRef: { namespace: 'default', name: 'cloud', key: 'credentials' } },
      },
    ],
    groups: [...Array.from({ length: instances }, (_, i) => sqlInstance(i)), ...Array.from({ length: networks }, (_, i) => network(i))],
    inventory: async () => (await admin.resources({ cloud: 'gcp' })).items.map(({ kind, name }) => `${kind}/${name}`).sort(),
    nameOf: ({ kind, metadata }) => `${KINDS[kind] ?? kind}/${metadata.name ?? ''}`,
    async problemOf(resource, secret) {
      const kind = KINDS[resource.kind] ?? ''
      const name = resource.metadata.name ?? ''
      const found = await cloud.get(kind, name)
      const known = (resource['status'] as { atProvider?: { id?: string } }).atProvider?.id
      if (found.state !== 'RUNNING') return `is ${found.state}`
      if (known !== found.id) return `is ${found.id}, and the control plane knows ${known ?? 'none'}`
      if (resource.kind !== 'CloudSQLInstance') return undefined
      const { password } = await cloud.connection(kind, name)
      return password !== undefined && password === secret['password'] ? undefined : 'has another password than the connection secret'
    },
    close: () => simulator.stop(),
  }
}
