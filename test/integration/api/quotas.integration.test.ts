import { createApiServer, createMemoryPki, openMemoryStorage } from '@weft/apiserver'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startTestApi, type TestApi } from './api-server.ts'

const NS = '/api/v1/namespaces/team'
const CONFIG_MAPS = `${NS}/configmaps`
const QUOTAS = `${NS}/resourcequotas`
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

let api: TestApi
afterEach(() => api.stop())

const create = (path: string, body: object): ReturnType<TestApi['send']> => api.send({ method: 'POST', path, body })
const named = (kind: string, name: string, more: object = {}, apiVersion = 'v1'): object => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
})
const quota = (name: string, hard: object, more: object = {}): object => named('ResourceQuota', name, { spec: { hard, ...more } })

async function start(serve: readonly string[] = []): Promise<void> {
  api = await startTestApi({ serve })
  await create('/api/v1/namespaces', named('Namespace', 'team'))
  // Every namespace gets a config map of its own; what is counted must not depend on when it comes.
  await vi.waitFor(
    async () => expect((await api.send({ method: 'GET', path: `${CONFIG_MAPS}/kube-root-ca.crt` })).status).toBe(200),
    20_000,
  )
}

const usedOf = async (name: string): Promise<unknown> =>
  ((await api.send({ method: 'GET', path: `${QUOTAS}/${name}` })).body as any).status?.used

