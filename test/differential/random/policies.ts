import { call, type Names, silent, type Step } from '../scenario.ts'
import { configMap, configMaps } from '../scenarios/parts.ts'
import { configMapRules, inNamespace, inForce, mutatingBinding, mutatingPolicy } from '../scenarios/policies.ts'
import type { Random } from './random.ts'
import { shared, type Subject } from './subject.ts'

type Json = any

const GROUP = '/apis/admissionregistration.k8s.io/v1'
const apiVersion = 'admissionregistration.k8s.io/v1'
const VALIDATING = `${GROUP}/validatingadmissionpolicies`
const VALIDATING_BINDINGS = `${GROUP}/validatingadmissionpolicybindings`

/** Policies that nothing binds, and bindings of policies that do not exist: objects like others. */
export function policySubjects(n: Names): Subject[] {
  const { names, label } = shared(n)
  const kind = (plural: string, name: string, content: Subject['content'], more: Partial<Subject> = {}): Subject => ({
    path: `${GROUP}/${plural}`,
    apiVersion,
    kind: name,
    custom: false,
    names,
    label,
    content,
    ...more,
  })
  return [
    kind('validatingadmissionpolicies', 'ValidatingAdmissionPolicy', (r) => ({ spec: validating(r, n) }), {
      status: (r) => ({
        conditions: r.some(
          [
            { type: 'Odd', status: r.pick(['True', 'False']), reason: 'R', message: 'm', lastTransitionTime: '2020-01-01T00:00:00Z' },
            { type: 'Even', status: r.pick(['True', 'Nope']), reason: r.pick(['R', '']), message: '' },
          ],
          0.6,
        ),
      }),
      settled: names.map((name): Step => ({
        kind: 'eventually',
        silent: true,
        call: { method: 'GET', path: `${VALIDATING}/${name}` },
        until: ({ status, body }) => status === 404 || (body as Json).metadata.generation === (body as Json).status?.observedGeneration,
      })),
    }),
    kind('validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', (r) => ({
      spec: {
        ...bound(r, n),
        ...(r.chance(0.95) && { validationActions: actions(r) }),
      },
    })),
    kind('mutatingadmissionpolicies', 'MutatingAdmissionPolicy', (r) => ({ spec: mutating(r, n) })),
    kind('mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding', (r) => ({ spec: bound(r, n) })),
  ]
}

const actions = (random: Random): readonly string[] =>
  random.pick([
    ['Deny'],
    ['Warn'],
    ['Audit'],
    ['Deny', 'Audit'],
    ['Warn', 'Audit'],
    random.chance(0.2) ? ['Deny', 'Warn'] : ['Deny'],
    random.chance(0.1) ? ['Nope', 'Nope'] : ['Warn'],
  ])

const rules = (random: Random, { group }: Names): Json => ({
  apiGroups: random.pick([[''], ['*'], [`none.${group}`], random.chance(0.1) ? [] : ['apps']]),
  apiVersions: random.pick([['v1'], ['*'], random.chance(0.1) ? ['v1', '*'] : ['v1']]),
  resources: random.pick([
    ['configmaps'],
    ['secrets', 'configmaps'],
    ['*'],
    ['leases/status'],
    random.chance(0.1) ? ['*', 'x'] : ['configmaps'],
  ]),
  operations: random.pick([
    ['CREATE'],
    ['UPDATE', 'CREATE'],
    ['CREATE', 'UPDATE'],
    random.chance(0.3) ? ['DELETE'] : ['UPDATE'],
    random.chance(0.1) ? ['NOPE'] : ['CREATE'],
  ]),
  ...(random.chance(0.2) && { scope: random.pick(['*', 'Namespaced', 'Cluster', random.chance(0.1) ? 'Nope' : '*']) }),
  ...(random.chance(0.1) && { resourceNames: ['a', random.chance(0.2) ? 'a' : 'b'] }),
})

