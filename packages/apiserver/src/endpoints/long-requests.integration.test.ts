import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiServer, type EmbeddedApiServer } from '../api-server.ts'
import { createMemoryPki } from '../pki/index.ts'
import { openMemoryStorage } from '../storage/index.ts'
import type { ApiResponse } from './exchange.ts'

/** While a large request is under way, others are answered: in between its parts, not when it is done. */

const ADMIN = { username: 'admin', groups: ['system:masters', 'system:authenticated'] }
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const THINGS = '/apis/long.example.org/v1/namespaces/default/things'
const BYTES = 300_000

describe('large requests', () => {
  let server: EmbeddedApiServer
  const send = (method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> => {
    const [path = '', query = ''] = url.split('?')
    const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    return server.handle({
      method,
      path,
      query: new URLSearchParams(query),
      header: (name) => headers[name],
      headersWithPrefix: () => [],
      body: bytes === undefined ? { kind: 'none' } : { kind: 'bytes', read: () => Promise.resolve(bytes) },
      credentials: { kind: 'internal', user: ADMIN },
      remoteAddress: '127.0.0.1',
      signal: new AbortController().signal,
    })
  }
  const thing = (name: string, spec: object): object => ({ apiVersion: 'long.example.org/v1', kind: 'Thing', metadata: { name }, spec })
  const keyed = (bytes = BYTES, more = ''): object => ({
    keyed: Array.from({ length: bytes / 40 }, (_, i) => ({ name: `n${i}`, more: `${more}-${'x'.repeat(10)}` })),
  })

  beforeAll(async () => {
    server = await createApiServer({
      storage: openMemoryStorage(),
      pki: createMemoryPki({ hosts: ['127.0.0.1'] }),
      address: () => 'https://127.0.0.1:6443',
      onError: () => undefined,
    })
    const items = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, more: { type: 'string' } } }
    const list = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items }
    const openAPIV3Schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { keyed: list, n: { type: 'integer' } } } },
    }
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.long.example.org' },
      spec: {
        group: 'long.example.org',
        names: { kind: 'Thing', plural: 'things' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    }
    expect((await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status).toBe(201)
    while ((await send('GET', THINGS)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await send('POST', CONFIG_MAPS, { metadata: { name: 'small' }, data: { a: 'b' } })).status).toBe(201)
    expect((await send('POST', THINGS, thing('large', keyed()))).status).toBe(201)
    for (let i = 0; i < 300; i++) expect((await send('POST', THINGS, thing(`t${i}`, keyed(2000, 'x'.repeat(20))))).status).toBe(201)
  })
  afterAll(() => server?.close())

  /** How many small requests were sent and answered before the large one was. */
  async function answeredMeanwhile(large: Promise<ApiResponse>): Promise<number> {
    let done: ApiResponse | undefined
    void large.then((response) => (done = response))
    let answered = 0
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      if (done !== undefined) break
      expect((await send('GET', `${CONFIG_MAPS}/small`)).status).toBe(200)
      answered++
    }
    expect(done.status).toBeLessThan(300)
    return answered
  }

  const apply = { 'content-type': 'application/apply-patch+yaml' }
  it.each([
    ['POST', () => send('POST', `${THINGS}?dryRun=All`, thing('new', keyed())), 8],
    ['PUT', async () => send('PUT', `${THINGS}/large?dryRun=All`, await withVersion(keyed(BYTES, 'y'))), 8],
    ['merge patch', () => patch('merge-patch+json', { spec: keyed(BYTES, 'y') }), 8],
    ['a small patch of a large object', () => patch('merge-patch+json', { spec: { n: 1 } }), 8],
    ['JSON patch', () => patch('json-patch+json', [{ op: 'replace', path: '/spec', value: keyed(BYTES, 'y') }]), 8],
    ['apply', () => send('PATCH', `${THINGS}/applied?fieldManager=m&dryRun=All`, thing('applied', keyed()), apply), 10],
    ['apply over', () => send('PATCH', `${THINGS}/large?fieldManager=m&force=true&dryRun=All`, thing('large', keyed()), apply), 10],
    ['list by label', () => send('GET', `${THINGS}?labelSelector=a!%3Db`), 5],
  ] as const)('%s: others are answered meanwhile', async (_, large, least) => {
    expect(await answeredMeanwhile(large())).toBeGreaterThanOrEqual(least)
  })

  it('many at once: a small request waits for a part of one of them', async () => {
    const all = Promise.all(Array.from({ length: 5 }, (_, i) => send('POST', `${THINGS}?dryRun=All`, thing(`n${i}`, keyed()))))
    expect(await answeredMeanwhile(all.then(([first]) => first as ApiResponse))).toBeGreaterThanOrEqual(40)
  })

  it('a small request takes no turn', async () => {
    let turns = 0
    const count = (): void => void (turns++, (immediate = setImmediate(count)))
    let immediate = setImmediate(count)
    const response = await send('POST', `${THINGS}?dryRun=All`, thing('small', keyed(400)))
    clearImmediate(immediate)
    expect(response.status).toBe(201)
    expect(turns).toBe(0)
  })

  const patch = (type: string, body: unknown): Promise<ApiResponse> =>
    send('PATCH', `${THINGS}/large?dryRun=All`, body, { 'content-type': `application/${type}` })

  async function withVersion(spec: object): Promise<object> {
    const { body } = await send('GET', `${THINGS}/large`)
    if (body.kind !== 'stored') throw new Error(body.kind)
    return { ...thing('large', spec), metadata: body.stored.object.metadata }
  }
})
