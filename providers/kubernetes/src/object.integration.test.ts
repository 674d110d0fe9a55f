import { createServer } from 'node:http'
import { type KubeObject, withMeta } from '@weft/api'
import { openWorld, type World } from '@weft/provider-sdk'
import { silentLog } from '@weft/runtime'
import { startTestServer, type TestServer } from '@weft/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createKubernetesProvider } from './index.ts'
import { complaint, configMap, configMapsOf, GROUP, kubeconfigSecret, NAMESPACE, object, providerConfig } from './objects.fixture.ts'
import { type RemoteCluster, startRemoteCluster } from './remote-cluster.fixture.ts'

let server: TestServer
let remote: RemoteCluster
let second: RemoteCluster
let world: World

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))
const on = (name: string) => ({ providerConfigRef: { name } })
const remove = async (...resources: readonly KubeObject[]): Promise<void> => {
  for (const resource of resources) await world.delete(resource)
  for (const resource of resources) await world.gone(resource)
}
const SECRET = { group: '', kind: 'Secret' }

beforeAll(async () => {
  remote = await startRemoteCluster()
  second = await startRemoteCluster()
  for (const { client } of [remote, second]) await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
  server = await startTestServer()
  world = await openWorld({ client: server.client, provider: createKubernetesProvider(), dataDir: '/nonexistent', log: silentLog })
  await world.apply(kubeconfigSecret(remote.kubeconfig()))
  await world.apply(kubeconfigSecret(second.kubeconfig(), 'second'))
  await world.apply(providerConfig())
  await world.apply(providerConfig('second', 'second'))
})
afterAll(async () => {
  await world.stop()
  await server.close()
  await remote.close()
  await second.close()
})
beforeEach(() => {
  remote.fault = 'none'
  remote.requests.length = 0
})

