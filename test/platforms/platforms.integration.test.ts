import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findCondition, type KubeObject } from '@weft/api'
import { conditionsOf } from '@weft/composition'
import { eventually, startControlPlane, type TestControlPlane } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type RemoteCluster, startRemoteCluster } from '../../providers/kubernetes/src/remote-cluster.fixture.ts'
import { environmentConfigs, type Program, startProgram, when } from './programs.ts'

/**
 * Platforms in the manner of those that people publish, as they stand, all in one world: definitions of both versions and all scopes, claims, nesting,
 * environments, revisions, functions that are built in and functions that are programs; and beside them Weft's own ways.
 */
const here = dirname(fileURLToPath(import.meta.url))
let plane: TestControlPlane
let workloads: RemoteCluster
const programs: Program[] = []

const documents = (path: string, port = 0): readonly KubeObject[] =>
  parseAllDocuments(readFileSync(join(here, path), 'utf8').replaceAll('localhost:PORT', `localhost:${port}`)).map(
    (each) => each.toJS() as KubeObject,
  )

/** Kinds that others of them define may take a moment: as `kubectl apply` again would. */
async function apply(objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) await eventually(() => plane.client.apply(object, { fieldManager: 'platform-team', force: true }))
}

const NAMES = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const PROGRAMS: Readonly<Record<string, Parameters<typeof startProgram>[0]>> = { environment: environmentConfigs, conditional: when }

beforeAll(async () => {
  plane = await startControlPlane()
  workloads = await startRemoteCluster({ serve: ['apps/v1', 'networking.k8s.io/v1'] })
  await apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-web' } },
    { apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: { name: 'kubernetes' }, spec: { package: 'bundled:kubernetes' } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'workloads', namespace: 'crossplane-system' },
      stringData: { kubeconfig: workloads.kubeconfig() },
    } as KubeObject,
    {
      apiVersion: 'kubernetes.crossplane.io/v1alpha1',
      kind: 'ProviderConfig',
      metadata: { name: 'workloads' },
      spec: { credentials: { source: 'Secret', secretRef: { namespace: 'crossplane-system', name: 'workloads', key: 'kubeconfig' } } },
    },
    ...documents('functions.yaml'),
  ])
  for (const name of NAMES) {
    const answer = PROGRAMS[name]
    const program = answer && (await startProgram(answer))
    if (program !== undefined) programs.push(program)
    await apply(documents(`${name}/platform.yaml`, program?.port))
  }
  for (const name of NAMES) await apply(documents(`${name}/use.yaml`))
})
afterAll(async () => {
  await plane?.stop()
  await workloads?.close()
  for (const program of programs) program.stop()
})

const group = (kind: string, of: string) => ({ group: of, kind })
const NOP = group('NopResource', 'nop.crossplane.io')
const RESOURCE_NAME = 'crossplane.io/composition-resource-name'

async function ready(kind: { group: string; kind: string }, name: string, namespace?: string): Promise<KubeObject> {
  let seen: KubeObject | undefined
  await eventually(
    async () => {
      seen = await plane.client.find(kind, { name, namespace })
      const conditions = seen === undefined ? [] : conditionsOf(seen)
      expect(findCondition(conditions, 'Ready'), JSON.stringify(seen?.['status'])).toMatchObject({ status: 'True' })
      expect(findCondition(conditions, 'Synced')).toMatchObject({ status: 'True' })
    },
    { timeoutMs: 120_000 },
  )
  return seen as KubeObject
}

/** What a composite is made of, by resource name. */
async function members(composite: string, kind = NOP): Promise<Readonly<Record<string, KubeObject>>> {
  const { items } = await plane.client.list(kind, { labels: { matchLabels: { 'crossplane.io/composite': composite } } })
  return Object.fromEntries(items.map((item) => [item.metadata.annotations?.[RESOURCE_NAME] ?? '', item]))
}

const fields = (object: KubeObject | undefined): unknown =>
  (object?.['spec'] as { forProvider?: { fields?: unknown } } | undefined)?.forProvider?.fields
