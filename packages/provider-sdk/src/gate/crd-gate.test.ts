import { createManager, silentLog } from '@weft/runtime'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeCloud, fakePackage, fakeProvider, fakeResource } from '../conformance/fake-cloud.fixture.ts'
import { definitionOf } from '../conformance/install.ts'
import { openWorld } from '../conformance/world.ts'
import { startProvider } from '../provider/start-provider.ts'
import { customResourceDefinitionKind } from '@weft/client'

describe('the CRD gate (M12)', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(() => server.close())

  it('a provider starts with its kinds missing, and starts a controller when one appears', async () => {
    const manager = createManager({ client: server.client, log: silentLog })
    const provider = await startProvider(fakeProvider(new FakeCloud()), { manager, dataDir: '/nonexistent' })
    manager.start()
    expect(manager.engine.wanted).toEqual([])
    const [things] = fakePackage.objects
    if (things === undefined) throw new Error('the package is empty')
    await server.client.create(definitionOf(things))
    await expect.poll(() => manager.engine.wanted).toEqual(['managed/thing.fake.weft.dev'])
    await provider.stop()
    expect(manager.engine.wanted).toEqual([])
    await manager.stop()
  })

  it('never stops a controller because its kind goes', async () => {
    const cloud = new FakeCloud()
    const world = await openWorld({ client: server.client, provider: fakeProvider(cloud), dataDir: '/nonexistent', log: silentLog })
    await world.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name: 'c' },
      stringData: { token: cloud.token },
    })
    const config = {
      apiVersion: 'fake.weft.dev/v1alpha1',
      kind: 'ProviderConfig',
      metadata: { name: 'default' },
      spec: { credentials: { secretRef: { namespace: 'default', name: 'c', key: 'token' } } },
    }
    await world.apply(config)
    await world.apply(fakeResource('Net', 'before'))
    await world.ready(fakeResource('Net', 'before'))
    await world.delete(fakeResource('Net', 'before'))
    await world.gone(fakeResource('Net', 'before'))
    await server.client.delete(customResourceDefinitionKind, { name: 'nets.fake.weft.dev' })
    await expect.poll(() => server.client.find(customResourceDefinitionKind, { name: 'nets.fake.weft.dev' })).toBeUndefined()
    expect(world.manager.engine.wanted).toContain('managed/net.fake.weft.dev')
    await world.stop()
  })
})
