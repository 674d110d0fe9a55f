import { type ApiResponse, objectOf } from '@weft/apiserver'
import { stringify } from 'yaml'
import { type BareRequest, type BareServer, startBareServer } from '../bare-server.ts'
import type { Draw } from './draw.ts'
import { FuzzFinding, type FuzzTarget } from './target.ts'

const SOMEBODY = { username: 'somebody', groups: ['system:authenticated'] }

/** Requests of every verb to kinds built in and custom, with bodies that are nearly right. */
export function requestTarget(): FuzzTarget {
  let server: BareServer
  const mustHaveNoFault = (): void => {
    if (server.faults.length > 0) throw new FuzzFinding(server.faults.splice(0).join('\n'))
  }
  return {
    name: 'requests',
    async start() {
      server = await startBareServer()
      const headers = { 'content-type': 'application/json' }
      const made = await server.send({ method: 'POST', url: CRDS, body: JSON.stringify(DEFINITION), headers })
      if (made.status !== 201) throw new Error(`the definition was refused: ${made.status}`)
    },
    async run(draw, note) {
      const request = randomRequest(draw)
      note(JSON.stringify({ ...request, body: request.body === undefined ? undefined : Buffer.from(request.body).toString('base64') }))
      const response = await server.send(request)
      mustHaveNoFault()
      consume(response)
      mustHaveNoFault()
    },
    stop: () => server.close(),
  }
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.fuzz.example.org' },
  spec: {
    group: 'fuzz.example.org',
    names: { kind: 'Thing', plural: 'things' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', minimum: 0, default: 3 },
                  replicas: { type: 'integer' },
                  name: { type: 'string', pattern: '^[a-z]+$', maxLength: 20 },
                  when: { type: 'string', format: 'date-time' },
                  either: { 'x-kubernetes-int-or-string': true },
                  list: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, value: { type: 'integer' } } },
                  },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
                },
                'x-kubernetes-validations': [{ rule: 'self.size < 100', message: 'too large' }],
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}

/** An answer must be possible to send: what cannot be written is a fault as well. */
function consume(response: ApiResponse): void {
  const { body } = response
  if (body.kind === 'watch') body.watch.open({ send: () => undefined, close: () => undefined })()
  else if (body.kind === 'object' || body.kind === 'list' || body.kind === 'stored') objectOf(response)
}

const COLLECTIONS = [
  [
    '/api/v1/namespaces/default/configmaps',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { a: 'b' } }, data: { a: 'b' } },
  ],
  ['/api/v1/namespaces/default/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, stringData: { a: 'b' } }],
  [
    '/api/v1/namespaces/default/services',
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ name: 'p', port: 80 }] } },
  ],
  ['/api/v1/namespaces/default/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } }],
  [
    '/api/v1/namespaces/default/events',
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'a', namespace: 'default' },
      involvedObject: { kind: 'X', name: 'a', namespace: 'default' },
      reason: 'r',
      message: 'm',
    },
  ],
  [
    '/apis/fuzz.example.org/v1/namespaces/default/things',
    {
      apiVersion: 'fuzz.example.org/v1',
      kind: 'Thing',
      metadata: { name: 'a', finalizers: ['example.org/x'] },
      spec: {
        size: 1,
        list: [{ name: 'a', value: 1 }, { name: 'b' }],
        free: { a: 1 },
        embedded: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
      },
    },
  ],
  [
    CRDS,
    {
      ...DEFINITION,
      metadata: { name: 'others.fuzz.example.org' },
      spec: { ...DEFINITION.spec, names: { kind: 'Other', plural: 'others' } },
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'a' },
      rules: [{ apiGroups: [''], resources: ['x'], verbs: ['get'] }],
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'a' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'a' },
      subjects: [{ kind: 'User', name: 'x', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  ],
  [
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'a' },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ['nobody.example.org'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
        },
        validations: [{ expression: 'object.metadata.name != "x"' }],
      },
    },
  ],
  [
    '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' }, spec: { leaseDurationSeconds: 10 } },
  ],
  [
    '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: 'u', resourceAttributes: { verb: 'get', resource: 'pods' } },
    },
  ],
  ['/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fuzzed' } }],
] as const

