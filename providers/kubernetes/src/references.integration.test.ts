import { type KubeObject, withMeta } from '@weft/api'
import { openWorld, type ManagedResource, type World } from '@weft/provider-sdk'
import { silentLog } from '@weft/runtime'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKubernetesProvider } from './index.ts'
import { complaint, configMap, configMapsOf, GROUP, kubeconfigSecret, NAMESPACE, object, providerConfig } from './objects.fixture.ts'
import { type RemoteCluster, startRemoteCluster } from './remote-cluster.fixture.ts'

let server: TestServer
let remote: RemoteCluster
let world: World

const RBAC = 'rbac.authorization.k8s.io'
const TENANT = 'tenant'
const remove = async (...resources: readonly KubeObject[]): Promise<void> => {
  for (const resource of resources) await world.delete(resource)
  for (const resource of resources) await world.gone(resource)
}
const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))
const tenants = (name: string, manifest: object, spec: object = {}): ManagedResource => ({
  ...object(name, manifest, spec),
  apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
  metadata: { name, namespace: TENANT },
})
/** Lets a service account named provider-kubernetes work with ConfigMaps and Secrets of a namespace. */
async function grant(account: string, namespace: string, more: readonly string[] = []): Promise<void> {
  const metadata = { namespace, name: `of-${account}` }
  const rules = [{ apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['get', 'patch', 'create', 'delete', ...more] }]
  await world.apply({ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules })
  await world.apply({
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: RBAC, kind: 'Role', name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', namespace: account, name: 'provider-kubernetes' }],
  })
}

beforeAll(async () => {
  remote = await startRemoteCluster()
  await remote.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  server = await startTestServer()
  world = await openWorld({ client: server.client, provider: createKubernetesProvider(), dataDir: '/nonexistent', log: silentLog })
  await world.apply(kubeconfigSecret(remote.kubeconfig()))
  await world.apply(providerConfig())
  for (const name of [NAMESPACE, TENANT]) await world.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await world.apply({ ...providerConfig(), apiVersion: 'kubernetes.m.crossplane.io/v1alpha1', kind: 'ClusterProviderConfig' })
})
afterAll(async () => {
  await world.stop()
  await server.close()
  await remote.close()
})

describe('references', () => {
  it('what is depended upon comes first and goes last', async () => {
    const base = object('base', configMap({ a: '1' }))
    const user = object('user', configMap({ b: '2' }), {
      references: [
        { dependsOn: { name: 'base' } },
        { patchesFrom: { name: 'base', fieldPath: 'status.atProvider.manifest.data.a' }, toFieldPath: 'data.fromBase' },
      ],
    })
    await world.apply(user)
    expect(await complaint(world, user)).toMatch(/spec\.references\[0\]: there is no Object\S* base yet/)
    await world.apply(base)
    await world.ready(user)
    expect(await configMapsOf(remote.client).data('user')).toEqual({ b: '2', fromBase: '1' })
    // What came from elsewhere is not written into the spec.
    expect(JSON.stringify((await world.find(user))?.spec)).not.toContain('"fromBase":')
    await world.delete(base)
    await world.condition(base, 'Ready', 'False')
    await pause(400)
    expect(await configMapsOf(remote.client).find('base')).toBeDefined()
    await remove(user)
    await world.gone(base)
    expect(await configMapsOf(remote.client).find('base')).toBeUndefined()
  })

  it('lets go of what it no longer refers to', async () => {
    const [one, two] = ['one', 'two'].map((name) => object(name, configMap({})))
    const user = object('fickle', configMap({}), { references: [{ dependsOn: { name: 'one' } }] })
    for (const each of [one, two, user]) await world.apply(each as ManagedResource)
    await world.ready(user)
    const holders = async (name: string) =>
      (await world.find(object(name, {})))?.metadata.finalizers?.filter((each) => each.includes('referred-by')).length
    expect(await holders('one')).toBe(1)
    await world.edit(user, (current) => ({ ...current, spec: { ...current.spec, references: [{ dependsOn: { name: 'two' } }] } }))
    await world.eventually(async () => expect([await holders('one'), await holders('two')]).toEqual([0, 1]))
    await remove(one as ManagedResource)
    await remove(user, two as ManagedResource)
  })

  it('follows the value that it takes, and takes nothing that it may not read', async () => {
    await world.apply({ ...configMap({ colour: 'green' }, 'palette') })
    const user = object('painter', configMap({}), {
      references: [
        { patchesFrom: { apiVersion: 'v1', kind: 'ConfigMap', namespace: NAMESPACE, name: 'palette', fieldPath: 'data.colour' } },
      ],
    })
    await world.apply(user)
    expect(await complaint(world, user)).toMatch(
      /service account crossplane-system\/provider-kubernetes may not get a ConfigMap in namespace apps: grant/,
    )
    await grant('crossplane-system', NAMESPACE)
    await world.ready(user)
    expect(await configMapsOf(remote.client).data('painter')).toEqual({ colour: 'green' })
    await configMapsOf(server.client).set('palette', { colour: 'red' })
    await world.eventually(async () => expect(await configMapsOf(remote.client).data('painter')).toEqual({ colour: 'red' }))
    await configMapsOf(server.client).remove('palette')
    await pause(200)
    expect(await configMapsOf(server.client).find('palette')).toBeDefined()
    await remove(user)
    await world.eventually(async () => expect(await configMapsOf(server.client).find('palette')).toBeUndefined())
  })

  it('shows nothing of what comes from a Secret', async () => {
    await grant('crossplane-system', NAMESPACE)
    await world.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: NAMESPACE, name: 'vault' },
      stringData: { key: 'hidden-value' },
    })
    const encoded = Buffer.from('hidden-value').toString('base64')
    const user = object('leak', configMap({}), {
      references: [{ patchesFrom: { apiVersion: 'v1', kind: 'Secret', namespace: NAMESPACE, name: 'vault', fieldPath: 'data.key' } }],
    })
    await world.apply(user)
    const ready = await world.ready(user)
    expect(await configMapsOf(remote.client).data('leak')).toEqual({ key: encoded })
    expect(JSON.stringify([ready, await world.events(user)])).not.toContain(encoded)
    await remove(user)
  })

  it.each([
    ['metadata.name', /decides which object this is/],
    ['kind', /decides which object this is/],
    ['data[', /toFieldPath/],
  ])('refuses to write %s', async (toFieldPath, message) => {
    const user = object('odd', configMap({}), { references: [{ patchesFrom: { name: 'x', fieldPath: 'metadata.name' }, toFieldPath }] })
    await world.apply(user)
    expect(await complaint(world, user)).toMatch(message)
    await remove(user)
  })
})