describe('quotas', () => {
  it('a hundred writers at once never get more than the quota allows, and the status says so', async () => {
    await start()
    await create(QUOTAS, quota('limit', { configmaps: '6', 'count/configmaps': '7' }))
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => create(CONFIG_MAPS, named('ConfigMap', `c${i}`))))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    const refused = answers.filter(({ status }) => status === 403)
    expect(refused).toHaveLength(95)
    const [first] = refused
    expect(first?.body).toMatchObject({
      reason: 'Forbidden',
      message: expect.stringMatching(
        /^configmaps "c\d+" is forbidden: exceeded quota: limit, requested: configmaps=1, used: configmaps=6, limited: configmaps=6$/,
      ),
    })
    await vi.waitFor(async () => expect(await usedOf('limit')).toEqual({ configmaps: '6', 'count/configmaps': '6' }), 20_000)
  })

  it('what is deleted, refused later or only tried is not counted', async () => {
    await start()
    await create(QUOTAS, quota('limit', { secrets: '1' }))
    const secret = (name: string): object => named('Secret', name)
    expect((await create(`${NS}/secrets?dryRun=All`, secret('a'))).status).toBe(201)
    expect((await create(`${NS}/secrets`, secret('a'))).status).toBe(201)
    expect((await create(`${NS}/secrets?dryRun=All`, secret('b'))).status).toBe(403)
    await api.send({ method: 'DELETE', path: `${NS}/secrets/a` })
    await vi.waitFor(async () => expect(await usedOf('limit')).toEqual({ secrets: '0' }), 20_000)
    // Too large to be stored: found out only after it was admitted.
    expect(
      (await create(`${NS}/secrets`, { ...secret('b'), stringData: { a: 'x'.repeat(1_040_000), b: 'y'.repeat(2_200_000) } })).status,
    ).toBeGreaterThan(399)
    expect((await create(`${NS}/secrets`, secret('b'))).status).toBe(201)
  })

  it('custom resources are counted, before and after their definition comes', async () => {
    await start()
    await create(QUOTAS, quota('limit', { 'count/things.example.org': '1' }))
    await create(CRDS, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    })
    const things = '/apis/example.org/v1/namespaces/team/things'
    await vi.waitFor(async () => expect((await api.send({ method: 'GET', path: things })).status).toBe(200), 20_000)
    const thing = (name: string): object => named('Thing', name, {}, 'example.org/v1')
    expect((await create(things, thing('a'))).status).toBe(201)
    expect((await create(things, thing('b'))).body).toMatchObject({
      message:
        'things.example.org "b" is forbidden: exceeded quota: limit, requested: count/things.example.org=1, used: count/things.example.org=1, limited: count/things.example.org=1',
    })
    await vi.waitFor(async () => expect(await usedOf('limit')).toEqual({ 'count/things.example.org': '1' }), 20_000)
  })

  it('services count by what they ask for, also when they change', async () => {
    await start()
    await create(QUOTAS, quota('limit', { services: '2', 'services.nodeports': '1', 'services.loadbalancers': '1' }))
    const service = (name: string, type: string): object => named('Service', name, { spec: { type, ports: [{ port: 80 }] } })
    expect((await create(`${NS}/services`, service('a', 'ClusterIP'))).status).toBe(201)
    expect((await create(`${NS}/services`, service('b', 'NodePort'))).status).toBe(201)
    expect((await create(`${NS}/services`, service('c', 'LoadBalancer'))).body).toMatchObject({
      message: expect.stringContaining(
        'exceeded quota: limit, requested: services=1,services.nodeports=1, used: services=2,services.nodeports=1, limited: services=2,services.nodeports=1',
      ),
    })
    const merge = { contentType: 'application/merge-patch+json' }
    const toNodePort = { method: 'PATCH', path: `${NS}/services/a`, body: { spec: { type: 'NodePort' } }, ...merge }
    expect((await api.send(toNodePort)).body).toMatchObject({
      message: expect.stringContaining('requested: services.nodeports=1, used: services.nodeports=1'),
    })
    await api.send({ method: 'DELETE', path: `${NS}/services/b` })
    await vi.waitFor(async () => expect(await usedOf('limit')).toMatchObject({ services: '1', 'services.nodeports': '0' }), 20_000)
    expect((await api.send(toNodePort)).status).toBe(200)
    await vi.waitFor(async () => expect(await usedOf('limit')).toMatchObject({ services: '1', 'services.nodeports': '1' }), 20_000)
  })

  it('what is known and never used is shown as zero; a status that somebody wrote is put right', async () => {
    await start()
    await create(QUOTAS, quota('limit', { cpu: '1000m', memory: '2048Mi', pods: 3, resourcequotas: '1' }))
    const used = { cpu: '0', memory: '0', pods: '0', resourcequotas: '1' }
    await vi.waitFor(async () => expect(await usedOf('limit')).toEqual(used), 20_000)
    const patch = { status: { hard: { cpu: '9' }, used: { cpu: '7' } } }
    await api.send({ method: 'PATCH', path: `${QUOTAS}/limit/status`, body: patch, contentType: 'application/merge-patch+json' })
    await vi.waitFor(
      async () =>
        expect(((await api.send({ method: 'GET', path: `${QUOTAS}/limit` })).body as any).status).toEqual({
          hard: { cpu: '1', memory: '2Gi', pods: '3', resourcequotas: '1' },
          used,
        }),
      20_000,
    )
    expect((await create(QUOTAS, quota('second', {}))).status).toBe(403)
    expect(api.errors).toEqual([])
  })

  it('after a restart the status is right, whatever was left in it', async () => {
    api = await startTestApi()
    const storage = openMemoryStorage()
    const options = {
      storage,
      pki: createMemoryPki({ hosts: ['127.0.0.1'] }),
      address: () => 'https://127.0.0.1:1',
      onError: () => undefined,
    }
    const stale = { ...quota('limit', { configmaps: '9' }), status: { hard: { configmaps: '9' }, used: { configmaps: '5' } } }
    const first = await createApiServer(options)
    const type = first.services.catalog.find('', 'v1', 'resourcequotas')
    await first.close()
    await storage.write(`${type?.storage.prefix}default/limit`, 0, () =>
      Buffer.from(JSON.stringify({ ...stale, metadata: { name: 'limit', namespace: 'default', uid: 'u' } })),
    )
    const second = await createApiServer(options)
    const stored = (): any => second.services.catalog.store(type as never).get(`${type?.storage.prefix}default/limit`)?.object
    await vi.waitFor(() => expect(stored()?.status?.used).toEqual({ configmaps: '1' }), 20_000)
    await second.close()
    await storage.close()
  })
})