describe('an Object', () => {
  it('shows its object in the status, and writes nothing anywhere while nothing differs', async () => {
    const resource = object('quiet', configMap({ a: 'b' }))
    await world.apply(resource)
    const ready = await world.ready(resource)
    expect(ready.status?.atProvider).toMatchObject({
      manifest: { kind: 'ConfigMap', metadata: { name: 'quiet', namespace: NAMESPACE }, data: { a: 'b' } },
    })
    expect(JSON.stringify(ready.status)).not.toContain('managedFields')
    const made = await configMapsOf(remote.client).find('quiet')
    expect(JSON.stringify(made?.metadata)).toContain('"manager":"provider-kubernetes/quiet"')
    remote.requests.length = 0
    const looks = (): number => remote.requests.filter((request) => request.startsWith('GET') && request.endsWith('/quiet')).length
    await world.eventually(() => (looks() > 3 ? Promise.resolve() : Promise.reject(new Error('it does not look'))))
    // Neither a write nor a dry run: what is known to be right is only looked at.
    expect(remote.requests.filter((request) => !request.startsWith('GET'))).toEqual([])
    expect((await world.find(resource))?.metadata.resourceVersion).toBe(ready.metadata.resourceVersion)
    await remove(resource)
  })

  it('leaves alone what others add, and takes away what it no longer wants', async () => {
    const resource = object('shared', configMap({ mine: '1', dropped: '1' }))
    await world.apply(resource)
    await world.ready(resource)
    await configMapsOf(remote.client).set('shared', { theirs: '1' })
    await pause(500)
    expect(await configMapsOf(remote.client).data('shared')).toEqual({ mine: '1', dropped: '1', theirs: '1' })
    await world.edit(resource, (current) => ({
      ...current,
      spec: { ...current.spec, forProvider: { manifest: configMap({ mine: '2' }) as never } },
    }))
    await world.eventually(async () => expect(await configMapsOf(remote.client).data('shared')).toEqual({ mine: '2', theirs: '1' }))
    await remove(resource)
  })

  it('is on the cluster that its ProviderConfig names, and two of one name do not meet', async () => {
    const here = object('here', configMap({ at: 'first' }, 'same'))
    const there = object('there', configMap({ at: 'second' }, 'same'), on('second'))
    await world.apply(here)
    await world.apply(there)
    await world.ready(here)
    await world.ready(there)
    expect(await configMapsOf(remote.client).data('same')).toEqual({ at: 'first' })
    expect(await configMapsOf(second.client).data('same')).toEqual({ at: 'second' })
    await remove(here)
    expect(await configMapsOf(second.client).data('same')).toEqual({ at: 'second' })
    await remove(there)
  })

  it('keeps to the object that it manages, and goes without a cluster when it is told to leave the object there', async () => {
    await world.apply(kubeconfigSecret(second.kubeconfig(), 'leaving'))
    await world.apply(providerConfig('leaving', 'leaving'))
    const resource = object('settler', configMap({ a: '1' }, 'settled'), on('leaving'))
    await world.apply(resource)
    await world.ready(resource)
    const named = (name: string) =>
      world.edit(resource, (current) => ({
        ...current,
        spec: { ...current.spec, forProvider: { manifest: configMap({ a: '1' }, name) as never } },
      }))
    await named('elsewhere')
    expect(await complaint(world, resource)).toMatch(
      /manages the external resource "ConfigMap\/apps\/settled" and cannot switch to .*set the fields that name it/,
    )
    expect(await configMapsOf(second.client).find('elsewhere')).toBeUndefined()
    await named('settled')
    await world.condition(resource, 'Synced', 'True')
    await server.client.delete(SECRET, { namespace: 'default', name: 'leaving' })
    await world.delete(resource)
    expect(await complaint(world, resource)).toMatch(/default\/leaving, which does not exist/)
    await world.edit(resource, (current) => ({ ...current, spec: { ...current.spec, deletionPolicy: 'Orphan' } }))
    await world.gone(resource)
    expect(await configMapsOf(second.client).data('settled')).toEqual({ a: '1' })
  })

  it('is made on a cluster that is known by its connection secret alone', async () => {
    const config = providerConfig('claimed')
    const credentials = { source: 'Secret', connectionSecretRef: { namespace: 'default', name: 'claimed' } }
    await world.apply({ ...config, spec: { credentials } })
    const resource = object('on-a-claim', configMap({ a: 'b' }), on('claimed'))
    await world.apply(resource)
    expect(await complaint(world, resource)).toMatch(/default\/claimed, which does not exist/)
    await world.apply({
      ...kubeconfigSecret(second.kubeconfig(), 'claimed'),
      type: 'connection.crossplane.io/v1alpha1',
    })
    await world.ready(resource)
    expect(await configMapsOf(second.client).data('on-a-claim')).toEqual({ a: 'b' })
    await remove(resource)
  })

  it('does not manage what another Object manages', async () => {
    const first = object('first', configMap({ a: '1' }, 'wanted-twice'))
    const thief = object('thief', configMap({ a: '2' }, 'wanted-twice'))
    await world.apply(first)
    await world.ready(first)
    await world.apply(thief)
    expect(await complaint(world, thief)).toMatch(/belongs to another Object/)
    await remove(thief)
    expect(await configMapsOf(remote.client).data('wanted-twice')).toEqual({ a: '1' })
    await remove(first)
  })

  it('never shows the values of a Secret: not in its status, nor in events', async () => {
    const manifest = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: NAMESPACE }, stringData: { password: 'hidden-value' } }
    const resource = object('secretive', manifest, {
      connectionDetails: [
        {
          apiVersion: 'v1',
          kind: 'Secret',
          namespace: NAMESPACE,
          name: 'secretive',
          fieldPath: 'data.password',
          toConnectionSecretKey: 'password',
        },
      ],
      writeConnectionSecretToRef: { namespace: 'default', name: 'secretive' },
    })
    await world.apply(resource)
    const ready = await world.ready(resource)
    const text = JSON.stringify([ready.status, await world.events(resource)])
    expect(text).toContain('"data":{"password":""}')
    for (const shown of ['hidden-value', Buffer.from('hidden-value').toString('base64')]) expect(text).not.toContain(shown)
    // Where it is asked for, it goes: decoded once, and encoded once.
    const secret = await world.eventually(() => server.client.get(SECRET, { namespace: 'default', name: 'secretive' }))
    expect(secret['data']).toEqual({ password: Buffer.from('hidden-value').toString('base64') })
    await remove(resource)
  })

  it('is Ready when its policy says so', async () => {
    const resource = object('rolling', configMap({ a: 'b' }), {
      readiness: { policy: 'DeriveFromCelQuery', celQuery: 'object.data.state == "up"' },
    })
    await world.apply(resource)
    expect(await complaint(world, resource, 'Ready')).toMatch(/celQuery cannot be answered: no such key: state/)
    await configMapsOf(remote.client).set('rolling', { state: 'down' })
    await world.eventually(async () => expect(await complaint(world, resource, 'Ready')).toMatch(/celQuery does not hold/))
    await configMapsOf(remote.client).set('rolling', { state: 'up' })
    await world.ready(resource)
    await remove(resource)
  })

  it('deletes as it is told, and waits until the object is gone', async () => {
    const resource = object('held', configMap({}), {})
    await world.apply(resource)
    await world.ready(resource)
    const made = (await configMapsOf(remote.client).find('held')) as KubeObject
    await remote.client.update(withMeta(made, { finalizers: ['example.org/hold'] }))
    await world.delete(resource)
    await world.eventually(async () => expect((await configMapsOf(remote.client).find('held'))?.metadata.deletionTimestamp).toBeDefined())
    await pause(300)
    expect(await world.find(resource)).toBeDefined()
    await world.eventually(async () => {
      const going = await configMapsOf(remote.client).find('held')
      if (going !== undefined) await remote.client.update(withMeta(going, { finalizers: undefined }))
    })
    await world.gone(resource)
  })
})

