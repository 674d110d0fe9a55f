import type { KubeObject } from '@weft/api'
import { type ManagedResource, openWorld, type World } from '@weft/provider-sdk'
import { silentLog } from '@weft/runtime'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKubernetesProvider } from './index.ts'
import { complaint, configMap, configMapsOf, kubeconfigSecret, NAMESPACE, object, providerConfig } from './objects.fixture.ts'
import { OWNER } from './object/owner-mark.ts'
import { type RemoteCluster, startRemoteCluster } from './remote-cluster.fixture.ts'

const NAMESPACED = 'kubernetes.m.crossplane.io/v1alpha1'
const OTHER_WAY = { providerConfigRef: { name: 'other-way' } }

let remote: RemoteCluster
const planes: { server: TestServer; world: World }[] = []

async function openPlane(): Promise<World> {
  const server = await startTestServer()
  const world = await openWorld({ client: server.client, provider: createKubernetesProvider(), dataDir: '/nonexistent', log: silentLog })
  planes.push({ server, world })
  await world.apply(kubeconfigSecret(remote.kubeconfig()))
  await world.apply(providerConfig())
  await world.apply(providerConfig('other-way'))
  return world
}

let world: World
beforeAll(async () => {
  remote = await startRemoteCluster()
  await remote.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  world = await openPlane()
  await world.apply({ ...providerConfig(), apiVersion: NAMESPACED, kind: 'ClusterProviderConfig' })
})
afterAll(async () => {
  for (const { server, world: each } of planes) {
    await each.stop()
    await server.close()
  }
  await remote.close()
})

const remove = async (...resources: readonly KubeObject[]): Promise<void> => {
  for (const resource of resources) await world.delete(resource)
  for (const resource of resources) await world.gone(resource)
}
const maps = () => configMapsOf(remote.client)
const namespaced = (name: string, manifest: object): ManagedResource => ({
  ...object(name, manifest, { providerConfigRef: { kind: 'ClusterProviderConfig', name: 'default' } }),
  apiVersion: NAMESPACED,
  metadata: { namespace: 'default', name },
})
const left = { deletionPolicy: 'Orphan' }
const adopting = (resource: ManagedResource): ManagedResource => ({
  ...resource,
  metadata: { ...resource.metadata, annotations: { 'weft.dev/adopt': 'true' } },
})

