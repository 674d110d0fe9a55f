import type { KubeObject } from '@weft/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../admission/admission.fixture.ts'
import { openMemoryStorage } from '../storage/index.ts'
import { SUGGESTED } from './suggested-flow-control.ts'

/** What a server makes and keeps by itself. */
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
const MERGE = { contentType: 'application/merge-patch+json' }
const storage = openMemoryStorage()
let weft: TestServer
beforeAll(async () => {
  weft = await startServer({ storage })
})
afterAll(() => weft.close())

const find = async (url: string): Promise<KubeObject | undefined> => {
  const { code, body } = await weft.call('GET', url)
  return code === 404 ? undefined : body
}

describe('the first start', () => {
  it('makes the namespaces, and the service by which the server is known', async () => {
    for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
      expect(await find(`/api/v1/namespaces/${name}`), name).toBeDefined()
    expect(await find('/api/v1/namespaces/default/services/kubernetes')).toMatchObject({
      metadata: { labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        type: 'ClusterIP',
        clusterIP: '10.0.0.1',
        sessionAffinity: 'None',
        ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
      },
    })
  })

  it('a later one puts back what is missing of roles and bindings, and leaves alone what was added', async () => {
    await weft.ok('DELETE', `${RBAC}/clusterrolebindings/cluster-admin`)
    const view = (await weft.ok('GET', `${RBAC}/clusterroles/system:discovery`)) as KubeObject & { rules: object[] }
    const more = { nonResourceURLs: ['/own'], verbs: ['get'] }
    await weft.ok('PUT', `${RBAC}/clusterroles/system:discovery`, { ...view, rules: [more] })
    const own = { metadata: { labels: { own: 'yes' } } }
    await weft.ok('PATCH', '/api/v1/namespaces/default', own, MERGE)
    const again = await startServer({ storage })
    expect((await again.call('GET', `${RBAC}/clusterrolebindings/cluster-admin`)).code).toBe(200)
    const { rules } = (await again.ok('GET', `${RBAC}/clusterroles/system:discovery`)) as KubeObject & { rules: object[] }
    expect(rules[0]).toEqual(more)
    const urls = (of: readonly object[]): unknown => of.flatMap((rule) => (rule as { nonResourceURLs: readonly string[] }).nonResourceURLs)
    expect(urls(rules.slice(1))).toEqual(urls(view.rules))
    expect((await again.ok('GET', '/api/v1/namespaces/default')).metadata.labels).toMatchObject(own.metadata.labels)
    await again.close()
  })
})

describe('ClusterRoles that are put together', () => {
  it('have the rules of those that they select, and lose them with these', async () => {
    const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] }
    const role = (name: string, more: object): object => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      ...more,
    })
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { part: 'of-all' } }] }
    await weft.ok('POST', `${RBAC}/clusterroles`, role('all', { aggregationRule, rules: [] }))
    await weft.ok('POST', `${RBAC}/clusterroles`, role('one', { metadata: { name: 'one', labels: { part: 'of-all' } }, rules: [rule] }))
    const rules = async (): Promise<unknown> => (await weft.ok('GET', `${RBAC}/clusterroles/all`))['rules']
    await expect.poll(rules).toEqual([rule])
    await weft.ok('DELETE', `${RBAC}/clusterroles/one`)
    await expect.poll(async () => (await rules()) ?? []).toEqual([])
  })
})

describe('APIServices', () => {
  it('show each group and version that is served, with the priorities of Kubernetes', async () => {
    await expect
      .poll(() => find(`${SERVICES}/v1.`))
      .toMatchObject({
        metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } },
        spec: { version: 'v1', groupPriorityMinimum: 18_000, versionPriority: 1 },
      })
    expect((await find(`${SERVICES}/v1.`))?.['spec']).not.toHaveProperty('group')
    await expect
      .poll(() => find(`${SERVICES}/v1.rbac.authorization.k8s.io`))
      .toMatchObject({
        spec: { group: 'rbac.authorization.k8s.io', version: 'v1', groupPriorityMinimum: 17_000, versionPriority: 15 },
      })
  })

  it('come and go with the kinds that are defined; those of others stay', async () => {
    const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const schema = { openAPIV3Schema: { type: 'object' } }
    await weft.ok('POST', CRDS, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'ponds.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Cluster',
        names: { plural: 'ponds', kind: 'Pond' },
        versions: [{ name: 'v3', served: true, storage: true, schema }],
      },
    })
    await expect
      .poll(() => find(`${SERVICES}/v3.example.org`))
      .toMatchObject({
        metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
        spec: { group: 'example.org', version: 'v3', groupPriorityMinimum: 1000, versionPriority: 100 },
      })
    const theirs = {
      group: 'theirs.example.org',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { namespace: 'default', name: 's' },
    }
    await weft.ok('POST', SERVICES, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.theirs.example.org' },
      spec: { ...theirs, insecureSkipTLSVerify: true },
    })
    await weft.ok('DELETE', `${CRDS}/ponds.example.org`)
    await expect.poll(() => find(`${SERVICES}/v3.example.org`)).toBeUndefined()
    expect(await find(`${SERVICES}/v1.theirs.example.org`)).toBeDefined()
  })
})

