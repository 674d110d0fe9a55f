import { describe, expect, it } from 'vitest'
import { builtinKinds } from '../../kinds/index.ts'
import { encodeOpenApiV2, WireReader } from '../../protobuf/index.ts'
import { ask, askJson, bodyOf, servedCatalog, widget } from '../discovery/served.fixture.ts'
import { openApiV2Handler } from './openapi-v2.ts'

const handler = openApiV2Handler({ catalog: servedCatalog(widget), kinds: builtinKinds, release: '1' })
const PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'

interface Document {
  readonly swagger: string
  readonly paths: Readonly<Record<string, object>>
  readonly definitions: Readonly<Record<string, { readonly properties?: Readonly<Record<string, { readonly properties?: object }>> }>>
  readonly parameters: object
}

describe('OpenAPI v2', () => {
  it('is one document of everything that is served', async () => {
    const { swagger, paths, definitions } = await askJson<Document>(handler, '/openapi/v2')
    expect(swagger).toBe('2.0')
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/api/', '/apis/apiextensions.k8s.io/', '/api/v1/secrets', '/version/', '/apis/example.io/v1/widgets']),
    )
    expect(Object.keys(definitions)).toEqual(
      expect.arrayContaining([
        'io.k8s.api.core.v1.Secret',
        'io.example.v1.Widget',
        'io.example.v1beta1.WidgetList',
        'io.k8s.api.autoscaling.v1.Scale',
      ]),
    )
  })

  it('leaves out what v2 cannot say', async () => {
    const { definitions } = await askJson<Document>(handler, '/openapi/v2')
    expect(definitions['io.example.v1.Widget']?.properties?.['spec']?.properties).toEqual({
      size: expect.objectContaining({ type: 'integer', format: 'int32', description: 'Its size.' }),
      color: { enum: ['red'] },
      port: { 'x-kubernetes-int-or-string': true },
      any: { 'x-kubernetes-preserve-unknown-fields': true },
      template: expect.objectContaining({ 'x-kubernetes-embedded-resource': true, required: ['kind', 'apiVersion'] }),
      ports: expect.objectContaining({ 'x-kubernetes-list-type': 'map' }),
      either: { type: 'object', properties: { a: { type: 'string' } } },
    })
    expect(definitions['io.example.v1beta1.Widget']).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: 'example.io', kind: 'Widget', version: 'v1beta1' }],
    })
  })

  it('refers only to what it has, and says nothing twice', async () => {
    const text = bodyOf(await ask(handler, '/openapi/v2'))
    const document = JSON.parse(text) as Document
    for (const [, part = '', name = ''] of text.matchAll(/"#\/(definitions|parameters)\/([^"]+)"/g))
      expect(Object.hasOwn(part === 'definitions' ? document.definitions : document.parameters, name), `${part} ${name}`).toBe(true)
    expect(JSON.stringify(document)).toHaveLength(text.length)
  })

  it.each([PROTOBUF, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf', `text/html, ${PROTOBUF}, application/json`])(
    'is protobuf for %s',
    async (accept) => {
      const response = await ask(handler, '/openapi/v2', { headers: { accept } })
      expect(response?.body).toMatchObject({ contentType: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' })
    },
  )

  it('has the same definitions in protobuf, though it was written in pieces', async () => {
    const response = await ask(handler, '/openapi/v2', { headers: { accept: PROTOBUF } })
    if (response?.body.kind !== 'bytes') throw new Error('no bytes')
    const document = await askJson<Document>(handler, '/openapi/v2')
    expect(sizes(response.body.bytes as Buffer)).toEqual(sizes(encodeOpenApiV2(document)))
  })

  it.each([
    ['text/html', 406],
    ['*/*', 200],
    [undefined, 200],
  ])('answers Accept: %s with %d', async (accept, status) => {
    expect(await ask(handler, '/openapi/v2', { headers: accept === undefined ? {} : { accept } })).toMatchObject({ status })
  })

  it('answers 304 to a client that has it', async () => {
    const etag = (await ask(handler, '/openapi/v2'))?.headers?.['etag'] ?? ''
    expect(await ask(handler, '/openapi/v2', { headers: { accept: PROTOBUF, 'if-none-match': etag } })).toMatchObject({ status: 304 })
  })
})

/** Bytes of each top-level field, added up over its pieces. */
function sizes(bytes: Uint8Array): Map<number, number> {
  const reader = new WireReader(bytes)
  const found = new Map<number, number>()
  while (!reader.done) {
    const { number } = reader.tag()
    found.set(number, (found.get(number) ?? 0) + reader.bytes().length)
  }
  return new Map([...found].sort(([a], [b]) => a - b))
}
