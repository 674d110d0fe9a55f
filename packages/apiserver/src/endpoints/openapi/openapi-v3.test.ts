import { describe, expect, it } from 'vitest'
import { builtinKinds } from '../../kinds/index.ts'
import { ask, askJson, bodyOf, definition, servedCatalog, typesOf, widget } from '../discovery/served.fixture.ts'
import { openApiV3Handler } from './openapi-v3.ts'

const handlerOver = (catalog = servedCatalog(widget), release = '1'): ReturnType<typeof openApiV3Handler> =>
  openApiV3Handler({ catalog, kinds: builtinKinds, release })
const handler = handlerOver()

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>
}
interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly 'x-kubernetes-action'?: string
  readonly 'x-kubernetes-group-version-kind'?: object
}
interface Component {
  readonly [key: string]: unknown
  readonly properties?: Readonly<Record<string, Component>>
}
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<'get' | 'put' | 'post' | 'delete' | 'patch', Operation>> & { parameters: readonly { name: string }[] }>
  >
  readonly components: { readonly schemas: Readonly<Record<string, Component>> }
}

const urlOf = async (name: string, of = handler): Promise<string> =>
  (await askJson<Index>(of, '/openapi/v3')).paths[name]?.serverRelativeURL ?? ''
const names = (parameters: readonly { readonly name: string }[] | undefined): string[] => (parameters ?? []).map(({ name }) => name)

describe('the index of OpenAPI v3', () => {
  it('names a document for every group version, by hash', async () => {
    const { paths } = await askJson<Index>(handler, '/openapi/v3')
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        'api',
        'api/v1',
        'apis',
        'apis/apiextensions.k8s.io/v1',
        'apis/example.io/v1',
        'apis/example.io/v1beta1',
        'version',
      ]),
    )
    for (const [name, { serverRelativeURL }] of Object.entries(paths)) {
      expect(serverRelativeURL).toMatch(new RegExp(`^/openapi/v3/${name}\\?hash=[0-9A-F]{64}$`))
      expect(await ask(handler, serverRelativeURL), name).toMatchObject({ status: 200 })
    }
  })

  it('keeps the hash of what does not change: of an equal server, and of other kinds', async () => {
    const catalog = servedCatalog(widget)
    const other = handlerOver(catalog)
    const before = await urlOf('apis/example.io/v1', other)
    expect(before).toBe(await urlOf('apis/example.io/v1'))
    catalog.replace([], typesOf(definition('other.io', 'Gadget', [{}])))
    expect(await urlOf('apis/example.io/v1', other)).toBe(before)
    expect(await urlOf('apis/other.io/v1', other)).not.toBe('')
  })

  it('changes the hash with the schema, and with the release', async () => {
    const [version] = widget.spec.versions
    const changed = {
      ...widget,
      spec: {
        ...widget.spec,
        versions: [
          { ...version, name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', description: 'Other.' } } },
        ],
      },
    }
    const before = await urlOf('apis/example.io/v1')
    expect(await urlOf('apis/example.io/v1', handlerOver(servedCatalog(changed)))).not.toBe(before)
    expect(await urlOf('apis/example.io/v1', handlerOver(servedCatalog(widget), '2'))).not.toBe(before)
  })
})