describe('quotas of pods and volumes', () => {
  const pod = (name: string, resources: object = {}, more: object = {}): object =>
    named('Pod', name, { spec: { containers: [{ name: 'a', image: 'b', resources }], ...more } })
  const both = (cpu: string, memory: string): object => ({ requests: { cpu, memory }, limits: { cpu, memory } })
  const messageOf = ({ body }: Awaited<ReturnType<typeof create>>): string => (body as { message: string }).message

  it('count what pods ask for, ask every container to say it, and forget pods that are over', async () => {
    await start(['v1'])
    await create(QUOTAS, quota('limit', { pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' }))
    expect(messageOf(await create(`${NS}/pods`, pod('silent')))).toBe(
      'pods "silent" is forbidden: failed quota: limit: must specify limits.memory for: a; requests.cpu for: a',
    )
    expect((await create(`${NS}/pods`, pod('a', both('600m', '512Mi')))).status).toBe(201)
    expect(messageOf(await create(`${NS}/pods`, pod('b', both('500m', '64Mi'))))).toBe(
      'pods "b" is forbidden: exceeded quota: limit, requested: requests.cpu=500m, used: requests.cpu=600m, limited: requests.cpu=1',
    )
    await vi.waitFor(
      async () => expect(await usedOf('limit')).toEqual({ pods: '1', 'requests.cpu': '600m', 'limits.memory': '512Mi' }),
      20_000,
    )
    const merge = { contentType: 'application/merge-patch+json' }
    await api.send({ method: 'PATCH', path: `${NS}/pods/a/status`, body: { status: { phase: 'Succeeded' } }, ...merge })
    await vi.waitFor(async () => expect(await usedOf('limit')).toEqual({ pods: '0', 'requests.cpu': '0', 'limits.memory': '0' }), 20_000)
    expect((await create(`${NS}/pods`, pod('b', both('500m', '64Mi')))).status).toBe(201)
  })

  it('are about the pods in their scopes', async () => {
    await start(['v1'])
    await create(QUOTAS, quota('best', { pods: '1' }, { scopes: ['BestEffort'] }))
    await create(QUOTAS, quota('ending', { pods: '1' }, { scopes: ['Terminating'] }))
    const high = [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }]
    await create(QUOTAS, quota('high', { pods: '0' }, { scopeSelector: { matchExpressions: high } }))
    expect((await create(`${NS}/pods`, pod('a'))).status).toBe(201)
    expect((await create(`${NS}/pods`, pod('b', both('1', '1Gi')))).status).toBe(201)
    expect(messageOf(await create(`${NS}/pods`, pod('c')))).toContain('exceeded quota: best')
    expect((await create(`${NS}/pods`, pod('d', both('1', '1Gi'), { activeDeadlineSeconds: 60 }))).status).toBe(201)
    expect(messageOf(await create(`${NS}/pods`, pod('e', both('1', '1Gi'), { priorityClassName: 'high' })))).toContain(
      'exceeded quota: high',
    )
    await vi.waitFor(
      async () =>
        expect([await usedOf('best'), await usedOf('ending'), await usedOf('high')]).toEqual([{ pods: '1' }, { pods: '1' }, { pods: '0' }]),
      20_000,
    )
  })

  it('count claims and what they ask for, in all and by class of storage', async () => {
    await start(['v1'])
    const gold = 'gold.storageclass.storage.k8s.io'
    await create(QUOTAS, quota('limit', { persistentvolumeclaims: '3', 'requests.storage': '5Gi', [`${gold}/requests.storage`]: '2Gi' }))
    const claim = (name: string, storage: string, more: object = {}): object =>
      named('PersistentVolumeClaim', name, { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...more } })
    const claims = `${NS}/persistentvolumeclaims`
    expect((await create(claims, claim('a', '2Gi'))).status).toBe(201)
    expect((await create(claims, claim('b', '2Gi', { storageClassName: 'gold' }))).status).toBe(201)
    expect(messageOf(await create(claims, claim('c', '1Gi', { storageClassName: 'gold' })))).toBe(
      `persistentvolumeclaims "c" is forbidden: exceeded quota: limit, requested: ${gold}/requests.storage=1Gi, used: ${gold}/requests.storage=2Gi, limited: ${gold}/requests.storage=2Gi`,
    )
    expect(messageOf(await create(claims, claim('d', '2Gi')))).toContain('requested: requests.storage=2Gi, used: requests.storage=4Gi')
    await vi.waitFor(
      async () =>
        expect(await usedOf('limit')).toEqual({
          persistentvolumeclaims: '2',
          'requests.storage': '4Gi',
          [`${gold}/requests.storage`]: '2Gi',
        }),
      20_000,
    )
  })

  it('are shown as unused where no pods are served', async () => {
    await start()
    await create(QUOTAS, quota('limit', { pods: '2', 'requests.storage': '1Gi' }))
    await vi.waitFor(async () => expect(await usedOf('limit')).toEqual({ pods: '0', 'requests.storage': '0' }), 20_000)
  })
})