describe('a ResourceQuota', () => {
  it('shows what it limits, and what is used of it', async () => {
    const quotas = '/api/v1/namespaces/default/resourcequotas'
    const hard = { 'count/configmaps': '50', secrets: '3' }
    await weft.ok('POST', quotas, { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' }, spec: { hard } })
    const status = async (): Promise<unknown> => (await weft.ok('GET', `${quotas}/few`))['status']
    await expect.poll(status).toMatchObject({ hard, used: { secrets: '0' } })
    await weft.ok('POST', '/api/v1/namespaces/default/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'one' } })
    await expect.poll(status).toMatchObject({ hard, used: { secrets: '1' } })
    await weft.ok('DELETE', '/api/v1/namespaces/default/secrets/one')
    await expect.poll(status).toMatchObject({ used: { secrets: '0' } })
    await weft.ok('PATCH', `${quotas}/few`, { spec: { hard: { secrets: '4', 'count/configmaps': null } } }, MERGE)
    await expect.poll(status).toEqual({ hard: { secrets: '4' }, used: { secrets: '0' } })
  })
})

describe('a namespace that is deleted', () => {
  it('says what is left in it, and who holds that, and goes when nothing is', async () => {
    const url = '/api/v1/namespaces/doomed'
    await weft.ok('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doomed' } })
    const held = { name: 'held', finalizers: ['example.org/held'] }
    await weft.ok('POST', `${url}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: held })
    await weft.ok('POST', `${url}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'free' } })
    await weft.ok('POST', '/apis/coordination.k8s.io/v1/namespaces/doomed/leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: held,
    })
    await weft.ok('DELETE', url)
    const told = async (): Promise<unknown> =>
      (
        (await weft.ok('GET', url))['status'] as {
          conditions?: readonly { type: string; status: string; reason: string; message: string }[]
        }
      ).conditions?.map(({ type, status, reason, message }) => [type, status, reason, message])
    await expect.poll(told).toEqual([
      ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
      ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
      ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
      [
        'NamespaceContentRemaining',
        'True',
        'SomeResourcesRemain',
        expect.stringMatching(
          /^Some resources are remaining: .*configmaps\. has 1 resource instances.*leases\.coordination\.k8s\.io has 1 resource instances/,
        ),
      ],
      [
        'NamespaceFinalizersRemaining',
        'True',
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: example.org/held in 2 resource instances',
      ],
    ])
    expect(await find(`${url}/secrets/free`)).toBeUndefined()
    // Nothing is put into it any more, the server's own things neither.
    expect(await find(`${url}/serviceaccounts/default`)).toBeUndefined()
    await weft.ok('PATCH', `${url}/configmaps/held`, { metadata: { finalizers: null } }, MERGE)
    await expect.poll(async () => JSON.stringify(await told())).toContain('example.org/held in 1 resource instances')
    await weft.ok('PATCH', '/apis/coordination.k8s.io/v1/namespaces/doomed/leases/held', { metadata: { finalizers: null } }, MERGE)
    await expect.poll(() => find(url)).toBeUndefined()
  })

  it('that somebody else holds says that it is empty', async () => {
    const url = '/api/v1/namespaces/kept'
    const spec = { finalizers: ['kubernetes', 'example.org/theirs'] }
    await weft.ok('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kept' }, spec })
    await weft.ok('DELETE', url)
    await expect.poll(async () => (await weft.ok('GET', url))['spec']).toEqual({ finalizers: ['example.org/theirs'] })
    expect((await weft.ok('GET', url))['status']).toMatchObject({
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: 'NamespaceContentRemaining',
          status: 'False',
          reason: 'ContentRemoved',
          message: 'All content successfully removed',
        }),
        expect.objectContaining({
          type: 'NamespaceFinalizersRemaining',
          status: 'False',
          reason: 'ContentHasNoFinalizers',
          message: 'All content-preserving finalizers finished',
        }),
      ]),
    })
  })
})

