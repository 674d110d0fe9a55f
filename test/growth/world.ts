import type { BareRequest, BareServer } from '../bare-server.ts'

/** A request of a size that can be chosen. */
export interface GrowthCase {
  readonly name: string
  requests(n: number): BareRequest
  /** Sent first, not counted. */
  before?(n: number): readonly BareRequest[]
  /** What it may be answered with; by default a success or a refusal of the body. */
  readonly answers?: readonly number[]
  readonly size?: number
  /** Instead of growing in proportion, the work has this as its end. */
  readonly bound?: number
}

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
export const THINGS = '/apis/growth.example.org/v1/namespaces/default/things'
const JSON_TYPE = 'application/json'
export const TYPES = {
  json: 'application/json',
  yaml: 'application/yaml',
  merge: 'application/merge-patch+json',
  patch: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

const THING_SCHEMA = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        closed: { type: 'array', items: { type: 'object', properties: { a: { type: 'string', default: 'a' } } } },
        table: { type: 'object', additionalProperties: { type: 'integer' } },
        keyed: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'port'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, port: { type: 'integer', default: 1 }, more: { type: 'string' } },
          },
        },
        unique: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        atomic: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string', pattern: '^(a+)+$' } },
        either: {
          type: 'array',
          items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
        },
        ruled: {
          type: 'array',
          maxItems: 100_000,
          items: {
            type: 'object',
            properties: { a: { type: 'string', maxLength: 10 } },
            'x-kubernetes-validations': [{ rule: 'self.a != "x"' }],
          },
        },
        embedded: {
          type: 'array',
          items: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}

export async function prepare(server: BareServer): Promise<void> {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.growth.example.org' },
    spec: {
      group: 'growth.example.org',
      names: { kind: 'Thing', plural: 'things' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: THING_SCHEMA },
          subresources: { status: {} },
          selectableFields: undefined,
          additionalPrinterColumns: [{ name: 'All', type: 'string', jsonPath: '.spec.keyed[*].name' }],
        },
      ],
    },
  }
  await expectSuccess(server, post(CRDS, definition))
  for (let tries = 0; ; tries++) {
    const { status } = await server.send({ method: 'GET', url: THINGS })
    if (status === 200) break
    if (tries > 1000) throw new Error(`the definition is not served: ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await expectSuccess(server, post(THINGS, thing('fixed', {})))
  await expectSuccess(server, post(CONFIG_MAPS, configMap('fixed', {})))
}

async function expectSuccess(server: BareServer, request: BareRequest): Promise<void> {
  const response = await server.send(request)
  if (response.status >= 300) throw new Error(`${request.method} ${request.url}: ${JSON.stringify(response.body)}`)
}

export const send = (method: string, url: string, body: unknown, type: string = JSON_TYPE): BareRequest => ({
  method,
  url,
  headers: { 'content-type': type },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
export const post = (url: string, body: unknown, type?: string): BareRequest => send('POST', url, body, type)
export const dry = (url: string): string => `${url}?dryRun=All`

export const thing = (name: string, spec: unknown, metadata: object = {}): object => ({
  apiVersion: 'growth.example.org/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'default', ...metadata },
  spec,
})
export const configMap = (name: string, more: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...metadata },
  ...more,
})

export const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))
export const members = <T>(n: number, make: (i: number) => T, prefix = 'k'): Record<string, T> =>
  Object.fromEntries(times(n, (i) => [`${prefix}${i}`, make(i)]))
export const owner = (i: number, same = false): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: `o${i}`,
  uid: same ? 'u' : `u${i}`,
})

export function definition(_n: number, schema: object, versions = 1, version: object = {}, names: object = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'others.growth.example.org' },
    spec: {
      group: 'growth.example.org',
      names: { kind: 'Other', plural: 'others', ...names },
      scope: 'Namespaced',
      versions: times(versions, (i) => ({
        name: `v${i + 1}`,
        served: true,
        storage: i === 0,
        schema: { openAPIV3Schema: schema },
        ...version,
      })),
    },
  }
}
