import { call, type Names, type Scenario, silent, type Step } from '../scenario.ts'
import { configMap, configMaps, namespace } from './parts.ts'

const GROUP = '/apis/admissionregistration.k8s.io/v1'
const V1 = 'admissionregistration.k8s.io/v1'

/** Policies are for the whole cluster: each is about the ConfigMaps of one namespace, and its name is its own. */
export const configMapRules: object = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE', 'UPDATE'] }],
}

export const inNamespace = ({ ns }: Names): object => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ns } } })

const named = (n: Names, kind: string, name: string, spec: object): object => ({
  apiVersion: V1,
  kind,
  metadata: { name: `${name}-${n.id}` },
  spec,
})

export const configuration = (expression: string): object => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } })
export const operations = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } })

export const mutatingPolicy = (n: Names, name: string, mutations: readonly object[], more: object = {}): object =>
  named(n, 'MutatingAdmissionPolicy', name, {
    matchConstraints: { ...configMapRules, ...inNamespace(n) },
    reinvocationPolicy: 'Never',
    mutations,
    ...more,
  })

export const mutatingBinding = (n: Names, name: string, more: object = {}): object =>
  named(n, 'MutatingAdmissionPolicyBinding', name, { policyName: `${name}-${n.id}`, ...more })

const all = (path: string, objects: readonly object[]): Step[] => objects.map((object) => call('POST', path, object))
const MUTATING = `${GROUP}/mutatingadmissionpolicies`
const BINDINGS = `${GROUP}/mutatingadmissionpolicybindings`

/** Puts a policy into force, and waits until it is: both servers learn of policies in their own time. */
export function inForce(n: Names, name: string, policy: object, binding: object): Step[] {
  const marker = mutatingPolicy(
    n,
    `${name}-marker`,
    [configuration(`Object{metadata: Object.metadata{labels: {"in-force": "${name}"}}}`)],
    {
      matchConditions: [{ name: 'marked', expression: `object.metadata.name == "marker-${name}"` }],
    },
  )
  return [
    silent(call('POST', MUTATING, policy)),
    silent(call('POST', BINDINGS, binding)),
    silent(call('POST', MUTATING, marker)),
    silent(call('POST', BINDINGS, mutatingBinding(n, `${name}-marker`))),
    {
      kind: 'eventually',
      silent: true,
      call: { method: 'POST', path: `${configMaps(n)}?dryRun=All`, body: configMap(`marker-${name}`) },
      until: ({ body, status }) =>
        status === 403 || (body as { metadata?: { labels?: Record<string, string> } }).metadata?.labels?.['in-force'] === name,
    },
  ]
}

export function withdrawn(n: Names, name: string): Step[] {
  return [
    silent(call('DELETE', `${BINDINGS}/${name}-${n.id}`)),
    silent(call('DELETE', `${MUTATING}/${name}-${n.id}`)),
    silent(call('DELETE', `${BINDINGS}/${name}-marker-${n.id}`)),
    silent(call('DELETE', `${MUTATING}/${name}-marker-${n.id}`)),
    {
      kind: 'eventually',
      silent: true,
      call: { method: 'POST', path: `${configMaps(n)}?dryRun=All`, body: configMap(`marker-${name}`) },
      until: ({ body, status }) => status === 201 && (body as { metadata?: { labels?: object } }).metadata?.labels === undefined,
    },
  ]
}

/** Waits until the policy has an effect: parameters are read by a cache that each policy starts anew. */
const changed = (n: Names, object: object, refusal: boolean): Step => ({
  kind: 'eventually',
  silent: true,
  call: { method: 'POST', path: `${configMaps(n)}?dryRun=All`, body: object },
  until: ({ body, status }) => (refusal && status === 403) || Object.keys((body as { data?: object }).data ?? {}).length > 2,
})

/** One policy at a time, tried on one ConfigMap. */
function tried(
  n: Names,
  name: string,
  mutations: readonly object[],
  { more = {}, binding = {}, changes = false, refused = false } = {},
): Step[] {
  const marked = { matchConditions: [{ name: 'not-marker', expression: '!object.metadata.name.startsWith("marker-")' }], ...more }
  const object = configMap(name, { data: { a: '1', b: '2' } }, { labels: { x: 'y' } })
  return [
    ...inForce(n, name, mutatingPolicy(n, name, mutations, marked), mutatingBinding(n, name, binding)),
    ...(changes ? [changed(n, object, refused)] : []),
    call('POST', configMaps(n), object),
    ...withdrawn(n, name),
  ]
}

