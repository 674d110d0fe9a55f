import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../differential/endpoint.ts'
import { startTestApi, type TestApi } from './api-server.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'
const MERGE = 'application/merge-patch+json'
const APPLY = 'application/apply-patch+yaml'

const crd = (plural: string, kind: string, schema: object): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
})

let api: TestApi
const post = (path: string, body: unknown, more: Partial<Call> = {}): ReturnType<TestApi['send']> =>
  api.send({ method: 'POST', path, body, ...more })

async function served(path: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if ((await api.send({ method: 'GET', path })).status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${path} is not served`)
}

beforeAll(async () => {
  api = await startTestApi()
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  await post(CRDS, crd('widgets', 'Widget', { type: 'object', properties: { spec: open } }))
  await served(WIDGETS)
  // The server furnishes its namespaces; then it is quiet.
  for (let before = -1; before !== api.revision(); await new Promise((resolve) => setTimeout(resolve, 100))) before = api.revision()
})
afterAll(() => api.stop())

describe('bad input', () => {
  const deep = (n: number, open: string, close: string): string => open.repeat(n) + close.repeat(n)
  const widget = (spec: string): string => `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":${spec}}`

  type Refusal = [reason: string, call: Call, code: number, expected?: RegExp]
  const refused: readonly Refusal[] = [
    ['malformed JSON', { method: 'POST', path: CONFIG_MAPS, body: '{"a":' }, 400, /unexpected end of JSON input/],
    ['malformed YAML', { method: 'POST', path: CONFIG_MAPS, body: 'a: [', contentType: 'application/yaml' }, 400, /yaml: line 1/],
    [
      'a YAML bomb of aliases',
      { method: 'POST', path: CONFIG_MAPS, contentType: 'application/yaml', body: bomb() },
      400,
      /excessive aliasing/,
    ],
    ['a binary body', { method: 'POST', path: CONFIG_MAPS, body: Buffer.from([0, 1, 2, 255]) }, 400],
    [
      'half a protobuf',
      {
        method: 'POST',
        path: CONFIG_MAPS,
        body: Buffer.from([0x6b, 0x38, 0x73, 0x00, 0x0a, 0xff]),
        contentType: 'application/vnd.kubernetes.protobuf',
      },
      400,
    ],
    [
      'the wrong kind',
      { method: 'POST', path: CONFIG_MAPS, body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } } },
      400,
      /cannot be handled as a ConfigMap/,
    ],
    [
      'an unknown field under Strict',
      {
        method: 'POST',
        path: `${CONFIG_MAPS}?fieldValidation=Strict`,
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, nope: 1 },
      },
      400,
      /strict decoding error: unknown field "nope"/,
    ],
    [
      'a request of more than 3 MiB',
      {
        method: 'POST',
        path: CONFIG_MAPS,
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: 'a'.repeat(3 * 1024 * 1024) } },
      },
      413,
    ],
    [
      'an object of more than 1.5 MiB',
      { method: 'POST', path: WIDGETS, body: widget(JSON.stringify({ a: 'a'.repeat(1.6 * 1024 * 1024) })) },
      500,
      /etcdserver: request is too large/,
    ],
    ['nesting beyond reason', { method: 'POST', path: WIDGETS, body: widget(deep(100_000, '[', ']')) }, 400, /exceeded max depth/],
    [
      'nesting in a patch',
      {
        method: 'PATCH',
        path: `${CONFIG_MAPS}/kube-root-ca.crt`,
        contentType: MERGE,
        body: `{"data":${deep(50_000, '{"a":', '}').replace('}', '1}')}`,
      },
      400,
      /exceeded max depth/,
    ],
    [
      'nesting in an applied YAML',
      { method: 'PATCH', path: `${WIDGETS}/w?fieldManager=m`, contentType: APPLY, body: `a: ${deep(20_000, '[', ']')}` },
      400,
    ],
    ['a bad label selector', { method: 'GET', path: `${CONFIG_MAPS}?labelSelector=a%20in` }, 400],
    ['a bad field selector', { method: 'GET', path: `${CONFIG_MAPS}?fieldSelector=a` }, 400],
    ['a bad continue token', { method: 'GET', path: `${CONFIG_MAPS}?continue=%00` }, 400, /continue key is not valid/],
    [
      'a continue token that climbs',
      {
        method: 'GET',
        path: `${CONFIG_MAPS}?continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../../secrets"}').toString('base64url')}`,
      },
      400,
    ],
    [
      'a bad name',
      { method: 'POST', path: CONFIG_MAPS, body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '../x' } } },
      422,
      /metadata.name: Invalid value/,
    ],
    [
      'a name of 300 characters',
      { method: 'POST', path: CONFIG_MAPS, body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a'.repeat(300) } } },
      422,
      /no more than 253/,
    ],
    [
      'a JSON patch that is none',
      { method: 'PATCH', path: `${CONFIG_MAPS}/kube-root-ca.crt`, contentType: 'application/json-patch+json', body: '{}' },
      400,
    ],
    [
      'a JSON patch into nowhere',
      {
        method: 'PATCH',
        path: `${CONFIG_MAPS}/kube-root-ca.crt`,
        contentType: 'application/json-patch+json',
        body: [{ op: 'add', path: '/a/b/c', value: 1 }],
      },
      422,
    ],
    ['a path that is not decodable', { method: 'GET', path: `${CONFIG_MAPS}/%ff` }, 404],
    [
      'a rule with a catastrophic pattern that does not compile',
      {
        method: 'POST',
        path: CRDS,
        body: crd('evils', 'Evil', { type: 'object', properties: { spec: { type: 'string', pattern: '(a+)+(?=b)' } } }),
      },
      422,
      /pattern/,
    ],
  ]

  it.each<Refusal>([...refused])('%s gets a Status, and nothing is written', async (_reason, call, code, expected) => {
    const before = api.revision()
    const { status, body } = await api.send(call)
    expect({ status, body }).toMatchObject({ status: code, body: { kind: 'Status', status: 'Failure', code } })
    if (expected !== undefined) expect((body as { message: string }).message).toMatch(expected)
    expect(api.revision()).toBe(before)
    expect((await api.send({ method: 'GET', path: '/readyz' })).status).toBe(200)
  })
})

