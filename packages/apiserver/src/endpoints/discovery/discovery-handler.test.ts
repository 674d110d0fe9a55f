import { describe, expect, it } from 'vitest'
import { aggregatedContentType, preferredAggregation } from './aggregated.ts'
import { discoveryHandler } from './discovery-handler.ts'
import { ask, askJson, bodyOf, definition, servedCatalog, typesOf, widget } from './served.fixture.ts'

const catalog = servedCatalog(widget, definition('aaa.example.io', 'Gadget', [{}]))
const handler = discoveryHandler({ catalog, serverAddress: () => '127.0.0.1:6443' })

interface ResourceEntry {
  readonly name: string
  readonly storageVersionHash?: string
}

describe('legacy discovery', () => {
  it('tells the versions of the core group and where the server is', async () => {
    expect(await askJson(handler, '/api')).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    })
  })

  it("lists Kubernetes' groups in its own order, then custom ones by name", async () => {
    const { groups } = await askJson<{ groups: { name: string }[] }>(handler, '/apis')
    expect(groups.map(({ name }) => name)).toEqual([
      'apiregistration.k8s.io',
      'events.k8s.io',
      'authentication.k8s.io',
      'authorization.k8s.io',
      'certificates.k8s.io',
      'rbac.authorization.k8s.io',
      'admissionregistration.k8s.io',
      'apiextensions.k8s.io',
      'coordination.k8s.io',
      'flowcontrol.apiserver.k8s.io',
      'aaa.example.io',
      'example.io',
    ])
  })

  it('prefers the most stable version and hides what is not served', async () => {
    const v1 = { groupVersion: 'example.io/v1', version: 'v1' }
    expect(await askJson(handler, '/apis/example.io')).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'example.io',
      versions: [v1, { groupVersion: 'example.io/v1beta1', version: 'v1beta1' }],
      preferredVersion: v1,
    })
  })

  it('lists resources with their subresources', async () => {
    const { resources, ...list } = await askJson<{ resources: ResourceEntry[] }>(handler, '/apis/example.io/v1')
    expect(list).toEqual({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'example.io/v1' })
    expect(resources).toEqual([
      expect.objectContaining({
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        shortNames: ['wd'],
        categories: ['all'],
        // What kube-apiserver computes for the same definition.
        storageVersionHash: '1ko09pd2AaU=',
      }),
      { name: 'widgets/status', singularName: '', namespaced: true, kind: 'Widget', verbs: ['get', 'patch', 'update'] },
      {
        name: 'widgets/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get', 'patch', 'update'],
      },
    ])
  })

  it.each([
    ['configmaps', 'qFsyl6wFWjQ=', 'the hash of kube-apiserver'],
    ['events', 'r2yiGXH7wu8=', 'stored as the core kind'],
    ['serviceaccounts/token', undefined, 'a subresource is not stored'],
  ])('gives %s the storage version hash %s', async (name, hash, reason) => {
    const { resources } = await askJson<{ resources: ResourceEntry[] }>(handler, '/api/v1')
    expect(resources.find((resource) => resource.name === name)?.storageVersionHash, reason).toBe(hash)
  })

  it('answers YAML and indented JSON to those who want it', async () => {
    expect(bodyOf(await ask(handler, '/apis/example.io', { headers: { accept: 'application/yaml' } }))).toContain('name: example.io\n')
    expect(bodyOf(await ask(handler, '/apis/example.io?pretty=true'))).toContain('\n  "name": "example.io"')
  })

  it.each([
    ['/apis/nope', 'an unknown group is an unknown page'],
    ['/apis/nope/v1', 'so is a version of it'],
    ['/healthz', 'not a path of discovery'],
    ['/apis/example.io/v1/widgets', 'a resource'],
  ])('does not know %s', async (path, reason) => {
    expect(await ask(handler, path), reason).toBeUndefined()
  })

  it.each(['/apis/rbac.authorization.k8s.io/v9', '/api/v2'])('reports %s as a missing resource of a known group', async (path) => {
    await expect(ask(handler, path)).rejects.toMatchObject({ code: 404, reason: 'NotFound' })
  })

  it('refuses writes', async () => {
    await expect(ask(handler, '/apis/example.io', { method: 'POST' })).rejects.toMatchObject({ code: 405, reason: 'MethodNotAllowed' })
  })
})