const ODD_PATHS = [
  '/',
  '/api',
  '/apis',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/api/v1',
  '/version',
  '/metrics',
  '/healthz',
  '/readyz',
  '/livez/x',
  '/apis/fuzz.example.org',
  '/apis/fuzz.example.org/v1',
  '/api/v1/watch/namespaces/default/configmaps',
  '/apis/x/y/z/a/b/c',
  '/api/v1/namespaces/default',
  '/openid/v1/jwks',
]
const METHODS = [
  'GET',
  'GET',
  'POST',
  'POST',
  'POST',
  'PUT',
  'PUT',
  'PATCH',
  'PATCH',
  'PATCH',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'QUERY',
]
const PATCHES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
]
const TYPES = ['application/json', 'application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', '', 'text/plain']
const ACCEPTS = [
  'application/json',
  '*/*',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  ';q=,',
  'application/json;as=',
]
const QUERIES: readonly (readonly [string, readonly string[]])[] = [
  ['dryRun', ['All', 'x']],
  ['fieldManager', ['m', '']],
  ['force', ['true', 'x']],
  ['fieldValidation', ['Strict', 'Ignore', 'Warn', 'x']],
  ['labelSelector', ['a=b', 'a in (b,c)', '!a', 'a', 'a=b,', '((', 'a notin (', 'x y']],
  ['fieldSelector', ['metadata.name=a', 'spec.x=1', '=', 'metadata.name!=\\']],
  ['limit', ['1', '-1', 'x', '999999999999999999999']],
  ['continue', ['x', 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJhIn0=']],
  ['resourceVersion', ['0', '1', 'x', '99999999']],
  ['resourceVersionMatch', ['Exact', 'NotOlderThan', 'x']],
  ['watch', ['true', '1']],
  ['timeoutSeconds', ['0', '1', 'x']],
  ['timeout', ['1s', 'x', '-1']],
  ['pretty', ['true']],
  ['sendInitialEvents', ['true']],
  ['allowWatchBookmarks', ['true']],
  ['propagationPolicy', ['Foreground', 'Orphan', 'x']],
  ['gracePeriodSeconds', ['0', '-1', 'x']],
]

/** Text as it would travel: half a character does not. */
const sent = (text: string): string => Buffer.from(text).toString()

function randomRequest(draw: Draw): BareRequest {
  const [collection, sample] = draw.pick(COLLECTIONS)
  const method = draw.pick(METHODS)
  const named = method !== 'POST' && !draw.chance(0.1)
  const part = draw.chance(0.12) ? draw.pick(['/status', '/scale', '/token', '/finalize', '/x', '/a/b']) : ''
  const path = draw.chance(0.08) ? draw.pick(ODD_PATHS) : `${collection}${named ? `/${draw.chance(0.9) ? 'a' : draw.text()}` : ''}${part}`
  const query = QUERIES.filter(() => draw.chance(0.06)).map(
    ([name, values]) => `${name}=${encodeURIComponent(sent(draw.chance(0.9) ? draw.pick(values) : draw.text()))}`,
  )
  const url = `${encodeURI(sent(draw.chance(0.03) ? draw.garbled(path) : path)).replaceAll('#', '%23')}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const type = method === 'PATCH' ? draw.pick(PATCHES) : draw.pick(TYPES)
  const headers = { 'content-type': type, ...(draw.chance(0.2) && { accept: draw.pick(ACCEPTS) }), 'user-agent': 'fuzz/1' }
  const hasBody = method !== 'GET' && method !== 'HEAD' && !draw.chance(0.05)
  return { method, url, headers, ...(hasBody && { body: bodyOf(draw, type, sample) }), ...(draw.chance(0.05) && { user: SOMEBODY }) }
}

function bodyOf(draw: Draw, type: string, sample: object): string | Uint8Array {
  const value = type === 'application/json-patch+json' ? randomOperations(draw) : draw.chance(0.3) ? sample : draw.changed(sample)
  const text = /yaml/.test(type) && draw.chance(0.7) ? stringify(value) : JSON.stringify(value)
  if (type.includes('protobuf')) return draw.garbledBytes(Buffer.concat([Buffer.from([0x6b, 0x38, 0x73, 0]), Buffer.from(text)]))
  if (draw.chance(0.25)) return draw.garbled(text)
  return draw.chance(0.03) ? draw.garbledBytes(Buffer.from(text)) : text
}

const POINTERS = [
  '',
  '/',
  '/metadata/labels/a',
  '/metadata/name',
  '/spec',
  '/spec/list/0',
  '/spec/list/-',
  '/spec/list/99',
  '/spec/free/a',
  '/data/a',
  '/a~1b~0',
  '/metadata/finalizers',
  '/__proto__/x',
  '/status',
]

const randomOperations = (draw: Draw): unknown =>
  draw.chance(0.05)
    ? draw.json()
    : draw.times(6, () => ({
        op: draw.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', draw.text()]),
        path: draw.chance(0.9) ? draw.pick(POINTERS) : draw.json(0),
        ...(draw.chance(0.5) && { from: draw.pick(POINTERS) }),
        ...(draw.chance(0.7) && { value: draw.json(2) }),
      }))