describe('documents of OpenAPI v3', () => {
  it('may be kept for ever under their hash, and moves from an old hash to the new', async () => {
    const url = await urlOf('apis/example.io/v1')
    const response = await ask(handler, url)
    const etag = response?.headers?.['etag'] ?? ''
    expect(response?.headers).toMatchObject({ 'cache-control': expect.stringContaining('immutable'), vary: 'Accept' })
    expect(url).toContain(etag.replaceAll('"', ''))
    expect(await ask(handler, '/openapi/v3/apis/example.io/v1?hash=OLD')).toMatchObject({ status: 301, headers: { location: url } })
    expect(await ask(handler, '/openapi/v3/apis/example.io/v1', { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304 })
  })

  it.each([
    ['/openapi/v3/apis/nope/v1', {}, 404],
    ['/openapi/v3/', {}, 404],
    ['/openapi/v3/apis/example.io', {}, 404],
    ['/openapi/v3/apis/example.io/v1', { accept: 'text/html' }, 406],
    ['/openapi/v3/apis/example.io/v1', { accept: 'application/json, */*' }, 200],
  ])('answers %s %o with %d', async (url, headers, status) => {
    expect(await ask(handler, url, { headers })).toMatchObject({ status })
  })

  it('describes a custom kind: its schema, metadata by reference, and what each field may be', async () => {
    const { components } = await askJson<Document>(handler, '/openapi/v3/apis/example.io/v1')
    const component = components.schemas['io.example.v1.Widget']
    expect(component).toMatchObject({
      description: 'A widget.',
      required: ['spec'],
      'x-kubernetes-group-version-kind': [{ group: 'example.io', kind: 'Widget', version: 'v1' }],
      'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.color' }],
      properties: { metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] } },
    })
    expect(component?.properties?.['spec']?.properties).toMatchObject({
      size: { type: 'integer', default: 3, description: 'Its size.' },
      color: { type: 'string', nullable: true },
      port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      ports: { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      template: { required: ['kind', 'apiVersion'], properties: { spec: { type: 'object' }, metadata: { allOf: [expect.anything()] } } },
      either: { oneOf: [{ required: ['a'] }] },
    })
    expect(components.schemas['io.example.v1.WidgetList']).toMatchObject({
      properties: { items: { items: { $ref: '#/components/schemas/io.example.v1.Widget' } } },
      'x-kubernetes-group-version-kind': [{ group: 'example.io', kind: 'WidgetList', version: 'v1' }],
    })
  })

  it('describes a kind without a schema as an object of any content', async () => {
    const { components } = await askJson<Document>(handler, '/openapi/v3/apis/example.io/v1beta1')
    expect(components.schemas['io.example.v1beta1.Widget']).toMatchObject({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })
  })

  it('keeps properties with names such as __proto__', async () => {
    const properties = JSON.parse(
      '{"spec":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}}}',
    ) as object
    const odd = definition('odd.io', 'Odd', [{ schema: { openAPIV3Schema: { type: 'object', properties: properties as never } } }])
    const text = bodyOf(await ask(handlerOver(servedCatalog(odd)), '/openapi/v3/apis/odd.io/v1'))
    expect(text).toContain('"properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}')
  })

  it('carries the merge rules of built-in kinds', async () => {
    const { components } = await askJson<Document>(handler, '/openapi/v3/api/v1')
    expect(components.schemas['io.k8s.api.core.v1.ServiceAccount']).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: '', kind: 'ServiceAccount', version: 'v1' }],
      properties: {
        secrets: { 'x-kubernetes-patch-merge-key': 'name', 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-list-type': 'map' },
      },
    })
  })

  it.each(['api/v1', 'apis/example.io/v1', 'apis/apiextensions.k8s.io/v1', 'apis/authorization.k8s.io/v1', 'apis', 'version'])(
    'refers only to components it has: %s',
    async (name) => {
      const text = bodyOf(await ask(handler, `/openapi/v3/${name}`))
      const { components } = JSON.parse(text) as Document
      const references = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, component]) => component ?? ''))
      expect([...references].filter((component) => !Object.hasOwn(components.schemas, component))).toEqual([])
      expect(references.size).toBeGreaterThan(0)
    },
  )
})

describe('operations', () => {
  it('tell of fieldValidation where kubectl looks for it: at the PATCH operation itself', async () => {
    for (const [name, path] of [
      ['api/v1', '/api/v1/namespaces/{namespace}/configmaps/{name}'],
      ['apis/example.io/v1', '/apis/example.io/v1/namespaces/{namespace}/widgets/{name}'],
    ] as const) {
      const { paths } = await askJson<Document>(handler, `/openapi/v3/${name}`)
      expect(names(paths[path]?.patch.parameters)).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force'])
      expect(names(paths[path]?.parameters)).toEqual(['name', 'namespace', 'pretty'])
    }
  })

  it('offer strategic merge for built-in kinds only', async () => {
    const builtin = (await askJson<Document>(handler, '/openapi/v3/api/v1')).paths['/api/v1/namespaces/{namespace}/configmaps/{name}']
    const custom = (await askJson<Document>(handler, '/openapi/v3/apis/example.io/v1')).paths[
      '/apis/example.io/v1/namespaces/{namespace}/widgets/{name}'
    ]
    const patches = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json']
    expect(Object.keys(builtin?.patch.requestBody?.content ?? {})).toEqual([...patches, 'application/strategic-merge-patch+json'])
    expect(Object.keys(custom?.patch.requestBody?.content ?? {})).toEqual(patches)
  })

  it.each([
    ['api/v1', '/api/v1/namespaces/{namespace}/secrets', 'get', 'listCoreV1NamespacedSecret', 'list'],
    ['api/v1', '/api/v1/secrets', 'get', 'listCoreV1SecretForAllNamespaces', 'list'],
    ['api/v1', '/api/v1/namespaces/{namespace}/secrets', 'delete', 'deleteCoreV1CollectionNamespacedSecret', 'deletecollection'],
    ['api/v1', '/api/v1/namespaces/{name}/finalize', 'put', 'replaceCoreV1NamespaceFinalize', 'put'],
    ['api/v1', '/api/v1/watch/namespaces/{namespace}/secrets', 'get', 'watchCoreV1NamespacedSecretList', 'watchlist'],
    [
      'apis/rbac.authorization.k8s.io/v1',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}',
      'get',
      'readRbacAuthorizationV1ClusterRole',
      'get',
    ],
    [
      'apis/example.io/v1',
      '/apis/example.io/v1/namespaces/{namespace}/widgets/{name}/status',
      'patch',
      'patchExampleIoV1NamespacedWidgetStatus',
      'patch',
    ],
    [
      'apis/authorization.k8s.io/v1',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      'post',
      'createAuthorizationV1SelfSubjectAccessReview',
      'post',
    ],
  ] as const)('%s %s %s is %s', async (name, path, method, id, action) => {
    const { paths } = await askJson<Document>(handler, `/openapi/v3/${name}`)
    expect(paths[path]?.[method]).toMatchObject({ operationId: id, 'x-kubernetes-action': action })
  })

  it('name the kind of their bodies where it is another', async () => {
    const { paths } = await askJson<Document>(handler, '/openapi/v3/api/v1')
    const token = paths['/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token']?.post
    expect(token?.['x-kubernetes-group-version-kind']).toEqual({ group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' })
  })
})