const one = (expression: string): readonly object[] => [configuration(expression)]
const patch = (expression: string): readonly object[] => [operations(expression)]

export const policyScenarios: readonly Scenario[] = [
  {
    name: 'policies: mutating policies as objects',
    steps: (n) => [
      ...all(MUTATING, [
        mutatingPolicy(n, 'a', one('Object{}')),
        mutatingPolicy(n, 'b', []),
        mutatingPolicy(n, 'c', one('Object{}'), { matchConstraints: undefined }),
        mutatingPolicy(n, 'd', one('Object{}'), { reinvocationPolicy: undefined }),
        mutatingPolicy(n, 'e', one('Object{}'), { reinvocationPolicy: 'Nope', failurePolicy: 'Nope' }),
        mutatingPolicy(n, 'f', one('')),
        mutatingPolicy(n, 'g', one('object.')),
        mutatingPolicy(n, 'h', one('1')),
        mutatingPolicy(n, 'i', one('Object.spec{}')),
        mutatingPolicy(n, 'j', one('Objekt{}')),
        mutatingPolicy(n, 'k', one('Object{spec: Object.spec{a: missing}}')),
        mutatingPolicy(n, 'l', patch('[]')),
        mutatingPolicy(n, 'm', patch('[JSONPatch{op: "add", path: "/x", value: 1}]')),
        mutatingPolicy(n, 'n', patch('JSONPatch{op: "add"}')),
        mutatingPolicy(n, 'o', patch('[JSONPatch{op: 1, path: "/x"}]')),
        mutatingPolicy(n, 'p', patch('[JSONPatch{op: dyn(1)}]')),
        mutatingPolicy(n, 'q', [{ patchType: 'Nope' }, {}, { patchType: 'JSONPatch' }, { patchType: 'ApplyConfiguration' }]),
        mutatingPolicy(n, 'r', [{ ...configuration('Object{}'), ...operations('[JSONPatch{}]') }]),
        mutatingPolicy(n, 's', [{ ...operations('[]'), ...configuration('Object{}') }]),
        mutatingPolicy(n, 't', one('Object{}'), {
          matchConstraints: {
            resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['DELETE'] }],
          },
        }),
        mutatingPolicy(n, 'u', one('Object{spec: Object.spec{a: params.x}}')),
        mutatingPolicy(n, 'v', one('Object{}'), { matchConditions: [{ name: 'c', expression: 'Object{} == Object{}' }] }),
        mutatingPolicy(n, 'w', one('Object{}'), { variables: [{ name: 'v', expression: 'Object{}' }] }),
        mutatingPolicy(n, 'mixed', one('Object{data: {"a": object.x, "b": "c"}}')),
        mutatingPolicy(n, 'x', one('int{}')),
        mutatingPolicy(n, 'y', one('object{}')),
        mutatingPolicy(n, 'z', one('Object{a: jsonpatch.escapeKey(1)}')),
      ]),
      call('GET', `${MUTATING}/a-${n.id}`),
      call('PATCH', `${MUTATING}/a-${n.id}`, { spec: { failurePolicy: 'Ignore' } }, { contentType: 'application/merge-patch+json' }),
      call('GET', MUTATING + `?fieldSelector=metadata.name%3Da-${n.id}`, undefined, {
        accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
      }),
      ...all(BINDINGS, [
        mutatingBinding(n, 'a'),
        mutatingBinding(n, 'b', { policyName: undefined }),
        mutatingBinding(n, 'c', { policyName: 'Not Good', paramRef: {} }),
        mutatingBinding(n, 'd', { paramRef: { name: 'x', selector: {}, parameterNotFoundAction: 'Nope' } }),
        mutatingBinding(n, 'e', {
          matchResources: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['x'], operations: ['DELETE', 'CREATE'] }] },
        }),
      ]),
      call('GET', BINDINGS + `?fieldSelector=metadata.name%3Da-${n.id}`, undefined, {
        accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
      }),
      ...['l', 'm', 'v', 'w'].map((name) => silent(call('DELETE', `${MUTATING}/${name}-${n.id}`))),
      ...['a', 'e'].map((name) => silent(call('DELETE', `${BINDINGS}/${name}-${n.id}`))),
      call('DELETE', `${MUTATING}/a-${n.id}`),
    ],
  },
  {
    name: 'policies: apply configurations',
    steps: (n) => [
      namespace(n),
      ...tried(n, 'labels', one('Object{metadata: Object.metadata{labels: {"a/b": "c"}}, data: {"new": object.data.a}}')),
      ...tried(n, 'names', one('Object{metadata: Object.spec{labels: {"a": "c"}}}')),
      ...tried(n, 'unknown', one('Object{spec: Object.spec{a: 1}}')),
      ...tried(n, 'types', one('Object{data: {"a": 1}}')),
      ...tried(
        n,
        'atomic',
        one('Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{uid: "x"}], finalizers: ["a/b"]}}'),
      ),
      ...tried(n, 'fails', one('Object{data: {"a": object.data.nope}}')),
      ...tried(n, 'ignored', one('Object{data: {"a": object.data.nope}}'), { more: { failurePolicy: 'Ignore' } }),
      ...tried(
        n,
        'optional',
        one('Object{?data: optional.none(), ?immutable: object.?immutable, metadata: Object.metadata{?labels: optional.of({"o": "p"})}}'),
      ),
      ...tried(
        n,
        'fields',
        one('Object{metadata: Object.metadata{labels: {"l": string(Object{a: [1, 2]}.a.sum()), "m": string(has(Object{}.a))}}}'),
      ),
      ...tried(n, 'twice', [
        configuration('Object{data: {"c": object.data.a + "x"}}'),
        configuration('Object{data: {"d": object.data.c + "y"}}'),
      ]),
      ...tried(n, 'variables', one('Object{data: {"v": variables.v}}'), {
        more: { variables: [{ name: 'v', expression: 'object.data.a + object.metadata.name' }] },
      }),
      ...tried(n, 'kinds', one('Object{kind: "Other", apiVersion: "v9", immutable: true}')),
      ...tried(n, 'nothing', one('Object{}')),
      ...tried(n, 'conditions', one('Object{data: {"q": "r"}}'), {
        more: { matchConditions: [{ name: 'c', expression: 'object.nope == 1' }] },
      }),
    ],
  },
  {
    name: 'policies: JSON patches',
    steps: (n) => [
      namespace(n),
      ...tried(n, 'add', patch('[JSONPatch{op: "add", path: "/data/c", value: "3"}, JSONPatch{op: "remove", path: "/data/b"}]')),
      ...tried(n, 'escape', patch('[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a~b/c"), value: "3"}]')),
      ...tried(n, 'test', patch('[JSONPatch{op: "test", path: "/data/a", value: "9"}, JSONPatch{op: "add", path: "/data/c", value: "3"}]')),
      ...tried(
        n,
        'tested',
        patch('[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "add", path: "/data/c", value: "3"}]'),
      ),
      ...tried(
        n,
        'copy',
        patch('[JSONPatch{op: "copy", from: "/data/a", path: "/data/c"}, JSONPatch{op: "move", from: "/data/b", path: "/data/d"}]'),
      ),
      ...tried(n, 'object', patch('[JSONPatch{op: "add", path: "/metadata/annotations", value: {"x": "y"}}]')),
      ...tried(
        n,
        'struct',
        patch(
          '[JSONPatch{op: "add", path: "/metadata", value: Object.metadata{name: object.metadata.name, namespace: object.metadata.namespace, labels: {"s": "t"}}}]',
        ),
      ),
      ...tried(n, 'field', patch('[JSONPatch{op: "add", path: "/nope", value: 1}]')),
      ...tried(n, 'wrong', patch('[JSONPatch{op: "add", path: "/data/a", value: 1}]')),
      ...tried(n, 'ternary', patch('has(object.data.a) ? [JSONPatch{op: "replace", path: "/data/a", value: "t"}] : []')),
      ...tried(n, 'empty', patch('[]')),
    ],
  },
  {
    name: 'policies: parameters of mutating policies',
    steps: (n) => {
      const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' }
      const mutation = one('Object{data: {"p": has(params.data) ? params.data.value : "none", "null": dyn(string(params == null))}}')
      return [
        namespace(n),
        ...tried(n, 'none', mutation, { more: { paramKind }, changes: true }),
        ...tried(n, 'allowed', mutation, {
          more: { paramKind },
          binding: { paramRef: { name: 'nope', parameterNotFoundAction: 'Allow' } },
        }),
        ...tried(n, 'denied', mutation, {
          more: { paramKind },
          changes: true,
          refused: true,
          binding: { paramRef: { name: 'nope', parameterNotFoundAction: 'Deny' } },
        }),
        ...tried(n, 'select', one('Object{data: {"p": params.data.value}}'), { more: { paramKind }, changes: true, refused: true }),
        ...tried(n, 'ask', one('Object{data: {"p": params.?data.?value.orValue("gone")}}'), {
          more: { paramKind },
          changes: true,
          refused: true,
        }),
      ]
    },
  },
]