describe('what is wrong is said in words', () => {
  it.each([
    [
      'a kind that is not served',
      { apiVersion: 'example.org/v1', kind: 'Widget', metadata: {} },
      /serves no kind Widget of example.org\/v1.*install the kind/,
    ],
    ['no namespace', { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }, /metadata.namespace is not set/],
    ['a namespace too many', { apiVersion: 'v1', kind: 'Namespace', metadata: { namespace: 'x' } }, /is in no namespace/],
    ['a namespace that is not there', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'nowhere' } }, /nowhere/],
    [
      'what the cluster refuses',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: NAMESPACE }, data: { 'a b': 'c' } },
      /refuses the ConfigMap.*a b/,
    ],
  ])('%s', async (_reason, manifest, message) => {
    const resource = object('wrong', manifest)
    await world.apply(resource)
    expect(await complaint(world, resource)).toMatch(message)
    await remove(resource)
  })

  it('credentials that may not do it', async () => {
    const before = second.user
    second.user = { username: 'somebody', groups: ['system:authenticated'] }
    const resource = object('forbidden', configMap({}), on('second'))
    await world.apply(resource)
    expect(await complaint(world, resource)).toMatch(/ProviderConfig second may not get a ConfigMap in namespace apps: grant them that/)
    second.user = before
    await world.ready(resource)
    await remove(resource)
  })

  it('a configuration whose secret holds something else, and one that does not exist', async () => {
    await world.apply(kubeconfigSecret('users: [{name: u, user: {exec: {command: /bin/sh}}}]', 'bad'))
    await world.apply(providerConfig('bad', 'bad'))
    const bad = object('bad', configMap({}), on('bad'))
    const none = object('none', configMap({}), on('nowhere'))
    await world.apply(bad)
    await world.apply(none)
    expect(await complaint(world, bad)).toMatch(/ProviderConfig bad: .*would run a program/)
    expect(await complaint(world, none)).toMatch(/no ProviderConfig named nowhere/)
    await remove(bad, none)
  })
})