describe('in a namespace', () => {
  it('an Object works as those of the whole control plane do', async () => {
    const resource = tenants('mine', configMap({ a: 'b' }, 'of-a-tenant'), { writeConnectionSecretToRef: { name: 'mine' } })
    await world.apply(resource)
    const ready = await world.ready(resource)
    expect(ready.spec).toMatchObject({ providerConfigRef: { kind: 'ClusterProviderConfig', name: 'default' }, deletionPolicy: 'Delete' })
    expect(await configMapsOf(remote.client).data('of-a-tenant')).toEqual({ a: 'b' })
    await remove(resource)
    expect(await configMapsOf(remote.client).find('of-a-tenant')).toBeUndefined()
  })

  it('nothing of another namespace can be reached: no object, no secret, no account', async () => {
    const own = { kind: 'ProviderConfig', name: 'own' }
    await world.apply({
      apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
      kind: 'ProviderConfig',
      metadata: { namespace: TENANT, name: 'stolen' },
      spec: { credentials: { source: 'Secret', secretRef: { namespace: 'default', name: 'kubeconfig', key: 'kubeconfig' } } },
    })
    await world.apply({
      apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
      kind: 'ProviderConfig',
      metadata: { namespace: TENANT, name: 'own' },
      spec: { credentials: { source: 'InjectedIdentity' } },
    })
    await grant('crossplane-system', NAMESPACE)
    const refers = {
      references: [
        { patchesFrom: { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 'kubeconfig', fieldPath: 'data.kubeconfig' } },
      ],
    }
    const cases: readonly (readonly [ManagedResource, RegExp])[] = [
      [tenants('refers', configMap({}), refers), /can refer to nothing in namespace default/],
      [
        tenants('steals', configMap({}), { providerConfigRef: { kind: 'ProviderConfig', name: 'stolen' } }),
        /secrets of its own namespace only/,
      ],
      // The account of its own namespace, not the one that was granted something.
      [tenants('acts', configMap({}), { providerConfigRef: own }), /system:serviceaccount:tenant:provider-kubernetes/],
    ]
    for (const [resource, message] of cases) {
      await world.apply(resource)
      expect(await complaint(world, resource)).toMatch(message)
    }
    await grant(TENANT, TENANT)
    const local = tenants('local', { ...configMap({ a: 'b' }), metadata: { namespace: TENANT } }, { providerConfigRef: own })
    await world.apply(local)
    await world.ready(local)
    await remove(local, ...cases.map(([resource]) => resource))
  })
})

