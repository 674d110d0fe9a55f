import { silentLog } from '@weft/runtime'
import { patienceMs, startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { conformanceCases } from './conformance.ts'
import { FakeCloud, fakeProvider, fakeResource, isAsWanted } from './fake-cloud.fixture.ts'
import type { ConformanceSubject } from './subject.ts'
import { openWorld, type World } from './world.ts'

const cloud = new FakeCloud()

const secret = (token: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'default', name: 'fake-credentials' },
  data: { token: Buffer.from(token).toString('base64') },
})

const during = (fault: FakeCloud['fault']) => () => {
  cloud.fault = fault
  return Promise.resolve(() => {
    cloud.fault = 'none'
    return Promise.resolve()
  })
}

const subject: ConformanceSubject = {
  // A real server's garbage collector takes its time to remove the secret of a resource that is gone.
  timeoutMs: patienceMs(60_000),
  resource: (name) =>
    fakeResource('Thing', name, { size: 1 }, { writeConnectionSecretToRef: { namespace: 'conformance', name: `${name}-connection` } }),
  change: (resource) => ({ ...resource, spec: { ...resource.spec, forProvider: { size: 7 } } }),
  connectionKeys: ['endpoint', 'key'],
  lateInit: { resource: (name) => fakeResource('Thing', name, { size: 1 }), field: 'color' },
  references: (name) => [
    fakeResource('Net', `${name}-net`),
    fakeResource('Thing', `${name}-thing`, { networkRef: { name: `${name}-net` } }),
    fakeResource('Thing', `${name}-chooser`, { networkSelector: {} }),
  ],
  external: {
    count: (name) => Promise.resolve(cloud.things.has(name) ? 1 : 0),
    matches: (resource) => Promise.resolve(isAsWanted(cloud, resource)),
    drift: (name) => Promise.resolve(void cloud.things.set(name, { size: 99, color: 'drifted' })),
    make: ({ metadata }) => Promise.resolve(void cloud.things.set(metadata.name ?? '', { size: 1, color: 'made' })),
    remove: (name) => Promise.resolve(void cloud.things.delete(name)),
  },
  credentials: {
    missing: async ({ client }) =>
      void (await client.delete({ group: '', kind: 'Secret' }, { namespace: 'default', name: 'fake-credentials' })),
    wrong: async (world) => void (await world.apply(secret('nonsense'))),
    restore: async (world) => void (await world.apply(secret(cloud.token))),
    rotate: async (world) => {
      cloud.token = 'token-2'
      await world.apply(secret(cloud.token))
    },
  },
  faults: { down: during('down'), slow: during('slow'), throttling: during('throttling'), losingAnswers: during('losing answers') },
}

describe('conformance of a provider for a system in memory', () => {
  let server: TestServer
  let world: World
  beforeAll(async () => {
    server = await startTestServer()
    world = await openWorld({ client: server.client, provider: fakeProvider(cloud), dataDir: '/nonexistent', log: silentLog })
    await world.apply({
      apiVersion: 'fake.weft.dev/v1alpha1',
      kind: 'ProviderConfig',
      metadata: { name: 'default' },
      spec: { credentials: { source: 'Secret', secretRef: { namespace: 'default', name: 'fake-credentials', key: 'token' } } },
    })
    await world.apply(secret(cloud.token))
  })
  afterAll(async () => {
    await world.stop()
    await server.close()
  })

  it.each(conformanceCases(subject))('%s', (_name, run) => run(world, subject), patienceMs(60_000) * 2)
})