describe('a cluster that misbehaves', () => {
  it('harms nobody else: not one that hangs, with many Objects on it', async () => {
    remote.fault = 'hanging'
    const stuck = Array.from({ length: 80 }, (_, i) => object(`stuck-${i}`, configMap({}, `stuck-${i}`)))
    for (const each of stuck) await world.apply(each)
    await pause(300)
    const fine = object('fine', configMap({ a: 'b' }), on('second'))
    await world.apply(fine)
    await world.ready(fine)
    expect(await complaint(world, stuck[79] as KubeObject)).toMatch(/does not answer|is slow/)
    remote.fault = 'none'
    for (const each of stuck) await world.ready(each, 120_000)
    await remove(fine, ...stuck)
  }, 240_000)

  it('reads nothing to anybody from an address that is no Kubernetes API', async () => {
    const other = createServer((request, response) => {
      response.statusCode = request.url?.endsWith('/apis') === true ? 500 : 404
      response.end('internal-secret of another service')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await world.apply(
      kubeconfigSecret(
        `current-context: c\ncontexts: [{name: c, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: "http://127.0.0.1:${port}"}}]`,
        'other',
      ),
    )
    await world.apply(providerConfig('other', 'other'))
    const resource = object('probe', configMap({}), on('other'))
    await world.apply(resource)
    const message = await complaint(world, resource)
    expect(message).toMatch(/ProviderConfig other/)
    expect(JSON.stringify([message, await world.events(resource)])).not.toContain('internal-secret')
    await remove(resource)
    await new Promise<void>((resolve) => other.close(() => resolve()))
  })

  it('cannot fill the memory with an answer that does not end', async () => {
    const other = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      const block = Buffer.alloc(1024 * 1024, 32)
      const more = (): void => {
        while (response.writable && response.write(block));
        response.once('drain', more)
      }
      more()
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await world.apply(
      kubeconfigSecret(
        `current-context: c\ncontexts: [{name: c, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: "http://127.0.0.1:${port}"}}]`,
        'endless',
      ),
    )
    await world.apply(providerConfig('endless', 'endless'))
    const resource = object('endless', configMap({}), on('endless'))
    await world.apply(resource)
    expect(await complaint(world, resource)).toMatch(/answers more than any object can be/)
    await remove(resource)
    other.closeAllConnections()
    await new Promise<void>((resolve) => other.close(() => resolve()))
  })
})

describe('InjectedIdentity', () => {
  const injected: KubeObject = {
    apiVersion: `${GROUP}/v1alpha1`,
    kind: 'ProviderConfig',
    metadata: { name: 'injected' },
    spec: { credentials: { source: 'InjectedIdentity' } },
  }
  const RBAC = 'rbac.authorization.k8s.io'

  it('is a service account of this control plane, with no right but those that it was granted', async () => {
    await world.apply(injected)
    await world.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } })
    const resource = object('local', configMap({ a: 'b' }), on('injected'))
    await world.apply(resource)
    expect(await complaint(world, resource)).toMatch(/may not get a ConfigMap.*system:serviceaccount:crossplane-system:provider-kubernetes/)
    await world.apply({
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: { namespace: NAMESPACE, name: 'objects' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'create', 'patch', 'delete'] }],
    })
    await world.apply({
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { namespace: NAMESPACE, name: 'objects' },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'objects' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'crossplane-system', name: 'provider-kubernetes' }],
    })
    await world.ready(resource)
    expect(await configMapsOf(server.client).data('local')).toEqual({ a: 'b' })
    const greedy = object(
      'greedy',
      { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'kubeconfig' } },
      { ...on('injected'), managementPolicies: ['Observe'] },
    )
    await world.apply(greedy)
    expect(await complaint(world, greedy)).toMatch(/may not get a Secret/)
    expect((await world.find(greedy))?.status?.atProvider).toBeUndefined()
    await remove(greedy, resource)
  })
})
