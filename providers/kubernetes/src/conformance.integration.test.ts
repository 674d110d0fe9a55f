import { deepEqual } from '@weft/api'
import { conformanceCases, type ConformanceSubject, openWorld, SECRET_NAMESPACE, type World } from '@weft/provider-sdk'
import { silentLog } from '@weft/runtime'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createKubernetesProvider } from './index.ts'
import { configMap, configMapsOf, kubeconfigSecret, NAMESPACE, object, providerConfig } from './objects.fixture.ts'
import { type ClusterFault, type RemoteCluster, startRemoteCluster } from './remote-cluster.fixture.ts'

let server: TestServer
let remote: RemoteCluster
let world: World
const maps = () => configMapsOf(remote.client)

const during = (fault: ClusterFault): Promise<() => Promise<void>> => {
  remote.fault = fault
  return Promise.resolve(() => {
    remote.fault = 'none'
    return Promise.resolve()
  })
}

const subject: ConformanceSubject = {
  resource: (name) =>
    object(name, configMap({ colour: 'green' }), {
      writeConnectionSecretToRef: { namespace: SECRET_NAMESPACE, name },
      connectionDetails: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          namespace: NAMESPACE,
          name: 'facts',
          fieldPath: 'data.endpoint',
          toConnectionSecretKey: 'endpoint',
        },
      ],
    }),
  change: ({ metadata, spec }) => ({
    ...object(metadata.name ?? '', configMap({ colour: 'blue' })),
    spec: { ...spec, forProvider: { manifest: configMap({ colour: 'blue' }) as never } },
  }),
  connectionKeys: ['endpoint'],
  external: {
    count: async (name) => ((await maps().find(name)) === undefined ? 0 : 1),
    matches: async ({ metadata, spec }) => {
      const { manifest } = (spec as { forProvider: { manifest: { data: object } } }).forProvider
      return deepEqual(await maps().data(metadata.name ?? ''), manifest.data)
    },
    drift: async (name) => void (await maps().set(name, { colour: 'red' })),
    make: async ({ metadata }) => void (await remote.client.create(configMap({ colour: 'green' }, metadata.name))),
    remove: async (name) => void (await maps().remove(name)),
  },
  credentials: {
    missing: async ({ client }) => void (await client.delete({ group: '', kind: 'Secret' }, { namespace: 'default', name: 'kubeconfig' })),
    wrong: async (opened) => void (await opened.apply(kubeconfigSecret(remote.kubeconfig('another-token')))),
    restore: async (opened) => void (await opened.apply(kubeconfigSecret(remote.kubeconfig()))),
    rotate: async (opened) => {
      remote.token = `rotated-${remote.token}`
      await opened.apply(kubeconfigSecret(remote.kubeconfig()))
    },
  },
  faults: {
    down: () => during('down'),
    slow: () => during('slow'),
    throttling: () => during('throttling'),
    losingAnswers: () => during('losing answers'),
  },
}

describe('Objects on another cluster', () => {
  beforeAll(async () => {
    remote = await startRemoteCluster()
    await remote.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
    await remote.client.create(configMap({ endpoint: 'example.org' }, 'facts'))
    server = await startTestServer()
    world = await openWorld({ client: server.client, provider: createKubernetesProvider(), dataDir: '/nonexistent', log: silentLog })
    await world.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: SECRET_NAMESPACE } })
    await world.apply(kubeconfigSecret(remote.kubeconfig()))
    await world.apply(providerConfig())
  })
  afterAll(async () => {
    await world.stop()
    await server.close()
    await remote.close()
  })

  it.each(conformanceCases(subject))('%s', (_name, run) => run(world, subject), 120_000)
})