describe('an object on a cluster belongs to one Object', () => {
  it.each<[way: string, thief: (name: string) => ManagedResource]>([
    ['another ProviderConfig', (name) => object(`${name}-thief`, configMap({ a: '2' }, name), OTHER_WAY)],
    ['an Object in a namespace', (name) => namespaced(`${name}-thief`, configMap({ a: '2' }, name))],
  ])('however it is reached: %s', async (way, make) => {
    const name = way.replaceAll(' ', '-').toLowerCase()
    const owner = object(name, configMap({ a: '1' }, name))
    const thief = make(name)
    await world.apply(owner)
    await world.ready(owner)
    await world.apply(thief)
    expect(await complaint(world, thief)).toMatch(/managed by another resource of this control plane.*delete one of the two/)
    // Deleted, it leaves alone what is not its own.
    await remove(thief)
    expect(await maps().data(name)).toEqual({ a: '1' })
    expect((await world.find(owner))?.status?.atProvider).not.toHaveProperty(['manifest', 'metadata', 'annotations'])
    await remove(owner)
    expect(await maps().find(name)).toBeUndefined()
  })

  it('and one that was refused has it when the other is gone', async () => {
    const owner = object('heir-of', configMap({ a: '1' }, 'inherited'), left)
    const heir = object('heir', configMap({ a: '2' }, 'inherited'), OTHER_WAY)
    await world.apply(owner)
    await world.ready(owner)
    await world.apply(heir)
    await complaint(world, heir)
    await remove(owner)
    await world.condition(heir, 'Synced', 'True')
    expect(await maps().data('inherited')).toEqual({ a: '2' })
    await remove(heir)
  })

  it('who only looks is free to', async () => {
    const owner = object('looked-at', configMap({ a: '1' }))
    const onlooker = object('onlooker', configMap({}, 'looked-at'), { ...OTHER_WAY, managementPolicies: ['Observe'] })
    await world.apply(owner)
    await world.ready(owner)
    await world.apply(onlooker)
    expect((await world.ready(onlooker)).status?.atProvider).toMatchObject({ manifest: { data: { a: '1' } } })
    await remove(onlooker, owner)
  })

  it('what others made is taken over as ever, and so is a copy of what an Object has', async () => {
    const owner = object('original', configMap({ a: '1' }))
    await world.apply(owner)
    await world.ready(owner)
    const mark = (await maps().find('original'))?.metadata.annotations?.[OWNER] ?? ''
    expect(mark).toContain('original')
    await remote.client.create({ ...configMap({ theirs: '1' }, 'plain') })
    await remote.client.create({
      ...configMap({ theirs: '1' }, 'copy'),
      metadata: { namespace: NAMESPACE, name: 'copy', annotations: { [OWNER]: mark } },
    })
    for (const name of ['plain', 'copy']) {
      const resource = object(name, configMap({ a: '1' }))
      await world.apply(resource)
      await world.ready(resource)
      await world.eventually(async () => expect(await maps().data(name)).toEqual({ theirs: '1', a: '1' }))
      await remove(resource)
    }
    await remove(owner)
  })

  it('of several that want what exists at the same time, one gets it', async () => {
    await remote.client.create(configMap({ by: 'nobody' }, 'contested'))
    const rivals = ['default', 'other-way'].map((config) =>
      object(`rival-${config}`, configMap({ by: config }, 'contested'), { ...left, providerConfigRef: { name: config } }),
    )
    await Promise.all(rivals.map((rival) => world.apply(rival)))
    const synced = async (status: string): Promise<number> => {
      const all = await Promise.all(rivals.map((rival) => world.find(rival)))
      return all.filter((each) => each?.status?.conditions?.some((one) => one.type === 'Synced' && one.status === status)).length
    }
    await world.eventually(async () => expect([await synced('True'), await synced('False')]).toEqual([1, 1]))
    const { by } = (await maps().data('contested')) as { by: string }
    const winner = rivals.find(({ metadata }) => metadata.name === `rival-${by}`)
    expect((await world.find(winner as ManagedResource))?.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Synced', status: 'True' }),
    )
    await remove(...rivals)
  })

  it('also between control planes, until somebody who knows says otherwise', async () => {
    const elsewhere = await openPlane()
    const owner = object('moving', configMap({ from: 'here' }))
    await world.apply(owner)
    await world.ready(owner)
    const refused = object('moved', configMap({ from: 'elsewhere' }, 'moving'))
    await elsewhere.apply(refused)
    expect(await complaint(elsewhere, refused)).toMatch(/managed from another control plane.*weft.dev\/adopt/)
    await elsewhere.apply(adopting(refused))
    await elsewhere.condition(refused, 'Synced', 'True')
    // Whoever it was taken from does not take it back.
    expect(await complaint(world, owner)).toMatch(/managed from another control plane/)
    await remove(owner)
    expect(await maps().data('moving')).toEqual({ from: 'elsewhere' })
    await elsewhere.delete(refused)
    await elsewhere.gone(refused)
  })

  it('what is left behind belongs to nobody', async () => {
    const elsewhere = await openPlane()
    const owner = object('leaving', configMap({ a: '1' }), left)
    await world.apply(owner)
    await world.ready(owner)
    await remove(owner)
    expect((await maps().find('leaving'))?.metadata.annotations?.[OWNER]).toBeUndefined()
    const next = object('leaving', configMap({ a: '2' }))
    await elsewhere.apply(next)
    await elsewhere.condition(next, 'Synced', 'True')
    expect(await maps().data('leaving')).toEqual({ a: '2' })
  })
})