const selector = (random: Random): Json =>
  random.pick<Json>([
    {},
    { matchLabels: { a: 'b' } },
    { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
    random.chance(0.2) ? { matchExpressions: [{ key: 'a', operator: 'In' }] } : {},
  ])

const matched = (random: Random, n: Names): Json => ({
  ...(random.chance(0.95) && { resourceRules: Array.from({ length: random.chance(0.9) ? 1 : 2 }, () => rules(random, n)) }),
  ...(random.chance(0.1) && { excludeResourceRules: [rules(random, n)] }),
  ...(random.chance(0.2) && { namespaceSelector: selector(random) }),
  ...(random.chance(0.2) && { objectSelector: selector(random) }),
  ...(random.chance(0.2) && { matchPolicy: random.pick(['Exact', 'Equivalent', random.chance(0.1) ? 'Nope' : 'Exact']) }),
})

function bound(random: Random, n: Names): Json {
  return {
    ...(random.chance(0.97) && { policyName: random.pick([`none-${n.id}`, random.chance(0.1) ? 'Not Good' : `never-${n.id}`]) }),
    ...(random.chance(0.3) && {
      paramRef: {
        ...(random.chance(0.7) && { name: random.pick(['p', 'q']) }),
        ...(random.chance(0.3) && { namespace: random.pick(['default', random.chance(0.1) ? 'No' : 'x']) }),
        ...(random.chance(0.3) && { selector: selector(random) }),
        ...(random.chance(0.9) && { parameterNotFoundAction: random.pick(['Allow', 'Deny', random.chance(0.1) ? 'Nope' : 'Deny']) }),
      },
    }),
    ...(random.chance(0.4) && { matchResources: matched(random, n) }),
  }
}

/** About ConfigMaps, right and wrong: what does not fit the kind is told of in the status of a policy. */
const CONDITIONS = [
  'true',
  "object.metadata.name != 'b'",
  "!has(object.data) || !('k1' in object.data) || object.data.k1 != 'x'",
  'oldObject == null || has(object.data) == has(oldObject.data)',
  'size(object.?data.orValue({})) < 2',
  "object.data.k2 == 'x'",
  "!has(object.metadata.labels) || object.metadata.labels.all(k, k.startsWith('k'))",
  'namespaceObject.metadata.name == request.namespace',
  "request.operation != 'DELETE'",
  "authorizer.group('').resource('pods').namespace(request.namespace).check('get').allowed()",
  'request.?options.?dryRun.orValue(false) == false',
]
const ODD_CONDITIONS = [
  '1 + 1',
  'object.',
  'object.nope == 1',
  'object.data == 1',
  'params.x == 1',
  'variables.v',
  'variables.missing == 1',
  "object.metadata.name.nope() == 'x'",
  'missing',
  '',
  "object.data.k1.matches('(')",
  'object.spec.replicas > 3 && object.data.k1 == 5',
]

const condition = (random: Random): string => random.pick(random.chance(0.12) ? ODD_CONDITIONS : CONDITIONS)

const MESSAGES = ["'no ' + object.metadata.name", "'always'", 'string(size(object.data))', "object.data.k1 + '\\n'", "''"]

const validation = (random: Random, expression: string): Json => ({
  expression,
  ...(random.chance(0.4) && { message: random.pick(['the policy says no', 'two words', random.chance(0.1) ? 'two\nlines' : 'm']) }),
  ...(random.chance(0.3) && { messageExpression: random.pick([...MESSAGES, random.chance(0.1) ? '1' : "'x'"]) }),
  ...(random.chance(0.3) && {
    reason: random.pick(['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge', random.chance(0.1) ? 'Nope' : 'Invalid']),
  }),
})

const conditions = (random: Random): Json => ({
  ...(random.chance(0.3) && {
    matchConditions: random.some(['one', 'two'], 0.7).map((name) => ({
      name: random.chance(0.05) ? 'one' : random.chance(0.03) ? 'not good!' : name,
      expression: condition(random),
    })),
  }),
  ...(random.chance(0.3) && {
    variables: random.some(['v', 'w'], 0.7).map((name) => ({
      name: random.chance(0.05) ? 'v' : random.chance(0.03) ? '1bad' : name,
      expression: random.pick(['object.metadata.name', 'size(object.?data.orValue({})) > 1', random.chance(0.1) ? 'variables.v' : 'true']),
    })),
  }),
})

function validating(random: Random, n: Names): Json {
  return {
    ...(random.chance(0.97) && { matchConstraints: matched(random, n) }),
    ...(random.chance(0.95) && { validations: Array.from({ length: 1 + random.below(2) }, () => validation(random, condition(random))) }),
    ...conditions(random),
    ...(random.chance(0.3) && { failurePolicy: random.pick(['Fail', 'Ignore', random.chance(0.1) ? 'Nope' : 'Fail']) }),
    ...(random.chance(0.15) && {
      auditAnnotations: [
        {
          key: random.pick(['k', random.chance(0.1) ? 'bad key' : 'l']),
          valueExpression: random.pick(["'x'", 'object.metadata.name', 'null', random.chance(0.2) ? '1' : "''"]),
        },
      ],
    }),
    ...(random.chance(0.1) && { paramKind: { apiVersion: random.pick(['v1', 'a/b/c', '']), kind: random.pick(['ConfigMap', '']) } }),
  }
}

const CHANGES = [
  { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"added": "m"}}}' } },
  { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{data: {"k3": "m"}}' } },
  { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{data: {"c": string(size(object.?data.orValue({})))}}' } },
  { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{data: {"e": object.data.k1}}' } },
  {
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression: 'Object{metadata: Object.metadata{finalizers: ["example.com/m"]}}' },
  },
  {
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression: 'Object{immutable: has(object.immutable) ? object.immutable : false}' },
  },
  {
    patchType: 'JSONPatch',
    jsonPatch: { expression: `has(object.data) && 'k1' in object.data ? [JSONPatch{op: "remove", path: "/data/k1"}] : []` },
  },
  { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/annotations", value: {"x": "y"}}]' } },
  { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "replace", path: "/data/k2", value: "z"}]' } },
  {
    patchType: 'JSONPatch',
    jsonPatch: {
      expression: '[JSONPatch{op: "add", path: "/metadata/labels", value: {"a~b": jsonpatch.escapeKey("a/b~c").substring(0, 1)}}]',
    },
  },
]
const ODD_CHANGES = [
  { patchType: 'ApplyConfiguration', applyConfiguration: { expression: '1' } },
  { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Objekt{}' } },
  { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{a: jsonpatch.escapeKey(1)}' } },
  { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: 1}]' } },
  { patchType: 'JSONPatch', jsonPatch: { expression: '' } },
  { patchType: 'JSONPatch' },
  { patchType: 'Nope' },
  {},
]

function mutating(random: Random, n: Names): Json {
  return {
    ...(random.chance(0.97) && { matchConstraints: matched(random, n) }),
    ...(random.chance(0.97) && {
      mutations: Array.from({ length: 1 + random.below(2) }, () => random.pick<Json>(random.chance(0.08) ? ODD_CHANGES : CHANGES)),
    }),
    ...conditions(random),
    ...(random.chance(0.95) && { reinvocationPolicy: random.pick(['Never', 'IfNeeded', random.chance(0.05) ? 'Nope' : 'Never']) }),
    ...(random.chance(0.3) && { failurePolicy: random.pick(['Fail', 'Ignore', random.chance(0.1) ? 'Nope' : 'Fail']) }),
    ...(random.chance(0.1) && { paramKind: { apiVersion: random.pick(['v1', 'a/b/c', '']), kind: random.pick(['ConfigMap', '']) } }),
  }
}

/** What the controllers of the servers write themselves is left alone. */
const OURS = { name: 'ours', expression: "request.name in ['a', 'b', 'c'] || request.name == ''" }

/** A policy that judges and one that changes the ConfigMaps of a story, each alone: which of several comes first is Go's choice. */
export function policiesInForce(n: Names, random: Random): Step[] {
  const changes = { resources: ['configmaps'], changes: Array.from({ length: 1 + random.below(2) }, () => random.pick<Json>(CHANGES)) }
  const mutates = random.chance(0.6)
  return [
    ...(mutates
      ? inForce(
          n,
          'changes',
          mutatingPolicy(n, 'changes', changes.changes, {
            matchConstraints: { ...configMapRules, ...inNamespace(n) },
            matchConditions: [OURS, ...(random.chance(0.3) ? [{ name: 'more', expression: random.pick(CONDITIONS) }] : [])],
            reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
            failurePolicy: random.pick(['Fail', 'Ignore']),
          }),
          mutatingBinding(n, 'changes'),
        )
      : []),
    ...(!mutates || random.chance(0.6) ? validatingInForce(n, random) : []),
  ]
}

function validatingInForce(n: Names, random: Random): Step[] {
  const policy = (name: string, spec: object): Json => ({
    apiVersion,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: `${name}-${n.id}` },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['', 'coordination.k8s.io'],
            apiVersions: ['v1'],
            resources: ['configmaps', 'leases'],
            operations: random.pick([['CREATE', 'UPDATE'], ['*'], ['DELETE', 'CREATE']]),
          },
        ],
        ...inNamespace(n),
      },
      ...spec,
    },
  })
  const binding = (name: string, validationActions: readonly string[]): Json => ({
    apiVersion,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: `${name}-${n.id}` },
    spec: { policyName: `${name}-${n.id}`, validationActions },
  })
  const expressions = random.some(CONDITIONS, 0.3)
  return [
    silent(
      call(
        'POST',
        VALIDATING,
        policy('judges', {
          matchConditions: [OURS, ...(random.chance(0.3) ? [{ name: 'more', expression: random.pick(CONDITIONS) }] : [])],
          variables: [{ name: 'v', expression: 'object.metadata.name' }],
          validations: (expressions.length > 0 ? expressions : ["variables.v != 'c'"]).map((expression) =>
            validation(random.fork(), expression),
          ),
          failurePolicy: random.pick(['Fail', 'Ignore']),
        }),
      ),
    ),
    silent(call('POST', VALIDATING_BINDINGS, binding('judges', random.pick([['Deny'], ['Warn'], ['Deny', 'Audit'], ['Warn', 'Audit']])))),
    silent(
      call(
        'POST',
        VALIDATING,
        policy('judges-marker', {
          matchConstraints: { ...configMapRules, ...inNamespace(n) },
          matchConditions: [{ name: 'marker', expression: "object.metadata.name == 'marker-judges'" }],
          validations: [{ expression: 'false' }],
        }),
      ),
    ),
    silent(call('POST', VALIDATING_BINDINGS, binding('judges-marker', ['Deny']))),
    {
      kind: 'eventually',
      silent: true,
      call: { method: 'POST', path: `${configMaps(n)}?dryRun=All`, body: configMap('marker-judges') },
      until: ({ status }) => status === 422 || status === 403,
    },
  ]
}

/** So that the next story's requests are not held up by them. */
export const policiesWithdrawn = (n: Names): Step[] =>
  ['changes', 'changes-marker', 'judges', 'judges-marker'].flatMap((name) =>
    ['mutatingadmissionpolicybindings', 'mutatingadmissionpolicies', 'validatingadmissionpolicybindings', 'validatingadmissionpolicies']
      .filter((plural) => plural.startsWith(name.startsWith('changes') ? 'mutating' : 'validating'))
      .map((plural) => silent(call('DELETE', `${GROUP}/${plural}/${name}-${n.id}`))),
  )