interface Aggregated {
  readonly apiVersion: string
  readonly items: readonly {
    metadata: { name?: string }
    versions: { version: string; freshness: string; resources: { resource: string }[] }[]
  }[]
}

describe('aggregated discovery', () => {
  const accept = aggregatedContentType('json', 'v2')

  it('shows everything below /apis in one document', async () => {
    const response = await ask(handler, '/apis', { headers: { accept } })
    expect(response?.body).toMatchObject({ contentType: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' })
    expect(response?.headers).toMatchObject({ vary: 'Accept', etag: expect.stringMatching(/^"[0-9A-F]{64}"$/) })
    const { apiVersion, items } = JSON.parse(bodyOf(response)) as Aggregated
    expect(apiVersion).toBe('apidiscovery.k8s.io/v2')
    const group = items.find(({ metadata }) => metadata.name === 'example.io')
    expect(group?.versions.map(({ version, freshness }) => `${version} ${freshness}`)).toEqual(['v1 Current', 'v1beta1 Current'])
    expect(group?.versions[0]?.resources).toEqual([
      {
        resource: 'widgets',
        responseKind: { group: 'example.io', version: 'v1', kind: 'Widget' },
        scope: 'Namespaced',
        singularResource: 'widget',
        verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
        shortNames: ['wd'],
        categories: ['all'],
        subresources: [
          {
            subresource: 'status',
            responseKind: { group: 'example.io', version: 'v1', kind: 'Widget' },
            verbs: ['get', 'patch', 'update'],
          },
          { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get', 'patch', 'update'] },
        ],
      },
    ])
  })

  it('shows the core group, which has no name, below /api', async () => {
    const { apiVersion, items } = await askJson<Aggregated>(handler, '/api', {
      headers: { accept: aggregatedContentType('json', 'v2beta1') },
    })
    expect(apiVersion).toBe('apidiscovery.k8s.io/v2beta1')
    expect(items.map(({ metadata }) => metadata)).toEqual([{}])
  })

  it('answers 304 to a client that has the document', async () => {
    const first = await ask(handler, '/apis', { headers: { accept } })
    const second = await ask(handler, '/apis', { headers: { accept, 'if-none-match': first?.headers?.['etag'] ?? '' } })
    expect(second).toMatchObject({ status: 304, headers: { etag: first?.headers?.['etag'] }, body: { bytes: '' } })
  })

  it('follows the catalog, and is made once in between', async () => {
    const own = servedCatalog()
    const follower = discoveryHandler({ catalog: own, serverAddress: () => '' })
    const groups = async (): Promise<unknown[]> =>
      (await askJson<Aggregated>(follower, '/apis', { headers: { accept } })).items.map(({ metadata }) => metadata.name)
    expect(await groups()).not.toContain('example.io')
    own.replace([], typesOf(widget))
    expect(await groups()).toContain('example.io')
    const [one, two] = [await ask(follower, '/apis', { headers: { accept } }), await ask(follower, '/apis', { headers: { accept } })]
    expect(one?.body.kind === 'bytes' && two?.body.kind === 'bytes' && one.body.bytes === two.body.bytes).toBe(true)
  })

  it.each([
    [undefined, undefined, 'nothing asked for'],
    ['application/json', undefined, 'an old client'],
    [
      `${aggregatedContentType('json', 'v2')},${aggregatedContentType('json', 'v2beta1')},application/json`,
      'v2',
      'the first choice of a new client',
    ],
    [`${aggregatedContentType('json', 'v2beta1')},application/json`, 'v2beta1', 'a client of 1.27'],
    ['application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io', 'v2', 'parameters in any order'],
    ['application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList,application/json', undefined, 'a version of the future'],
    [`application/json,${aggregatedContentType('json', 'v2')}`, 'v2', 'the aggregated form goes before the legacy one'],
    [aggregatedContentType('protobuf', 'v2'), 'v2', 'answered in protobuf'],
  ])('reads Accept: %s as %s', (header, expected, reason) => {
    expect(preferredAggregation(header)?.version, reason).toBe(expected)
  })
})
