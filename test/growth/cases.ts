import type { CountedRequest, CountedServer } from './counted-server.ts'

/** A request of a size that can be chosen. */
export interface GrowthCase {
  readonly name: string
  requests(n: number): CountedRequest
  /** Sent first, not counted. */
  before?(n: number): readonly CountedRequest[]
  /** What it may be answered with; by default a success or a refusal of the body. */
  readonly answers?: readonly number[]
  readonly size?: number
  /** Instead of growing in proportion, the work has this as its end. */
  readonly bound?: number
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const THINGS = '/apis/growth.example.org/v1/namespaces/default/things'
const JSON_TYPE = 'application/json'
const TYPES = {
  json: JSON_TYPE,
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

export async function prepare(server: CountedServer): Promise<void> {
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

async function expectSuccess(server: CountedServer, request: CountedRequest): Promise<void> {
  const response = await server.send(request)
  if (response.status >= 300) throw new Error(`${request.method} ${request.url}: ${JSON.stringify(response.body)}`)
}

const send = (method: string, url: string, body: unknown, type: string = JSON_TYPE): CountedRequest => ({
  method,
  url,
  headers: { 'content-type': type },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const post = (url: string, body: unknown, type?: string): CountedRequest => send('POST', url, body, type)
const dry = (url: string): string => `${url}?dryRun=All`

const thing = (name: string, spec: unknown, metadata: object = {}): object => ({
  apiVersion: 'growth.example.org/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'default', ...metadata },
  spec,
})
const configMap = (name: string, more: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...metadata },
  ...more,
})

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))
const members = <T>(n: number, make: (i: number) => T, prefix = 'k'): Record<string, T> =>
  Object.fromEntries(times(n, (i) => [`${prefix}${i}`, make(i)]))
const owner = (i: number, same = false): object => ({ apiVersion: 'v1', kind: 'ConfigMap', name: `o${i}`, uid: same ? 'u' : `u${i}` })

/** What can be long in an object of any kind. */
const METADATA: Readonly<Record<string, (n: number) => object>> = {
  labels: (n) => ({ labels: members(n, (i) => `v${i}`) }),
  'bad labels': (n) => ({ labels: members(n, (i) => `v ${i}!`) }),
  annotations: (n) => ({ annotations: members(n, (i) => `v${i}`) }),
  'bad annotations': (n) => ({ annotations: members(n, () => 'v', ' bad ') }),
  finalizers: (n) => ({ finalizers: times(n, (i) => `example.org/f${i}`) }),
  'short finalizers': (n) => ({ finalizers: times(n, (i) => `f${i}`) }),
  owners: (n) => ({ ownerReferences: times(n, (i) => owner(i)) }),
  'repeated owners': (n) => ({ ownerReferences: times(n, (i) => owner(Math.floor(i / 2), false)) }),
  'owners that block': (n) => ({ ownerReferences: times(n, (i) => ({ ...owner(i), blockOwnerDeletion: true })) }),
  controllers: (n) => ({ ownerReferences: times(n, (i) => ({ ...owner(i), controller: true })) }),
  'unknown metadata': (n) => members(n, (i) => i),
  managers: (n) => ({
    managedFields: times(n, (i) => ({
      manager: `m${i}`,
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
    })),
  }),
  'one manager of many fields': (n) => ({
    managedFields: [
      { manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': members(n, () => ({}), 'f:k') } },
    ],
  }),
  'one manager of many items': (n) => ({
    managedFields: [
      {
        manager: 'm',
        operation: 'Apply',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:keyed': Object.fromEntries(times(n, (i) => [`k:{"name":"n${n - i}","port":1}`, {}])) } },
      },
    ],
  }),
}

/** What can be long in an object of the custom kind. */
const SPECS: Readonly<Record<string, (n: number) => object>> = {
  'unknown fields': (n) => members(n, (i) => i),
  'unknown fields of many items': (n) => ({ closed: times(n, (i) => ({ [`x${i}`]: 1 })) }),
  'unknown fields below a long name': (n) => ({ table: { ['x'.repeat(n * 10)]: 1 }, ...members(n, (i) => i) }),
  'items of the wrong type': (n) => ({ closed: times(n, () => 'text') }),
  'items below a long name': (n) => ({ free: { ['x'.repeat(n * 10)]: times(n, (i) => ({ [`y${i}`]: null })) } }),
  'entries of the wrong type': (n) => ({ table: members(n, () => 'text') }),
  'one long name and entries of the wrong type': (n) => ({ table: members(n, () => 'text', 'x'.repeat(50)) }),
  'free members': (n) => ({ free: members(n, (i) => ({ a: [i, { b: null }] })) }),
  'keyed items': (n) => ({ keyed: times(n, (i) => ({ name: `n${i}`, port: i })) }),
  'keyed items backwards': (n) => ({ keyed: times(n, (i) => ({ name: `n${n - i}` })) }),
  'the same keyed item': (n) => ({ keyed: times(n, () => ({ name: 'same' })) }),
  'keyed items without a key': (n) => ({ keyed: times(n, () => ({ more: 'x' })) }),
  'a set': (n) => ({ unique: times(n, (i) => `v${n - i}`) }),
  'a set of one value': (n) => ({ unique: times(n, () => 'v') }),
  'a pattern': (n) => ({ atomic: times(n, () => 'aaaaaaaaab') }),
  'a pattern on long text': (n) => ({ atomic: [`${'a'.repeat(n * 10)}b`] }),
  alternatives: (n) => ({ either: times(n, (i) => ({ c: i })) }),
  rules: (n) => ({ ruled: times(n, () => ({ a: 'x' })) }),
  'embedded resources': (n) => ({ embedded: times(n, (i) => ({ apiVersion: 'v1', kind: 'X', metadata: { name: `n${i}`, unknown: 1 } })) }),
}

const crossed: GrowthCase[] = []
for (const [what, make] of Object.entries(METADATA)) {
  crossed.push(
    { name: `POST a built-in kind with ${what}`, requests: (n) => post(dry(CONFIG_MAPS), configMap('m', {}, make(n))) },
    { name: `POST a custom kind with ${what}`, requests: (n) => post(dry(THINGS), thing('m', {}, make(n))) },
    { name: `PUT a custom kind with ${what}`, requests: (n) => send('PUT', dry(`${THINGS}/fixed`), thing('fixed', {}, make(n))) },
    {
      name: `server-side apply of ${what}`,
      requests: (n) => send('PATCH', `${THINGS}/applied?fieldManager=m&dryRun=All`, thing('applied', {}, make(n)), TYPES.apply),
    },
    {
      name: `strategic merge patch with ${what}`,
      requests: (n) => send('PATCH', dry(`${CONFIG_MAPS}/fixed`), { metadata: make(n) }, TYPES.strategic),
    },
  )
}
for (const [what, make] of Object.entries(SPECS)) {
  crossed.push(
    { name: `POST a custom kind with ${what}`, requests: (n) => post(dry(THINGS), thing('s', make(n))) },
    {
      name: `POST as YAML a custom kind with ${what}`,
      requests: (n) => post(dry(THINGS), JSON.stringify(thing('s', make(n))).replace('{', '# a comment\n{'), TYPES.yaml),
      size: 300,
    },
    {
      name: `POST strictly a custom kind with ${what}`,
      requests: (n) => post(`${dry(THINGS)}&fieldValidation=Strict`, thing('s', make(n))),
    },
    { name: `merge patch with ${what}`, requests: (n) => send('PATCH', dry(`${THINGS}/fixed`), { spec: make(n) }, TYPES.merge) },
    {
      name: `server-side apply with ${what}`,
      requests: (n) => send('PATCH', `${THINGS}/applied?fieldManager=m&dryRun=All`, thing('applied', make(n)), TYPES.apply),
    },
    {
      name: `server-side apply over ${what}`,
      before: (n) => [{ method: 'DELETE', url: `${THINGS}/big` }, post(THINGS, thing('big', make(n)))],
      requests: (n) => send('PATCH', `${THINGS}/big?fieldManager=m&force=true&dryRun=All`, thing('big', make(n + 1)), TYPES.apply),
    },
    {
      name: `update of ${what}`,
      before: (n) => [{ method: 'DELETE', url: `${THINGS}/big` }, post(THINGS, thing('big', make(n)))],
      requests: (n) => send('PATCH', dry(`${THINGS}/big`), { spec: make(n + 1) }, TYPES.merge),
    },
  )
}

const operations =
  (n: number, make: (i: number) => object, spec: object): GrowthCase['requests'] =>
  () =>
    send('PATCH', dry(`${THINGS}/fixed`), [{ op: 'replace', path: '/spec', value: { free: spec } }, ...times(n, make)], TYPES.patch)

const PATCHES: Readonly<Record<string, (n: number) => CountedRequest>> = {
  'additions to an object': (n) => operations(n, (i) => ({ op: 'add', path: `/spec/free/k${i}`, value: i }), {})(n),
  'appended items': (n) => operations(n, (i) => ({ op: 'add', path: '/spec/free/l/-', value: i }), { l: [] })(n),
  'replacements in a long list': (n) =>
    operations(n, (i) => ({ op: 'replace', path: `/spec/free/l/${i}`, value: 0 }), { l: times(n, (i) => i) })(n),
  'tests of a large value': (n) => operations(n, () => ({ op: 'test', path: '/spec/free/l', value: [] }), { l: [] })(n),
  moves: (n) =>
    operations(
      n,
      (i) => ({ op: 'move', from: `/spec/free/k${i}`, path: `/spec/free/j${i}` }),
      members(n, (i) => i),
    )(n),
  'copies of a copy': (n) => operations(n, (i) => ({ op: 'copy', from: '/spec/free', path: `/spec/free/c${i}` }), { a: 1 })(n),
  removals: (n) =>
    operations(
      n,
      (i) => ({ op: 'remove', path: `/spec/free/k${i}` }),
      members(n, (i) => i),
    )(n),
  'a long path': (n) => operations(1, () => ({ op: 'test', path: '/a'.repeat(n), value: 1 }), {})(n),
}
const longList = { l: times(100_000, () => 0) }
crossed.push(
  {
    name: 'JSON patch of items put in front of a long list',
    requests: (n) => operations(n * 10, (i) => ({ op: 'add', path: '/spec/free/l/0', value: i }), longList)(n),
    bound: 30_000_000,
  },
  {
    name: 'JSON patch of items taken from the front of a long list',
    requests: (n) => operations(n * 10, () => ({ op: 'remove', path: '/spec/free/l/0' }), longList)(n),
    bound: 30_000_000,
  },
)
for (const [what, requests] of Object.entries(PATCHES)) crossed.push({ name: `JSON patch of ${what}`, requests })

const duplicate = (n: number): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"d"},"data":{${times(n, () => '"k":"v"').join(',')}}}`
const yamlDuplicate = (n: number): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: d}\ndata:\n${times(n, () => '  k: v').join('\n')}\n`

/** The rest: texts, options and paths. */
const OTHERS: readonly GrowthCase[] = [
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

function definition(_n: number, schema: object, versions = 1, version: object = {}, names: object = {}): object {
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

export const CASES: readonly GrowthCase[] = [...crossed, ...OTHERS]
