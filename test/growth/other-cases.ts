import {
  CONFIG_MAPS,
  configMap,
  CRDS,
  definition,
  dry,
  type GrowthCase,
  members,
  post,
  send,
  thing,
  THINGS,
  times,
  TYPES,
} from './world.ts'

const duplicate = (n: number): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"d"},"data":{${times(n, () => '"k":"v"').join(',')}}}`
const yamlDuplicate = (n: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d}\ndata:\n${times(n, () => '  k: v').join('\n')}\n`

/** The rest: texts, options and paths. */
export const OTHER_CASES: readonly GrowthCase[] = [
  { name: 'POST JSON with one key many times', requests: (n) => post(dry(CONFIG_MAPS), duplicate(n)) },
  { name: 'POST YAML with one key many times', requests: (n) => post(dry(CONFIG_MAPS), yamlDuplicate(n), TYPES.yaml), size: 300 },
  {
    name: 'POST JSON with duplicate keys below each other',
    requests: (n) => post(dry(CONFIG_MAPS), `{"data":{${times(n, (i) => `"k${i}":{"a":1,"a":2}`).join(',')}}}`),
  },
  { name: 'POST JSON of backslashes', requests: (n) => post(dry(CONFIG_MAPS), `{"a":"${'\\\\'.repeat(n)}","b":"${'\\"'.repeat(n)}`) },
  {
    name: 'POST JSON of many long numbers',
    requests: (n) =>
      post(
        dry(THINGS),
        `{"apiVersion":"growth.example.org/v1","kind":"Thing","metadata":{"name":"n"},"spec":{"free":{"l":[${times(n, () => '12345678901234567890').join(',')}]}}}`,
      ),
  },
  {
    name: 'POST JSON of one long number',
    requests: (n) =>
      post(
        dry(THINGS),
        `{"apiVersion":"growth.example.org/v1","kind":"Thing","metadata":{"name":"n"},"spec":{"free":{"l":${'9'.repeat(n * 10)}}}}`,
      ),
  },
  { name: 'POST nested lists', requests: (n) => post(dry(THINGS), `{"spec":${'['.repeat(n)}`) },
  { name: 'POST nested YAML', requests: (n) => post(dry(THINGS), `spec: ${'['.repeat(n)}`, TYPES.yaml), size: 300 },
  {
    name: 'POST nested YAML blocks',
    requests: (n) => post(dry(THINGS), times(Math.ceil(Math.sqrt(n)), (i) => `${' '.repeat(i)}a:\n`).join(''), TYPES.yaml),
  },
  {
    name: 'POST YAML of aliases',
    requests: (n) =>
      post(
        dry(CONFIG_MAPS),
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\nx: &x ${'x'.repeat(10)}\nl: [${times(n, () => '*x').join(', ')}]`,
        TYPES.yaml,
      ),
    size: 300,
  },
  {
    name: 'POST YAML of anchors',
    requests: (n) =>
      post(
        dry(CONFIG_MAPS),
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\nl: [${times(n, (i) => `&a${i} x`).join(', ')}]`,
        TYPES.yaml,
      ),
    size: 300,
  },
  {
    name: 'POST YAML of merges',
    requests: (n) =>
      post(
        dry(CONFIG_MAPS),
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\nx: &x {${times(n, (i) => `k${i}: 1`).join(', ')}}\nl: [${times(n, () => '{<<: *x}').join(', ')}]`,
        TYPES.yaml,
      ),
    size: 200,
  },
  {
    name: 'POST YAML of long integers',
    requests: (n) => post(dry(CONFIG_MAPS), `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\nx: ${'9'.repeat(n)}`, TYPES.yaml),
  },
  {
    name: 'POST YAML of comments',
    requests: (n) => post(dry(CONFIG_MAPS), `${'# comment\n'.repeat(n)}apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}`, TYPES.yaml),
    size: 300,
  },
  {
    name: 'POST YAML of one long line',
    requests: (n) =>
      post(dry(CONFIG_MAPS), `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\ndata: {a: ${'word '.repeat(n)}}`, TYPES.yaml),
    size: 300,
  },
  {
    name: 'list by many labels',
    requests: (n) => ({ method: 'GET', url: `${THINGS}?labelSelector=${encodeURIComponent(times(n, (i) => `a${i}=b`).join(','))}` }),
  },
  {
    name: 'list by a label of many values',
    requests: (n) => ({
      method: 'GET',
      url: `${THINGS}?labelSelector=${encodeURIComponent(`a in (${times(n, (i) => `v${i}`).join(',')})`)}`,
    }),
  },
  {
    name: 'list by spaces',
    requests: (n) => ({ method: 'GET', url: `${THINGS}?labelSelector=${encodeURIComponent(`a in (${' '.repeat(n)})`)}` }),
  },
  {
    name: 'list by many fields',
    requests: (n) => ({ method: 'GET', url: `${THINGS}?fieldSelector=${encodeURIComponent(times(n, () => 'metadata.name=a').join(','))}` }),
  },
  {
    name: 'list by a long field',
    requests: (n) => ({ method: 'GET', url: `${THINGS}?fieldSelector=${encodeURIComponent(`metadata.name=${'\\\\'.repeat(n)}`)}` }),
  },
  {
    name: 'list from a long token',
    requests: (n) => ({ method: 'GET', url: `${THINGS}?limit=1&continue=${'a'.repeat(n)}` }),
    answers: [400, 410],
  },
  { name: 'many parameters', requests: (n) => ({ method: 'GET', url: `${THINGS}?${times(n, (i) => `p${i}=1`).join('&')}` }) },
  { name: 'a long timeout', requests: (n) => ({ method: 'GET', url: `${THINGS}?timeout=${'1h'.repeat(n)}` }), answers: [200, 400] },
  { name: 'a long path', requests: (n) => ({ method: 'GET', url: `/apis${'/a'.repeat(n)}` }), answers: [404] },
  { name: 'a path of slashes', requests: (n) => ({ method: 'GET', url: '/'.repeat(n) }), answers: [404] },
  {
    name: 'a long list of media types',
    requests: (n) => ({ method: 'GET', url: THINGS, headers: { accept: times(n, (i) => `application/x${i};q=0.1`).join(',') } }),
    answers: [200, 406],
  },
  {
    name: 'a long media type',
    requests: (n) => ({ method: 'GET', url: THINGS, headers: { accept: `application/json;${times(n, (i) => `a${i}=b`).join(';')}` } }),
    answers: [200, 406],
  },
  {
    name: 'a table of a large object',
    before: (n) => [
      { method: 'DELETE', url: `${THINGS}/big` },
      post(THINGS, thing('big', { keyed: times(n, (i) => ({ name: `n${i}` })) })),
    ],
    requests: () => ({ method: 'GET', url: `${THINGS}/big`, headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }),
  },
  {
    name: 'deletion with many preconditions',
    requests: (n) => send('DELETE', dry(`${THINGS}/fixed`), { preconditions: members(n, (i) => i), ...members(n, (i) => i) }),
  },
  {
    name: 'deletion of a collection by labels',
    requests: (n) => ({
      method: 'DELETE',
      url: `${THINGS}?dryRun=All&labelSelector=${encodeURIComponent(times(n, (i) => `a${i}=b`).join(','))}`,
    }),
  },
  {
    name: 'a definition with many fields',
    requests: (n) =>
      post(
        dry(CRDS),
        definition(n, {
          type: 'object',
          properties: { spec: { type: 'object', properties: members(n, () => ({ type: 'string', default: 'x' })) } },
        }),
      ),
    size: 200,
  },
  {
    name: 'a definition with many bad fields',
    requests: (n) =>
      post(
        dry(CRDS),
        definition(n, {
          type: 'object',
          properties: { spec: { type: 'object', properties: members(n, () => ({ type: 'nonsense', format: 'x' })) } },
        }),
      ),
    size: 200,
  },
  {
    name: 'a definition with many required fields',
    requests: (n) =>
      post(
        dry(CRDS),
        definition(n, { type: 'object', required: times(n, (i) => `k${i}`), properties: members(n, () => ({ type: 'string' })) }),
      ),
    size: 200,
  },
  {
    name: 'a definition with many versions',
    requests: (n) => post(dry(CRDS), definition(n, { type: 'object' }, n)),
    size: 200,
  },
  {
    name: 'a definition with many columns',
    requests: (n) =>
      post(
        dry(CRDS),
        definition(n, { type: 'object' }, 1, {
          additionalPrinterColumns: times(n, (i) => ({ name: `c${i}`, type: 'string', jsonPath: `.spec.a${i}` })),
        }),
      ),
    size: 200,
  },
  {
    name: 'a definition with a long column',
    requests: (n) =>
      post(
        dry(CRDS),
        definition(n, { type: 'object' }, 1, { additionalPrinterColumns: [{ name: 'c', type: 'string', jsonPath: '.a'.repeat(n) }] }),
      ),
  },
  {
    name: 'a definition with many names',
    requests: (n) =>
      post(
        dry(CRDS),
        definition(n, { type: 'object' }, 1, {}, { shortNames: times(n, (i) => `s${i}`), categories: times(n, (i) => `c${i}`) }),
      ),
    size: 200,
  },
  {
    name: 'a definition with a long enumeration',
    requests: (n) =>
      post(dry(CRDS), definition(n, { type: 'object', properties: { a: { type: 'string', enum: times(n, (i) => `e${i}`) } } })),
    size: 200,
  },
  {
    name: 'a definition with many rules',
    requests: (n) =>
      post(
        dry(CRDS),
        definition(n, {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: members(n, () => ({ type: 'string', maxLength: 5, 'x-kubernetes-validations': [{ rule: 'self != "a"' }] })),
            },
          },
        }),
      ),
    size: 100,
  },
  {
    name: 'a definition with a long rule',
    requests: (n) =>
      post(
        dry(CRDS),
        definition(n, {
          type: 'object',
          properties: {
            a: { type: 'string', maxLength: 5, 'x-kubernetes-validations': [{ rule: times(n, () => 'self != "a"').join(' && ') }] },
          },
        }),
      ),
    size: 100,
  },
  {
    name: 'a role with many rules',
    requests: (n) =>
      post(dry('/apis/rbac.authorization.k8s.io/v1/clusterroles'), {
        metadata: { name: 'r' },
        rules: times(n, (i) => ({ apiGroups: [`g${i}`], resources: ['x'], verbs: ['get'] })),
      }),
  },
  {
    name: 'a role with many verbs',
    requests: (n) =>
      post(dry('/apis/rbac.authorization.k8s.io/v1/clusterroles'), {
        metadata: { name: 'r' },
        rules: [{ apiGroups: times(n, (i) => `g${i}`), resources: times(n, (i) => `r${i}`), verbs: times(n, (i) => `v${i}`) }],
      }),
  },
  {
    name: 'a secret with many keys',
    requests: (n) =>
      post(dry('/api/v1/namespaces/default/secrets'), {
        metadata: { name: 's' },
        stringData: members(n, () => 'x'),
        data: members(n, () => 'eA==', 'j'),
      }),
  },
  {
    name: 'a config map with bad keys',
    requests: (n) =>
      post(dry(CONFIG_MAPS), { metadata: { name: 's' }, data: members(n, () => 'x', '!'), binaryData: members(n, () => 'eA==', '!') }),
  },
  {
    name: 'a review of many attributes',
    requests: (n) =>
      post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        spec: {
          user: 'u',
          groups: times(n, (i) => `g${i}`),
          extra: members(n, (i) => [`${i}`]),
          resourceAttributes: { verb: 'get', resource: 'x' },
        },
      }),
  },
  {
    name: 'a policy with many rules',
    requests: (n) =>
      post(dry('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'), {
        metadata: { name: 'p' },
        spec: {
          failurePolicy: 'Fail',
          matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }] },
          validations: times(n, () => ({ expression: 'object.metadata.name != "a"' })),
          variables: times(n, (i) => ({ name: `v${i}`, expression: '1' })),
        },
      }),
    size: 60,
  },
  {
    name: 'a mutating policy with many changes',
    requests: (n) =>
      post(dry('/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies'), {
        metadata: { name: 'm' },
        spec: {
          reinvocationPolicy: 'Never',
          matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }] },
          mutations: times(n, () => ({
            patchType: 'ApplyConfiguration',
            applyConfiguration: { expression: 'Object{data: {"a": object.metadata.name}}' },
          })),
          variables: times(n, (i) => ({ name: `v${i}`, expression: '1' })),
        },
      }),
    size: 60,
  },
  {
    name: 'a webhook configuration of many webhooks',
    requests: (n) =>
      post(dry('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'), {
        metadata: { name: 'w' },
        webhooks: times(n, (i) => ({
          name: `w${i}.example.org`,
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { url: 'https://x' },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
          matchConditions: [{ name: 'c', expression: 'true' }],
        })),
      }),
    size: 60,
  },
  {
    name: 'strategic merge of many ports',
    before: (n) => [
      { method: 'DELETE', url: '/api/v1/namespaces/default/services/s' },
      post('/api/v1/namespaces/default/services', {
        metadata: { name: 's' },
        spec: { ports: times(n, (i) => ({ name: `p${i}`, port: i + 1 })) },
      }),
    ],
    requests: (n) =>
      send(
        'PATCH',
        dry('/api/v1/namespaces/default/services/s'),
        {
          spec: {
            ports: times(n, (i) => ({ port: n - i, name: `q${i}` })),
            [`$setElementOrder/ports`]: times(n, (i) => ({ port: n - i })),
          },
        },
        TYPES.strategic,
      ),
    answers: [200, 400, 404, 422, 500],
    size: 300,
  },
  {
    name: 'strategic merge that deletes many ports',
    before: (n) => [
      { method: 'DELETE', url: '/api/v1/namespaces/default/services/s' },
      post('/api/v1/namespaces/default/services', {
        metadata: { name: 's' },
        spec: { ports: times(n, (i) => ({ name: `p${i}`, port: i + 1 })) },
      }),
    ],
    requests: (n) =>
      send(
        'PATCH',
        dry('/api/v1/namespaces/default/services/s'),
        { spec: { ports: times(n, (i) => ({ port: n - i, $patch: 'delete' })) } },
        TYPES.strategic,
      ),
    answers: [200, 400, 404, 422, 500],
    size: 300,
  },
  {
    name: 'strategic merge that deletes finalizers',
    before: (n) => [
      send('PATCH', `${CONFIG_MAPS}/finalized`, [{ op: 'remove', path: '/metadata/finalizers' }], TYPES.patch),
      { method: 'DELETE', url: `${CONFIG_MAPS}/finalized` },
      post(CONFIG_MAPS, configMap('finalized', {}, { finalizers: times(n, (i) => `example.org/f${i}`) })),
    ],
    requests: (n) =>
      send(
        'PATCH',
        dry(`${CONFIG_MAPS}/finalized`),
        {
          metadata: {
            '$deleteFromPrimitiveList/finalizers': times(n, (i) => `example.org/f${i}`),
            '$setElementOrder/finalizers': times(n, (i) => `example.org/f${n - i}`),
          },
        },
        TYPES.strategic,
      ),
    answers: [200, 400, 422],
  },
]