const STORE_OF = { apiVersion: 'claimed.example.org/v1', kind: 'Store' }
/** What a connection secret says. */
async function secret(name: string, namespace: string): Promise<Record<string, string>> {
  const found = await plane.client.find<KubeObject & { data?: Record<string, string> }>(group('Secret', ''), { name, namespace })
  return Object.fromEntries(Object.entries(found?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
}
const compositeOf = (claim: KubeObject): string => (claim['spec'] as { resourceRef: { name: string } }).resourceRef.name

describe('platforms of Crossplane’s, in one world', () => {
  test('there are at least ten', () => expect(NAMES.length).toBeGreaterThanOrEqual(10))

  test('network: subnets by patch sets, ids collected in the status', async () => {
    const network = await ready(group('Network', 'net.example.org'), 'main')
    const made = await members('main')
    expect(fields(made['vpc'])).toEqual({ region: 'north', cidrBlock: '10.0.0.0/16' })
    expect(['subnet-a', 'subnet-b', 'subnet-c'].map((name) => (fields(made[name]) as { zone: string }).zone)).toEqual([
      'northa',
      'northb',
      'northc-of-main',
    ])
    expect(network['status']).toMatchObject({
      networkId: made['vpc']?.metadata.name,
      subnetIds: ['subnet-a', 'subnet-b', 'subnet-c'].map((name) => made[name]?.metadata.name),
    })
    await expect(
      plane.client.create({
        apiVersion: 'net.example.org/v1alpha1',
        kind: 'Network',
        metadata: { name: 'bad' },
        spec: { region: 'east' },
      } as KubeObject),
    ).rejects.toThrow(/region/)
  })

  test('cluster: a claim, its composite, and a node pool that is a composite of its own; status comes back up', async () => {
    const claim = await ready(group('Cluster', 'k8s.example.org'), 'prod', 'default')
    const made = await members(compositeOf(claim))
    expect(fields(made['control-plane'])).toEqual({ version: '1.36' })
    expect(fields(made['group'])).toEqual({ machine: 'm-16', count: 4 })
    await eventually(async () =>
      expect(
        (await plane.client.find(group('Cluster', 'k8s.example.org'), { name: 'prod', namespace: 'default' }))?.['status'],
      ).toMatchObject({ nodes: 4 }),
    )
  })

  test('database: the claim’s namespace gets the keys that the definition names, and no other', async () => {
    const claim = await ready(group('SQLDatabase', 'db.example.org'), 'orders', 'default')
    expect((claim['spec'] as { compositeDeletePolicy?: string }).compositeDeletePolicy).toBe('Foreground')
    await eventually(async () => {
      const secret = await plane.client.find<KubeObject & { data?: Record<string, string> }>(group('Secret', ''), {
        name: 'orders-db',
        namespace: 'default',
      })
      expect(
        Object.fromEntries(Object.entries(secret?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()])),
      ).toEqual({ host: 'db.example.org', password: 'correct-horse' })
    })
    await expect(
      plane.client.create({
        apiVersion: 'db.example.org/v1',
        kind: 'SQLDatabase',
        metadata: { name: 'huge', namespace: 'default' },
        spec: { storageGB: 501 },
      } as KubeObject),
    ).rejects.toThrow(/at most 500 GB/)
  })

  test('bucket: claims choose by labels', async () => {
    const invoices = await ready(group('Bucket', 'store.example.org'), 'invoices', 'default')
    expect(fields((await members(compositeOf(invoices)))['bucket'])).toEqual({ acl: 'private', retentionHours: 720, bucket: 'INVOICES' })
    expect(invoices['status']).toMatchObject({ url: 'bucket://INVOICES' })
    const website = await ready(group('Bucket', 'store.example.org'), 'website', 'default')
    expect(Object.keys(await members(compositeOf(website))).sort()).toEqual(['bucket', 'policy'])
  })

  test('app: in a namespace, of Kubernetes’ own kinds', async () => {
    const app = await ready(group('WebApp', 'app.example.org'), 'shop', 'team-web')
    const settings = (await members('shop', group('ConfigMap', '')))['settings']
    expect(settings).toMatchObject({ metadata: { namespace: 'team-web' }, data: { image: 'registry.example.org/shop:3', port: '8080' } })
    // Kinds that count no generations are put right as well.
    const place = { name: settings?.metadata.name ?? '', namespace: 'team-web' }
    await plane.client.patch(group('ConfigMap', ''), place, { type: 'merge', body: { data: { port: '1' } } })
    await eventually(async () => expect(await plane.client.find(group('ConfigMap', ''), place)).toMatchObject({ data: { port: '8080' } }))
    expect((await members('shop', group('Service', '')))['service']).toMatchObject({ spec: { ports: [{ port: 8080 }] } })
    expect(app['status']).toMatchObject({ account: (await members('shop', group('ServiceAccount', '')))['account']?.metadata.name })
  })

  test('environment: what EnvironmentConfigs say, through the context', async () => {
    await ready(group('Cache', 'env.example.org'), 'sessions')
    const { cache } = await members('sessions')
    expect(fields(cache)).toEqual({ tier: 'gold', billing: 'gold/4711' })
    expect(cache?.metadata.labels?.['owner']).toBe('platform')
  })

  test('conditional: what is there decides what is made', async () => {
    await ready(group('Gateway', 'edge.example.org'), 'with-zone')
    await ready(group('Gateway', 'edge.example.org'), 'without-zone')
    expect(Object.keys(await members('with-zone')).sort()).toEqual(['certificate', 'dns', 'gateway'])
    expect(Object.keys(await members('without-zone'))).toEqual(['gateway'])
  })

  test('landing zone: composites three deep, all under the name of the first; they go in order', async () => {
    const kind = group('LandingZone', 'zone.example.org')
    await ready(kind, 'retail')
    const { items } = await plane.client.list(NOP, { labels: { matchLabels: { 'crossplane.io/composite': 'retail' } } })
    expect(
      items
        .map(fields)
        .map((each) => JSON.stringify(each))
        .sort(),
    ).toEqual(['{"limit":1000}', '{"limit":1000}', '{"owner":"anna"}', '{"owner":"anna"}'])
    await plane.client.delete(kind, { name: 'retail' })
    await eventually(async () => {
      expect(await plane.client.find(kind, { name: 'retail' })).toBeUndefined()
      expect((await plane.client.list(NOP, { labels: { matchLabels: { 'crossplane.io/composite': 'retail' } } })).items).toEqual([])
    })
  })

  test('queue: stays on its revision until somebody moves it', async () => {
    const kind = group('Queue', 'mq.example.org')
    const queue = await ready(kind, 'mail')
    const before = (queue['spec'] as { crossplane: { compositionRevisionRef: { name: string } } }).crossplane.compositionRevisionRef.name
    const [, composition] = documents('queue/platform.yaml')
    await apply([JSON.parse(JSON.stringify(composition).replace('"release":1', '"release":2')) as KubeObject])
    const revisions = group('CompositionRevision', 'apiextensions.crossplane.io')
    let next = ''
    await eventually(async () => {
      const { items } = await plane.client.list(revisions, { labels: { matchLabels: { 'crossplane.io/composition-name': 'queue' } } })
      next = items.find(({ metadata }) => metadata.name !== before)?.metadata.name ?? ''
      expect(next).not.toBe('')
    })
    expect(fields((await members('mail'))['queue'])).toMatchObject({ release: 1 })
    await plane.client.patch(
      kind,
      { name: 'mail' },
      { type: 'merge', body: { spec: { crossplane: { compositionRevisionRef: { name: next } } } } },
    )
    await eventually(async () => expect(fields((await members('mail'))['queue'])).toMatchObject({ release: 2, depth: 100 }))
  })

  test('kubernetes-app: a Deployment, a Service and an Ingress on another cluster', async () => {
    const claim = await ready(group('RunService', 'run.example.org'), 'shop', 'default')
    expect(claim['status']).toMatchObject({ url: 'https://shop.example.org/' })
    const place = { name: 'shop', namespace: 'default' }
    expect(await workloads.client.find(group('Deployment', 'apps'), place)).toMatchObject({
      spec: { replicas: 2, template: { spec: { containers: [{ image: 'registry.example.org/shop:3' }] } } },
    })
    expect(await workloads.client.find(group('Service', ''), place)).toBeDefined()
    expect(await workloads.client.find(group('Ingress', 'networking.k8s.io'), place)).toMatchObject({
      spec: { rules: [{ host: 'shop.example.org', http: { paths: [{ backend: { service: { name: 'shop' } } }] } }] },
    })
  })

  test('mixed: a composite that is composed of a requirement and of a claim of a class', async () => {
    await ready(group('Stack', 'mixed.example.org'), 'both')
    const disk = (await members('both', group('DiskRequirement', 'mixed.example.org')))['disk']
    const database = (await members('both', group('MySQLInstance', 'database.crossplane.io')))['database']
    expect(disk).toMatchObject({ spec: { gigabytes: 40 } })
    expect(database).toMatchObject({ spec: { classRef: { kind: 'NopResourceClass', name: 'mixed' } } })
    const { items } = await plane.client.list(NOP)
    expect(items.map(fields)).toEqual(expect.arrayContaining([{ gigabytes: 40 }, { from: 'a class', engineVersion: '5.7' }]))
    // What the class published for its claim came through the function.
    await eventually(async () => expect(await secret('both-connection', 'default')).toEqual({ host: 'sql.example.org' }))
  })

  describe('claimed: claims of classes that make composite resources', () => {
    const STORE = group('Store', 'claimed.example.org')
    const target = async (name: string): Promise<{ claim: KubeObject; kind: { group: string; kind: string }; made: KubeObject }> => {
      const claim = await ready(STORE, name, 'team-web')
      const { kind = '', name: resource = '' } = (claim['spec'] as { resourceRef: { kind: string; name: string } }).resourceRef
      const of = group(kind, kind === 'XSQLDatabase' ? 'db.example.org' : 'claimed.example.org')
      const at = { name: resource, namespace: kind === 'Box' ? 'team-web' : undefined }
      return { claim, kind: of, made: (await plane.client.find(of, at)) as KubeObject }
    }
    const record = (made: KubeObject | undefined): unknown => JSON.parse(made?.metadata.annotations?.['weft.dev/claim'] ?? 'null')
    const whose = ({ metadata: { name, uid } }: KubeObject): object => ({ kind: 'Store', namespace: 'team-web', name, uid })

    test('S4, X6: of the older scope, with the keys that its definition names; no other claim has it; it goes with its claim', async () => {
      const { claim, kind, made } = await target('orders')
      expect(claim['status']).toMatchObject({ bindingPhase: 'Bound' })
      expect(made['spec']).toMatchObject({ storageGB: 60, claimRef: { kind: 'Store', namespace: 'team-web', name: 'orders' } })
      expect(record(made)).toMatchObject({
        claimRef: whose(claim),
        classRef: { name: 'sql' },
        reclaimPolicy: 'Delete',
        bindingPhase: 'Bound',
      })
      await eventually(async () =>
        expect(await secret('orders-store', 'team-web')).toEqual({ host: 'db.example.org', password: 'correct-horse' }),
      )
      const name = made.metadata.name ?? ''
      await apply([
        {
          apiVersion: 'db.example.org/v1',
          kind: 'SQLDatabase',
          metadata: { name: 'thief', namespace: 'default' },
          spec: { resourceRef: { apiVersion: 'db.example.org/v1', kind: 'XSQLDatabase', name } },
        } as KubeObject,
        {
          ...STORE_OF,
          metadata: { name: 'thief', namespace: 'default' },
          spec: { resourceRef: { apiVersion: 'db.example.org/v1', kind: 'XSQLDatabase', name } },
        } as KubeObject,
      ])
      for (const thief of [group('SQLDatabase', 'db.example.org'), STORE])
        await eventually(async () => {
          const tried = (await plane.client.find(thief, { name: 'thief', namespace: 'default' })) as KubeObject
          expect(findCondition(conditionsOf(tried), 'Synced')).toMatchObject({ status: 'False' })
        })
      expect(record(await plane.client.find(kind, { name }))).toMatchObject({ claimRef: whose(claim) })
      await plane.client.delete(STORE, { name: 'orders', namespace: 'team-web' })
      await eventually(async () => {
        expect(await plane.client.find(STORE, { name: 'orders', namespace: 'team-web' })).toBeUndefined()
        expect(await plane.client.find(kind, { name })).toBeUndefined()
      })
    })

    test('B26, X6: cluster-scoped, with the secret that its functions compose; retained, it is handed to nobody else', async () => {
      const { kind, made } = await target('keys')
      const name = made.metadata.name ?? ''
      expect(record(made)).toMatchObject({ reclaimPolicy: 'Retain', bindingPhase: 'Bound' })
      expect(made['spec']).toMatchObject({ gigabytes: 7 })
      const { vault } = await members(name)
      await eventually(async () => expect(await secret('keys-store', 'team-web')).toEqual({ vault: vault?.metadata.name }))
      await plane.client.delete(STORE, { name: 'keys', namespace: 'team-web' })
      await eventually(async () => expect(await plane.client.find(STORE, { name: 'keys', namespace: 'team-web' })).toBeUndefined())
      await eventually(async () => {
        const kept = await plane.client.find(kind, { name })
        expect(record(kept)).toMatchObject({ bindingPhase: 'Released' })
        expect(record(kept)).not.toHaveProperty('claimRef')
      })
      await apply([
        {
          ...STORE_OF,
          metadata: { name: 'next', namespace: 'team-web' },
          spec: { resourceRef: { apiVersion: 'claimed.example.org/v1', kind: 'Vault', name } },
        } as KubeObject,
      ])
      await eventually(async () => {
        const next = (await plane.client.find(STORE, { name: 'next', namespace: 'team-web' })) as KubeObject
        expect(findCondition(conditionsOf(next), 'Synced')).toMatchObject({
          status: 'False',
          message: expect.stringContaining('released') as string,
        })
      })
    })

    test('in a namespace, that of its claim, with whom it goes', async () => {
      const { claim, made } = await target('letters')
      expect((claim['spec'] as { resourceRef: object }).resourceRef).toMatchObject({ namespace: 'team-web' })
      expect(made.metadata.namespace).toBe('team-web')
      expect(record(made)).toMatchObject({ claimRef: whose(claim), bindingPhase: 'Bound' })
      await eventually(async () => expect(await secret('letters-store', 'team-web')).toEqual({ label: 'private' }))
      await plane.client.delete(STORE, { name: 'letters', namespace: 'team-web' })
      await eventually(async () =>
        expect(
          await plane.client.find(group('Box', 'claimed.example.org'), { name: made.metadata.name ?? '', namespace: 'team-web' }),
        ).toBeUndefined(),
      )
    })
  })
})
