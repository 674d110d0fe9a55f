import type { Schema } from '@weft/api'
import type { CrdVersion, CustomResourceDefinition } from '@weft/schema'
import { builtinKinds } from '../../kinds/index.ts'
import { builtinType, Catalog, customTypes, type ResourceType } from '../../registry/index.ts'
import { openMemoryStorage } from '../../storage/memory/memory-storage.ts'
import type { ApiRequest, ApiResponse } from '../exchange.ts'
import { parseRequestInfo } from '../request-info.ts'
import type { PathHandler } from '../server.ts'

/** What path handlers are tested with: the built-in kinds, a few custom ones, and requests without sockets. */
export function servedCatalog(...definitions: readonly CustomResourceDefinition[]): Catalog {
  const catalog = new Catalog(openMemoryStorage())
  catalog.replace([], builtinKinds.map(builtinType))
  for (const definition of definitions) catalog.replace([], typesOf(definition))
  return catalog
}

export const typesOf = (definition: CustomResourceDefinition): ResourceType[] => customTypes(definition, () => Promise.resolve([]))

export function definition(
  group: string,
  kind: string,
  versions: readonly Partial<CrdVersion>[],
  more: object = {},
): CustomResourceDefinition {
  const plural = `${kind.toLowerCase()}s`
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), ...more },
      versions: versions.map((version, index) => ({ name: 'v1', served: true, storage: index === 0, ...version })),
    },
  }
}

export const widget: CustomResourceDefinition = definition(
  'example.io',
  'Widget',
  [
    {
      subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
      selectableFields: [{ jsonPath: '.spec.color' }],
      schema: { openAPIV3Schema: widgetSchema() },
    },
    { name: 'v1beta1' },
    { name: 'v2alpha1', served: false },
  ],
  { shortNames: ['wd'], categories: ['all'] },
)

function widgetSchema(): Schema {
  return {
    type: 'object',
    description: 'A widget.',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        description: 'The desired state.',
        properties: {
          size: { type: 'integer', format: 'int32', default: 3, description: 'Its size.' },
          color: { type: 'string', enum: ['red'], nullable: true },
          port: { 'x-kubernetes-int-or-string': true },
          any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          template: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
          ports: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
          },
          either: { type: 'object', oneOf: [{ required: ['a'] }], properties: { a: { type: 'string' } } },
        },
      },
    },
  }
}

export interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function request(url: string, { method = 'GET', headers = {} }: Ask = {}): ApiRequest {
  const [path = '', query = ''] = url.split('?')
  return {
    method,
    path,
    query: new URLSearchParams(query),
    header: (name) => headers[name],
    headersWithPrefix: () => [],
    body: { kind: 'none' },
    credentials: { kind: 'network' },
    remoteAddress: '127.0.0.1',
    signal: new AbortController().signal,
  }
}

/** What the handler answers; undefined when the path is not its own. */
export async function ask(handler: PathHandler, url: string, options: Ask = {}): Promise<ApiResponse | undefined> {
  const asked = request(url, options)
  return handler(asked, parseRequestInfo(asked.method, asked.path, asked.query), { username: 'somebody', groups: [] })
}

export function bodyOf(response: ApiResponse | undefined): string {
  if (response?.body.kind !== 'bytes') throw new Error('the answer has no bytes')
  return String(response.body.bytes)
}

export async function askJson<T>(handler: PathHandler, url: string, options: Ask = {}): Promise<T> {
  return JSON.parse(bodyOf(await ask(handler, url, options))) as T
}