/** Grows by ten with every line when aliases are resolved. */
function bomb(): string {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]']
  for (let i = 1; i < 9; i++) lines.push(`a${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(',')}]`)
  return lines.join('\n')
}

describe('keys that JavaScript knows', () => {
  const hostile = '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},"toString":"x","hasOwnProperty":"y"}'

  it('are data in a ConfigMap', async () => {
    const data = '{"__proto__":"a","constructor":"b","toString":"c"}'
    const { status } = await post(
      CONFIG_MAPS,
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"keys","labels":{"constructor":"l"}},"data":${data}}`,
    )
    expect(status).toBe(201)
    const { body } = await api.send({ method: 'GET', path: `${CONFIG_MAPS}/keys` })
    expect(JSON.stringify((body as { data: object }).data)).toBe(data)
    expect((await api.send({ method: 'GET', path: `${CONFIG_MAPS}?labelSelector=constructor%3Dl` })).body).toMatchObject({
      items: [{ metadata: { name: 'keys' } }],
    })
    expect((await api.send({ method: 'GET', path: `${CONFIG_MAPS}?labelSelector=toString` })).body).toMatchObject({ items: [] })
  })

  it.each([
    [
      'created',
      { method: 'POST', path: WIDGETS, body: `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"p"},"spec":${hostile}}` },
    ],
    ['merged', { method: 'PATCH', path: `${WIDGETS}/p`, contentType: MERGE, body: `{"spec":${hostile}}` }],
    [
      'patched',
      {
        method: 'PATCH',
        path: `${WIDGETS}/p`,
        contentType: 'application/json-patch+json',
        body: `[{"op":"add","path":"/spec/__proto__","value":{"polluted":"yes"}},{"op":"add","path":"/spec/constructor","value":1}]`,
      },
    ],
    [
      'applied',
      {
        method: 'PATCH',
        path: `${WIDGETS}/p?fieldManager=m&force=true`,
        contentType: APPLY,
        body: `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"p"},"spec":${hostile}}`,
      },
    ],
    [
      'in YAML',
      {
        method: 'PATCH',
        path: `${WIDGETS}/p?fieldManager=m&force=true`,
        contentType: APPLY,
        body: 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: p}\nspec:\n  __proto__: {polluted: yes}\n  <<: {constructor: {prototype: {polluted: yes}}}\n',
      },
    ],
    [
      'at the top',
      {
        method: 'PATCH',
        path: `${WIDGETS}/p`,
        contentType: MERGE,
        body: '{"__proto__":{"polluted":"yes"},"metadata":{"__proto__":{"polluted":"yes"}}}',
      },
    ],
    ['as a path', { method: 'GET', path: '/apis/__proto__/constructor/toString' }],
    ['as query', { method: 'GET', path: `${CONFIG_MAPS}?__proto__=x&constructor=y&fieldSelector=__proto__%3Dx` }],
  ] satisfies [string, Call][])('pollute nothing when %s', async (_how, call) => {
    const { status } = await api.send(call)
    expect(status).toBeLessThan(500)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.prototype.toString.call({})).toBe('[object Object]')
  })
})

describe('expressions that take for ever elsewhere', () => {
  it('a pattern with nested quantifiers is matched in linear time', async () => {
    const { status } = await post(
      CRDS,
      crd('slows', 'Slow', { type: 'object', properties: { spec: { type: 'string', pattern: '^(a+)+$' } } }),
    )
    expect(status).toBe(201)
    await served('/apis/example.com/v1/slows')
    const answer = await post('/apis/example.com/v1/namespaces/default/slows', {
      apiVersion: 'example.com/v1',
      kind: 'Slow',
      metadata: { name: 'x' },
      spec: `${'a'.repeat(50_000)}!`,
    })
    expect(answer).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
  })

  it('a rule that would cost too much is refused with the definition', async () => {
    const items = { type: 'array', items: { type: 'array', items: { type: 'string' } } }
    const rule = { rule: "self.all(x, x.all(y, self.all(z, z.all(w, w.matches('^(a+)+$')))))" }
    const answer = await post(
      CRDS,
      crd('costs', 'Cost', { type: 'object', properties: { spec: { ...items, 'x-kubernetes-validations': [rule] } } }),
    )
    expect(answer).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
    expect((answer.body as { message: string }).message).toMatch(/cost/)
  })

  it('a pattern inside a rule is matched in linear time', async () => {
    const spec = { type: 'string', maxLength: 20_000, 'x-kubernetes-validations': [{ rule: "self.matches('^(a+)+$')" }] }
    expect((await post(CRDS, crd('ruled', 'Ruled', { type: 'object', properties: { spec } }))).status).toBe(201)
    await served('/apis/example.com/v1/ruled')
    const answer = await post('/apis/example.com/v1/namespaces/default/ruled', {
      apiVersion: 'example.com/v1',
      kind: 'Ruled',
      metadata: { name: 'x' },
      spec: `${'a'.repeat(19_000)}!`,
    })
    expect(answer).toMatchObject({ status: 422, body: { reason: 'Invalid' } })
  })
})

describe('list pages that outlive their history', () => {
  it('an expired token gets 410 and one to go on with', async () => {
    for (const name of ['page-a', 'page-b', 'page-c'])
      await post(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { page: 'yes' } } })
    const first = await api.send({ method: 'GET', path: `${CONFIG_MAPS}?labelSelector=page&limit=1` })
    const token = (first.body as { metadata: { continue: string } }).metadata.continue
    await api.send({ method: 'DELETE', path: `${CONFIG_MAPS}/page-b` })
    await api.compact()
    const expired = await api.send({ method: 'GET', path: `${CONFIG_MAPS}?labelSelector=page&limit=1&continue=${token}` })
    expect(expired).toMatchObject({ status: 410, body: { reason: 'Expired', metadata: { continue: expect.any(String) } } })
    const rest = await api.send({
      method: 'GET',
      path: `${CONFIG_MAPS}?labelSelector=page&continue=${(expired.body as { metadata: { continue: string } }).metadata.continue}`,
    })
    expect(rest).toMatchObject({ status: 200, body: { items: [{ metadata: { name: 'page-c' } }] } })
    const old = await api.send({ method: 'GET', path: `${CONFIG_MAPS}?resourceVersion=1&resourceVersionMatch=Exact` })
    expect(old).toMatchObject({ status: 410, body: { reason: 'Expired' } })
  })

  it('a token that is older than any history gets 410, even where nothing changed since', async () => {
    const labels = { aged: 'yes' }
    for (const name of ['aged-a', 'aged-b', 'aged-c'])
      await post(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } })
    const page = async (token: string, limit = 1): Promise<{ status: number; token: string; names: readonly string[] }> => {
      const { status, body } = await api.send({ method: 'GET', path: `${CONFIG_MAPS}?labelSelector=aged&limit=${limit}&continue=${token}` })
      const { metadata, items = [] } = body as { metadata: { continue?: string }; items?: readonly { metadata: { name: string } }[] }
      return { status, token: metadata.continue ?? '', names: items.map(({ metadata: { name } }) => name) }
    }
    const first = await page('')
    const second = await page(first.token)
    expect(second).toMatchObject({ status: 200, names: ['aged-b'] })
    // The second page is as old as the first: one list is of one time.
    const read = (token: string): { at: number } => JSON.parse(Buffer.from(token, 'base64url').toString()) as { at: number }
    expect(read(second.token).at).toBe(read(first.token).at)
    const aged = Buffer.from(JSON.stringify({ ...read(second.token), at: Date.now() - 600_000 })).toString('base64url')
    const expired = await page(aged)
    expect(expired).toMatchObject({ status: 410, token: expect.stringMatching(/./) as string })
    expect(await page(expired.token)).toMatchObject({ status: 200, names: ['aged-c'] })
  })

  it('a watch from before is told to start over', async () => {
    await api.compact()
    const { events, ended } = await api.watch({ method: 'GET', path: `${CONFIG_MAPS}?watch=1&resourceVersion=1` }, () => false, 2000)
    expect({ events, ended }).toMatchObject({
      ended: true,
      events: [{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }],
    })
  })
})

it('nothing failed in the background', () => {
  expect(api.errors).toEqual([])
})