describe('watching', () => {
  /** A world that looks at nothing unless it is told of a change. */
  const openSlowWorld = (): Promise<World> =>
    openWorld({
      client: server.client,
      provider: createKubernetesProvider(),
      dataDir: '/nonexistent',
      log: silentLog,
      tune: { pollIntervalMs: 3_600_000, notReadyIntervalMs: 3_600_000 },
    })

  it('hears of changes to what an Object refers to: to other Objects, and to what its account may watch', async () => {
    await grant('crossplane-system', NAMESPACE, ['list', 'watch'])
    await world.stop()
    const slow = await openSlowWorld()
    try {
      await slow.apply(configMap({ colour: 'green' }, 'tint'))
      const base = object('shade', configMap({ shade: 'light' }))
      const user = object('follower', configMap({}), {
        watch: true,
        references: [
          { patchesFrom: { apiVersion: 'v1', kind: 'ConfigMap', namespace: NAMESPACE, name: 'tint', fieldPath: 'data.colour' } },
          { patchesFrom: { name: 'shade', fieldPath: 'status.atProvider.manifest.data.shade' }, toFieldPath: 'data.shade' },
        ],
      })
      for (const each of [base, user]) await slow.apply(each)
      await slow.ready(user)
      const data = (): Promise<unknown> => configMapsOf(remote.client).data('follower')
      expect(await data()).toEqual({ colour: 'green', shade: 'light' })
      await configMapsOf(server.client).set('tint', { colour: 'red' })
      await slow.eventually(async () => expect(await data()).toEqual({ colour: 'red', shade: 'light' }))
      await slow.apply(object('shade', configMap({ shade: 'dark' })))
      await slow.eventually(async () => expect(await data()).toEqual({ colour: 'red', shade: 'dark' }))
      for (const each of [user, base]) {
        await slow.delete(each)
        await slow.gone(each)
      }
      await configMapsOf(server.client).remove('tint')
    } finally {
      await slow.stop()
      await world.restart()
    }
  })

  it('repairs at once what somebody changed, shares one watch, and ends it when nobody needs it', async () => {
    const slow = await openSlowWorld()
    await world.stop()
    try {
      const watched = ['seen-a', 'seen-b'].map((name) => object(name, configMap({ a: '1' }), { watch: true }))
      for (const each of watched) await slow.apply(each)
      for (const each of watched) await slow.ready(each)
      await slow.eventually(() => (remote.watches === 1 ? Promise.resolve() : Promise.reject(new Error(`${remote.watches} watches`))))
      await configMapsOf(remote.client).set('seen-a', { a: 'changed' })
      await slow.eventually(async () => expect(await configMapsOf(remote.client).data('seen-a')).toEqual({ a: '1' }))
      await configMapsOf(remote.client).remove('seen-b')
      await slow.eventually(async () => expect(await configMapsOf(remote.client).data('seen-b')).toEqual({ a: '1' }))
      for (const each of watched) await slow.delete(each)
      for (const each of watched) await slow.gone(each)
      await slow.eventually(() => (remote.watches === 0 ? Promise.resolve() : Promise.reject(new Error('it is still watched'))))
    } finally {
      await slow.stop()
      await world.restart()
    }
  })
})

describe('a collection', () => {
  const collection = (selector: object): ManagedResource => ({
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'ObservedObjectCollection',
    metadata: { name: 'greens' },
    spec: {
      observeObjects: { apiVersion: 'v1', kind: 'ConfigMap', namespace: NAMESPACE, selector: selector as never },
      objectTemplate: { metadata: { labels: { team: 'a' } } },
    },
  })
  const labelled = (name: string, colour: string): KubeObject => withMeta(configMap({ name }, name), { labels: { colour } })
  const members = async () =>
    (
      await server.client.list<ManagedResource>(
        { group: GROUP, kind: 'Object' },
        { labels: 'kubernetes.crossplane.io/owned-by-collection=greens' },
      )
    ).items

  it('observes each object that the selector matches, and forgets those that it no longer does', async () => {
    for (const [name, colour] of [
      ['leaf', 'green'],
      ['frog', 'green'],
      ['rose', 'red'],
    ] as const)
      await remote.client.create(labelled(name, colour))
    const resource = collection({ matchLabels: { colour: 'green' } })
    await world.apply(resource)
    const ready = await world.ready(resource)
    expect(ready.status).toMatchObject({ membershipLabel: { 'kubernetes.crossplane.io/owned-by-collection': 'greens' } })
    const observed = async () =>
      (await members()).map(({ status }) => (status?.atProvider?.['manifest'] as KubeObject | undefined)?.metadata.name).toSorted()
    await world.eventually(async () => expect(await observed()).toEqual(['frog', 'leaf']))
    expect((await members())[0]).toMatchObject({ metadata: { labels: { team: 'a' } }, spec: { managementPolicies: ['Observe'] } })
    await configMapsOf(remote.client).remove('frog')
    await remote.client.create(labelled('toad', 'green'))
    await world.eventually(async () => expect(await observed()).toEqual(['leaf', 'toad']))
    await remove(resource)
    await world.eventually(async () => expect(await members()).toEqual([]))
    // They were only looked at.
    expect(await configMapsOf(remote.client).find('leaf')).toBeDefined()
  })

  it('says what is wrong with what it cannot list', async () => {
    const resource = { ...collection({}), spec: { observeObjects: { apiVersion: 'example.org/v1', kind: 'Widget', selector: {} } } }
    await world.apply(resource)
    expect(await complaint(world, resource)).toMatch(/serves no kind Widget/)
    await remove(resource)
  })
})