describe('flow control', () => {
  it('says of a schema whether its level is there', async () => {
    const url = '/apis/flowcontrol.apiserver.k8s.io/v1'
    const level = (name: string): object => ({
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'PriorityLevelConfiguration',
      metadata: { name },
      spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
    })
    await weft.ok('POST', `${url}/flowschemas`, {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'FlowSchema',
      metadata: { name: 'ours' },
      spec: { priorityLevelConfiguration: { name: 'ours' }, matchingPrecedence: 5000, rules: [] },
    })
    const told = async (): Promise<unknown> =>
      ((await weft.ok('GET', `${url}/flowschemas/ours`))['status'] as { conditions?: readonly object[] } | undefined)?.conditions
    const says = (status: string, reason: string, words: string): unknown => [
      expect.objectContaining({
        type: 'Dangling',
        status,
        reason,
        message: `This FlowSchema references the PriorityLevelConfiguration object named "ours" ${words}`,
      }),
    ]
    await expect.poll(told).toEqual(says('True', 'NotFound', 'but there is no such object'))
    await weft.ok('POST', `${url}/prioritylevelconfigurations`, level('ours'))
    await expect.poll(told).toEqual(says('False', 'Found', 'and it exists'))
    await weft.ok('DELETE', `${url}/prioritylevelconfigurations/ours`)
    await expect.poll(told).toEqual(says('True', 'NotFound', 'but there is no such object'))
  })

  it('has the levels and schemas of Kubernetes', () => {
    const levels = SUGGESTED.prioritylevelconfigurations.map(({ metadata, spec }) => {
      const {
        nominalConcurrencyShares: shares,
        lendablePercent,
        limitResponse,
      } = (spec as { limited?: { nominalConcurrencyShares: number; lendablePercent: number; limitResponse: { queuing?: object } } })
        .limited ?? {}
      return [metadata.name, shares, lendablePercent, limitResponse?.queuing]
    })
    const queuing = (queues: number, handSize: number): object => ({ queues, handSize, queueLengthLimit: 50 })
    expect(levels).toEqual(
      expect.arrayContaining([
        ['system', 30, 33, queuing(64, 6)],
        ['node-high', 40, 25, queuing(64, 6)],
        ['leader-election', 10, 0, queuing(16, 4)],
        ['workload-high', 40, 50, queuing(128, 6)],
        ['workload-low', 100, 90, queuing(128, 6)],
        ['global-default', 20, 50, queuing(128, 6)],
      ]),
    )
    const schemas = SUGGESTED.flowschemas.map(({ metadata, spec }) => {
      const { matchingPrecedence, priorityLevelConfiguration, distinguisherMethod } = spec as {
        matchingPrecedence: number
        priorityLevelConfiguration: { name: string }
        distinguisherMethod?: { type: string }
      }
      return [metadata.name, matchingPrecedence, priorityLevelConfiguration.name, distinguisherMethod?.type]
    })
    expect(schemas).toEqual(
      expect.arrayContaining([
        ['probes', 2, 'exempt', undefined],
        ['system-leader-election', 100, 'leader-election', 'ByUser'],
        ['system-node-high', 400, 'node-high', 'ByUser'],
        ['system-nodes', 500, 'system', 'ByUser'],
        ['kube-controller-manager', 800, 'workload-high', 'ByNamespace'],
        ['kube-scheduler', 800, 'workload-high', 'ByNamespace'],
        ['kube-system-service-accounts', 900, 'workload-high', 'ByNamespace'],
        ['service-accounts', 9000, 'workload-low', 'ByUser'],
        ['global-default', 9900, 'global-default', 'ByUser'],
      ]),
    )
    for (const { metadata } of [...SUGGESTED.flowschemas, ...SUGGESTED.prioritylevelconfigurations])
      expect(metadata.annotations).toEqual({ 'apf.kubernetes.io/autoupdate-spec': 'true' })
  })
})
