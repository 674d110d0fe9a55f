import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from './api-server.ts'

const PROTOBUF = 'application/vnd.kubernetes.protobuf'
const METADATA = ';as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const LIST_METADATA = ';as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
const MAPS = '/api/v1/namespaces/default/configmaps'
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await api.send({ method: 'POST', path: MAPS, body: { metadata: { name: 'a', labels: { of: 'test' } }, data: { k: 'v' } } })
  await api.send({ method: 'POST', path: CRDS, body: definition })
  for (let status = 0; status !== 200;) status = (await get(WIDGETS, 'application/json')).status
  await api.send({ method: 'POST', path: WIDGETS, body: widget })
})
afterAll(async () => {
  await api.stop()
  expect(api.errors).toEqual([])
})

const definition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', labels: { of: 'test' } }, spec: { x: 1 } }
const get = (path: string, accept: string): ReturnType<TestApi['send']> => api.send({ method: 'GET', path, accept })

describe('answers in protobuf', () => {
  it.each([
    `${MAPS}/a`,
    MAPS,
    `${MAPS}?limit=1`,
    '/api/v1/namespaces',
    '/api/v1/namespaces/default/serviceaccounts',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/admin',
    `${CRDS}/widgets.example.com`,
    CRDS,
    '/apis/apiregistration.k8s.io/v1/apiservices',
    `${MAPS}/missing`,
    '/api/v1/nope',
    '/api',
    '/api/v1',
    '/apis',
    '/apis/coordination.k8s.io',
    '/apis/coordination.k8s.io/v1',
    '/apis/example.com/v1',
  ])('say of %s what JSON says', async (path) => {
    const [json, protobuf] = [await get(path, 'application/json'), await get(path, PROTOBUF)]
    expect(protobuf.contentType).toBe(PROTOBUF)
    expect(protobuf.status).toBe(json.status)
    expect(untyped(protobuf.body)).toEqual(untyped(json.body))
  })

  it('say it in the aggregated document, too', async () => {
    const parameters = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    const [json, protobuf] = [await get('/apis', `application/json${parameters}`), await get('/apis', PROTOBUF + parameters)]
    expect(protobuf.contentType).toBe(PROTOBUF + parameters)
    expect(protobuf.body).toEqual(json.body)
  })

  it('have metadata of any kind', async () => {
    for (const path of [`${MAPS}/a`, `${WIDGETS}/w`]) {
      const { contentType, body } = await get(path, PROTOBUF + METADATA)
      expect(contentType).toBe(PROTOBUF)
      expect(body).toMatchObject({ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: { labels: { of: 'test' } } })
    }
    for (const version of ['v1', 'v1beta1'])
      expect((await get(WIDGETS, PROTOBUF + LIST_METADATA.replace('v=v1', `v=${version}`))).body).toMatchObject({
        apiVersion: `meta.k8s.io/${version}`,
        kind: 'PartialObjectMetadataList',
        items: [{ metadata: { name: 'w' } }],
      })
  })

  it('are refused for custom resources, in protobuf, before anything is done', async () => {
    const refused = await api.send({ method: 'POST', path: WIDGETS, body: { ...widget, metadata: { name: 'x' } }, accept: PROTOBUF })
    expect(refused).toMatchObject({ status: 406, contentType: PROTOBUF, body: { kind: 'Status', reason: 'NotAcceptable' } })
    expect((await get(`${WIDGETS}/x`, 'application/json')).status).toBe(404)
    expect((await get(`${WIDGETS}/w`, `${PROTOBUF},application/json`)).contentType).toBe('application/json')
  })

  it('come by watches in frames', async () => {
    const state = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=of=test'
    for (const [path, accept, kind] of [
      [MAPS, PROTOBUF, 'ConfigMap'],
      [MAPS, PROTOBUF + METADATA, 'PartialObjectMetadata'],
      [WIDGETS, PROTOBUF + METADATA, 'PartialObjectMetadata'],
    ] as const) {
      const { answer, events } = await api.watch({ method: 'GET', path: `${path}?${state}`, accept }, (seen) => seen.length >= 2, 30_000)
      expect(answer.contentType).toBe(`${PROTOBUF};stream=watch`)
      expect(events).toMatchObject([
        { type: 'ADDED', object: { kind, metadata: { labels: { of: 'test' } } } },
        { type: 'BOOKMARK', object: { kind, metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } },
      ])
    }
  })
})

describe('the state by a watch, as a Table', () => {
  it.each(['None', 'Metadata', 'Object'])('ends with a row that says so (includeObject=%s)', async (include) => {
    const query = `watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=of=test&includeObject=${include}`
    const call = { method: 'GET', path: `${MAPS}?${query}`, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
    const { events } = await api.watch(call, (seen) => seen.length >= 2, 30_000)
    expect(events).toMatchObject([
      {
        type: 'ADDED',
        object: { kind: 'Table', columnDefinitions: [{ name: 'Name' }, {}, {}], rows: [{ cells: ['a', 1, expect.anything()] }] },
      },
      {
        type: 'BOOKMARK',
        object: {
          kind: 'Table',
          columnDefinitions: null,
          rows: [{ object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } }],
        },
      },
    ])
  })
})

/** Items of lists carry no type in protobuf, as those of built-in kinds carry none in JSON; APIVersions names no version. Tokens say when their list was begun. */
function untyped(body: unknown): unknown {
  const { apiVersion: _version, ...rest } = body as Record<string, unknown>
  const { continue: token, ...metadata } = (rest['metadata'] ?? {}) as Record<string, unknown>
  return { ...rest, ...(rest['metadata'] !== undefined && { metadata: { ...metadata, continues: Boolean(token) } }) }
}
