import { eventually } from '@weft/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CSRF_HEADER } from '../contract.ts'
import { type Browser, startTestConsole, type TestConsole } from './test-console.fixture.ts'

let world: TestConsole
/** What packages were looked into. */
const fetched: string[] = []
let admin: Browser

beforeAll(async () => {
  world = await startTestConsole({
    readPackage: async (source) => {
      fetched.push(source)
      return { type: 'Provider', name: 'example', source, kinds: [], others: [], dependencies: [] }
    },
    readLog: async (kind, name) => (name === 'example' ? `${kind} ${name} is at work` : undefined),
    plan: (_client, request) => Promise.resolve({ changes: [], warnings: [JSON.stringify(request)] }),
  })
  admin = await world.signInWithLink()
})
afterAll(() => world.close())

const configMap = (name: string, data: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})
const CONFIG_MAPS = '/k8s/api/v1/namespaces/default/configmaps'

describe('signing in', () => {
  it('by the link: once, as the kubeconfig’s user', async () => {
    const link = new URL(world.console.signInLink())
    expect(link.pathname).toBe('/console/sign-in')
    expect(link.search).toBe('')
    const body = { code: link.hash.slice('#code='.length) }
    const first = await world.call('POST', '/console/session', { body })
    expect(first.status).toBe(200)
    expect(first.json()).toMatchObject({ groups: expect.arrayContaining(['system:masters']) as string[] })
    const second = await world.call('POST', '/console/session', { body })
    expect(second.status).toBe(401)
    expect(second.headers['set-cookie']).toBeUndefined()
  })

  it('gives a cookie that scripts cannot read and other sites cannot send', async () => {
    const body = { code: new URL(world.console.signInLink()).hash.slice(6) }
    const { headers } = await world.call('POST', '/console/session', { body })
    expect(headers['set-cookie']?.[0]).toMatch(/^weft-console-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  })

  it('by a token: as that token’s user, with that user’s rights', async () => {
    const token = await world.tokenFor('reader', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }])
    const reader = await world.signInWithToken(`  ${token}\n`)
    expect(reader.session).toMatchObject({ user: 'system:serviceaccount:default:reader' })
    expect((await reader.call('GET', CONFIG_MAPS)).status).toBe(200)
    expect((await reader.call('GET', '/k8s/api/v1/namespaces/default/secrets')).status).toBe(403)
    expect((await reader.call('POST', CONFIG_MAPS, { body: configMap('no') })).status).toBe(403)
  })

  it.each([
    { reason: 'a token that the server does not know', body: { token: 'abc' }, status: 401 },
    { reason: 'no token', body: { token: '   ' }, status: 401 },
    { reason: 'a token that would break a header', body: { token: 'a\r\nX: y' }, status: 401 },
    { reason: 'a wrong code', body: { code: 'x'.repeat(43) }, status: 401 },
    { reason: 'both', body: { token: 'a', code: 'b' }, status: 400 },
    { reason: 'neither', body: {}, status: 400 },
    { reason: 'a code that is no text', body: { code: 5 }, status: 400 },
    { reason: 'a list', body: [], status: 400 },
    { reason: 'no JSON', body: '{', status: 400 },
    { reason: 'far too much', body: { token: 'x'.repeat(100_000) }, status: 413 },
  ])('refuses $reason', async ({ body, status }) => {
    const reply = await world.call('POST', '/console/session', { body })
    expect(reply.status).toBe(status)
    expect(reply.json()).toMatchObject({ kind: 'Status', code: status })
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it('never repeats a token in an answer or in the log', async () => {
    const secret = 'tok-very-secret-value'
    const replies = await Promise.all([
      world.call('POST', '/console/session', { body: { token: secret } }),
      world.call('POST', '/console/session', { body: `{"token": "${secret}"` }),
    ])
    for (const { text } of replies) expect(text).not.toContain(secret)
    expect(world.log.join('\n')).not.toContain(secret)
  })

  it('is not possible for a form of another site', async () => {
    const body = { code: new URL(world.console.signInLink()).hash.slice(6) }
    const form = { body: JSON.stringify(body), headers: { 'content-type': 'text/plain' } }
    expect((await world.call('POST', '/console/session', form)).status).toBe(415)
    expect((await world.call('POST', '/console/session', { body, headers: { origin: 'https://evil.example' } })).status).toBe(403)
    expect((await world.call('POST', '/console/session', { body })).status).toBe(200)
  })

  it('gets another link for whoever has the key of this console, and for nobody else', async () => {
    const key = world.console.linkKey
    for (const body of [{ key: `${key}x` }, { key: '' }, { key: 5 }, {}])
      expect((await world.call('POST', '/console/links', { body })).status).toBe(403)
    expect((await world.call('POST', '/console/links', { body: { key }, headers: { origin: 'https://evil.example' } })).status).toBe(403)
    expect((await world.call('GET', '/console/links')).status).toBe(405)
    const asked = await world.call('POST', '/console/links', { body: { key } })
    expect(asked.status).toBe(200)
    expect(asked.headers['set-cookie']).toBeUndefined()
    const link = new URL(String(asked.json()['link']))
    expect(link.origin).toBe(world.console.address)
    const signedIn = await world.call('POST', '/console/session', { body: { code: link.hash.slice('#code='.length) } })
    expect(signedIn.status).toBe(200)
  })

  it('as somebody else ends the session before', async () => {
    const first = await world.signInWithLink()
    const body = { code: new URL(world.console.signInLink()).hash.slice(6) }
    await world.call('POST', '/console/session', { body, headers: { cookie: first.cookie } })
    expect((await first.call('GET', '/console/session')).status).toBe(401)
  })
})

describe('what the user may do', () => {
  it('is asked in one request, as the user, in order', async () => {
    const token = await world.tokenFor('asker', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }])
    const asker = await world.signInWithToken(token)
    const wish = (verb: string): object => ({ verb, group: '', resource: 'configmaps', namespace: 'default' })
    const { status, text } = await asker.call('POST', '/console/access', { body: { wishes: ['get', 'delete', 'get'].map(wish) } })
    expect([status, JSON.parse(text)]).toEqual([200, { allowed: [true, false, true] }])
    expect((await world.call('POST', '/console/access', { body: { wishes: [] } })).status).toBe(401)
  })

  it.each([
    ['no list', {}],
    ['what is no text', { wishes: [{ verb: 1 }] }],
    ['far too many', { wishes: Array.from({ length: 300 }, () => ({ verb: 'get' })) }],
  ])('refuses %s', async (_reason, body) => {
    expect((await admin.call('POST', '/console/access', { body })).status).toBe(400)
  })
})

describe('sessions', () => {
  it('say who it is, and nothing that would help somebody else', async () => {
    const { status, text, headers } = await admin.call('GET', '/console/session')
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual(admin.session)
    expect(headers['cache-control']).toBe('no-store')
    expect(text).not.toContain('PRIVATE KEY')
  })

  it('end by signing out', async () => {
    const gone = await world.signInWithLink()
    const reply = await gone.call('DELETE', '/console/session')
    expect(reply.status).toBe(204)
    expect(reply.headers['set-cookie']?.[0]).toContain('Max-Age=0')
    const after = await gone.call('GET', '/console/session')
    expect(after.status).toBe(401)
    expect(after.json()).toMatchObject({ reason: 'SessionExpired' })
  })

  it.each(['/console/session', '/console/metrics', '/console/history', '/console/watches', '/k8s/api/v1/namespaces'])(
    'are needed for %s',
    async (path) => {
      for (const cookie of ['', 'weft-console-1=x', `${admin.cookie}x`])
        expect(await world.call('GET', path, { headers: { cookie } })).toMatchObject({ status: 401 })
    },
  )

  it('end when the server no longer accepts the token', async () => {
    const token = await world.tokenFor('fleeting')
    const fleeting = await world.signInWithToken(token)
    await world.api.client.delete({ group: '', kind: 'ServiceAccount' }, { namespace: 'default', name: 'fleeting' })
    const reply = await eventually(async () => {
      const answer = await fleeting.call('GET', '/k8s/api/v1/namespaces')
      expect(answer.status).toBe(401)
      return answer
    })
    expect(reply.json()).toMatchObject({ reason: 'SessionExpired' })
    expect((await fleeting.call('GET', '/console/session')).status).toBe(401)
  })
})

describe('requests that change something', () => {
  it.each([
    { reason: 'without a CSRF token', headers: { [CSRF_HEADER]: '' } },
    { reason: 'with a wrong CSRF token', headers: { [CSRF_HEADER]: 'x' } },
    { reason: 'from another site', headers: { origin: 'https://evil.example' } },
    { reason: 'from another port of this machine', headers: { origin: 'http://127.0.0.1:1' } },
    { reason: 'from a page that a browser knows to be another', headers: { 'sec-fetch-site': 'same-site' } },
  ])('are refused $reason', async ({ headers }) => {
    const calls = [
      ['POST', CONFIG_MAPS],
      ['PUT', `${CONFIG_MAPS}/forged`],
      ['PATCH', `${CONFIG_MAPS}/forged`],
      ['DELETE', `${CONFIG_MAPS}/forged`],
      ['POST', '/console/plan'],
      ['POST', '/console/render'],
      ['POST', '/console/watches/x'],
      ['DELETE', '/console/session'],
    ] as const
    for (const [method, path] of calls)
      expect(await admin.call(method, path, { body: configMap('forged'), headers })).toMatchObject({ status: 403 })
    expect((await admin.call('GET', '/console/session')).status).toBe(200)
    expect((await admin.call('GET', `${CONFIG_MAPS}/forged`)).status).toBe(404)
  })

  it('are refused with another session’s CSRF token', async () => {
    const other = await world.signInWithLink()
    const headers = { [CSRF_HEADER]: other.session.csrfToken }
    expect((await admin.call('POST', CONFIG_MAPS, { body: configMap('forged'), headers })).status).toBe(403)
  })

  it('are done as they stand', async () => {
    expect((await admin.call('POST', `${CONFIG_MAPS}?fieldManager=form`, { body: configMap('made', { a: 'b' }) })).status).toBe(201)
    const patched = await admin.call('PATCH', `${CONFIG_MAPS}/made`, {
      body: { data: { c: 'd' } },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    expect(patched.json()).toMatchObject({ data: { a: 'b', c: 'd' } })
    const dry = await admin.call('PATCH', `${CONFIG_MAPS}/made?fieldManager=form&dryRun=All&force=true`, {
      body: configMap('made', { a: 'dry' }),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    })
    expect(dry.json()).toMatchObject({ data: { a: 'dry' } })
    expect((await admin.call('GET', `${CONFIG_MAPS}/made`)).json()).toMatchObject({ data: { a: 'b', c: 'd' } })
    expect((await admin.call('DELETE', `${CONFIG_MAPS}/made`)).status).toBe(200)
    expect((await admin.call('GET', `${CONFIG_MAPS}/made`)).json()).toMatchObject({ kind: 'Status', reason: 'NotFound' })
  })
})

describe('the API', () => {
  it('is asked by whom the session says, whatever the browser adds', async () => {
    for (const header of ['Impersonate-User', 'Impersonate-Group', 'Impersonate-Extra-Scopes', 'X-Remote-User'])
      expect(await admin.call('GET', '/k8s/api/v1/namespaces', { headers: { [header]: 'system:admin' } })).toMatchObject({ status: 400 })
    const reader = await world.signInWithToken(await world.tokenFor('powerless'))
    const adminToken = `Bearer ${await world.tokenFor('other', [{ apiGroups: [''], resources: ['*'], verbs: ['*'] }])}`
    expect((await reader.call('GET', CONFIG_MAPS, { headers: { authorization: adminToken } })).status).toBe(403)
  })

  it.each([
    '/k8s/../console/session',
    '/k8s/api/../../metrics',
    '/k8s/api/%2e%2e/metrics',
    '/k8s/metrics',
    '/k8s/weft/backup',
    '/k8s//api',
    '/k8s/',
  ])('cannot be left by %s', async (path) => {
    const { status, text } = await admin.call('GET', path)
    expect([400, 404]).toContain(status)
    expect(text).not.toContain('weft_')
    expect(text).not.toContain('process_cpu')
  })

  it.each(['TRACE', 'OPTIONS', 'PROPFIND'])('has no %s', async (method) => {
    expect((await admin.call(method, '/k8s/api/v1/namespaces')).status).toBe(405)
  })

  it('answers data that no browser takes for a page', async () => {
    const { headers } = await admin.call('GET', '/k8s/api/v1/namespaces')
    expect(headers['content-type']).toBe('application/json')
    expect(headers['content-security-policy']).toContain('sandbox')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  it('refuses what is too large before it has it all', async () => {
    const reply = await admin
      .call('POST', CONFIG_MAPS, { body: 'x', headers: { 'content-length': String(100 * 1024 * 1024) } })
      .catch(() => ({ status: 413 }))
    expect(reply.status).toBe(413)
  })

  it('watches over one stream: events, refusals and ends by name', async () => {
    const stream = await admin.stream('/console/watches')
    const id = await eventually(() => {
      expect(stream.lines[0]).toHaveProperty('stream')
      return String(stream.lines[0]?.['stream'])
    })
    const control = await admin.call('POST', `/console/watches/${id}`, {
      body: {
        open: [
          { watch: 'maps', path: '/api/v1/namespaces/default/configmaps?watch=true' },
          { watch: 'nothing', path: '/apis/nothing.example/v1/things?watch=true' },
          { watch: 'old', path: '/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=1&timeoutSeconds=1' },
        ],
      },
    })
    expect(control.status).toBe(204)
    await admin.call('POST', CONFIG_MAPS, { body: configMap('watched', { text: 'ä “line”\nbreak' }) })
    await eventually(() => {
      expect(stream.lines).toContainEqual(
        expect.objectContaining({
          watch: 'maps',
          event: expect.objectContaining({
            type: 'ADDED',
            object: expect.objectContaining({ data: { text: 'ä “line”\nbreak' } }) as object,
          }) as object,
        }),
      )
      expect(stream.lines).toContainEqual(
        expect.objectContaining({ watch: 'nothing', end: { status: expect.objectContaining({ code: 404 }) as object } }),
      )
      expect(stream.lines.some(({ watch, end }) => watch === 'old' && end !== undefined)).toBe(true)
    })
    await admin.call('POST', `/console/watches/${id}`, { body: { close: ['maps', 'unknown'] } })
    const seen = stream.lines.length
    await admin.call('DELETE', `${CONFIG_MAPS}/watched`)
    await admin.call('POST', `/console/watches/${id}`, { body: { open: [{ watch: 'maps', path: '/api/v1/namespaces?watch=true' }] } })
    await eventually(() => expect(stream.lines.slice(seen).some(({ watch }) => watch === 'maps')).toBe(true))
    expect(stream.lines.slice(seen).map(({ event }) => (event as { object: { kind: string } } | undefined)?.object.kind)).not.toContain(
      'ConfigMap',
    )
    stream.end()
  })

  it('refuses streams of others, and watches that are none', async () => {
    const stream = await admin.stream('/console/watches')
    await eventually(() => expect(stream.lines).toHaveLength(1))
    const path = `/console/watches/${String(stream.lines[0]?.['stream'])}`
    const other = await world.signInWithLink()
    const open = (watched: string, watch = 'a'): object => ({ body: { open: [{ watch, path: watched }] } })
    expect((await other.call('POST', path, open('/api/v1/namespaces?watch=true'))).status).toBe(404)
    expect((await admin.call('POST', '/console/watches/none', open('/api/v1/namespaces?watch=true'))).status).toBe(404)
    expect((await admin.call('POST', path, open('/api/v1/namespaces'))).status).toBe(400)
    expect((await admin.call('POST', path, open('/metrics?watch=true'))).status).toBe(404)
    expect((await admin.call('POST', path, open('/api/../metrics?watch=true'))).status).toBe(400)
    expect((await admin.call('POST', path, open('/api/v1/namespaces?watch=true', ''))).status).toBe(400)
    expect((await admin.call('POST', path, { body: { open: 'x' } })).status).toBe(400)
    expect((await admin.call('POST', path, open('/api/v1/namespaces?watch=true', 'twice'))).status).toBe(204)
    expect((await admin.call('POST', path, open('/api/v1/namespaces?watch=true', 'twice'))).status).toBe(409)
    expect(stream.ended).toBe(false)
    stream.end()
  })

  it('ends the streams of a session that ends', async () => {
    const leaving = await world.signInWithLink()
    const multiplexed = await leaving.stream('/console/watches')
    const single = await leaving.stream('/k8s/api/v1/namespaces?watch=true')
    await eventually(() => {
      expect(multiplexed.lines).toHaveLength(1)
      expect(single.lines.length).toBeGreaterThan(0)
    })
    await leaving.call('DELETE', '/console/session')
    await eventually(() => expect([multiplexed.ended, single.ended]).toEqual([true, true]))
  })

  it('tells users without rights so, watch by watch', async () => {
    const nobody = await world.signInWithToken(await world.tokenFor('nobody'))
    const stream = await nobody.stream('/console/watches')
    await eventually(() => expect(stream.lines).toHaveLength(1))
    await nobody.call('POST', `/console/watches/${String(stream.lines[0]?.['stream'])}`, {
      body: { open: [{ watch: 's', path: '/api/v1/secrets?watch=true' }] },
    })
    await eventually(() =>
      expect(stream.lines).toContainEqual({
        watch: 's',
        end: { status: { code: 403, reason: 'Forbidden', message: expect.stringContaining('secrets') as string } },
      }),
    )
    stream.end()
  })
})

describe('plans and rendering', () => {
  it('are of objects, or of one to delete', async () => {
    const objects = [configMap('planned')]
    expect((await admin.call('POST', '/console/plan', { body: { objects } })).json()).toEqual({
      changes: [],
      warnings: [JSON.stringify({ objects })],
    })
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'planned' }
    expect((await admin.call('POST', '/console/plan', { body: { delete: reference } })).status).toBe(200)
  })

  it.each([
    {},
    { objects: 'x' },
    { objects: [{}] },
    { objects: [configMap('a')], delete: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' } },
    { delete: { apiVersion: 'v1', kind: 'ConfigMap' } },
    { delete: null },
  ])('refuse %j', async (body) => {
    expect((await admin.call('POST', '/console/plan', { body })).status).toBe(400)
  })

  it('say when there is no engine', async () => {
    expect((await admin.call('POST', '/console/render', { body: { intent: configMap('a') } })).status).toBe(501)
  })
})

describe('numbers of the controllers', () => {
  it('are for those who may read /metrics', async () => {
    expect((await admin.call('GET', '/console/metrics')).json()).toEqual({ intervalSeconds: 10, samples: [], controllers: [] })
    const nobody = await world.signInWithToken(await world.tokenFor('curious'))
    expect((await nobody.call('GET', '/console/metrics')).status).toBe(403)
  })
})

describe('the app', () => {
  it('is one page with a nonce of its own each time', async () => {
    const pages = await Promise.all(['/', '/console/sign-in', '/objects/a/b/c', '/index.html'].map((path) => world.call('GET', path)))
    const nonces = pages.map(({ status, text, headers }) => {
      expect(status).toBe(200)
      const nonce = /nonce="([^"]+)"/.exec(text)?.[1] ?? ''
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain(`'nonce-${nonce}'`)
      expect(policy).not.toContain('unsafe')
      expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
      return nonce
    })
    expect(new Set(nonces).size).toBe(pages.length)
  })

  it('has files that browsers keep, compressed', async () => {
    const { status, headers } = await world.call('GET', '/assets/app-1a2b.js', { headers: { 'accept-encoding': 'gzip' } })
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/javascript; charset=utf-8' })
    expect(headers['cache-control']).toContain('immutable')
  })

  it.each([
    '/assets/none.js',
    '/assets/../../../../etc/passwd',
    '/assets/%2e%2e/%2e%2e/etc/passwd',
    '/../../etc/passwd',
    '/%2e%2e/etc/passwd',
  ])('has no %s', async (path) => {
    const { text } = await world.call('GET', path)
    expect(text).not.toContain('root:')
    expect(text).toMatch(/no such file|<title>Weft/)
  })

  it('cannot be written', async () => {
    expect((await world.call('POST', '/', { body: {} })).status).toBe(405)
    expect((await admin.call('PUT', '/console/session', { body: {} })).status).toBe(405)
  })

  it('is not served under a name that was made to point here', async () => {
    for (const path of ['/', '/console/session', '/k8s/api/v1/namespaces'])
      expect(await admin.call('GET', path, { headers: { host: 'evil.example' } })).toMatchObject({ status: 421 })
  })
})

describe('packages', () => {
  const MAY_INSTALL = { apiGroups: ['pkg.crossplane.io'], resources: ['providers'], verbs: ['create'] }
  const MAY_READ_OUTPUT = { apiGroups: ['pkg.crossplane.io'], resources: ['providers/log'], resourceNames: ['example'], verbs: ['get'] }

  it('are looked into for those who may install them, and fetched for nobody else', async () => {
    const asked = await admin.call('POST', '/console/package', { body: { source: ' r.example.org/a:v1 ' } })
    expect(asked.json()).toMatchObject({ type: 'Provider', source: 'r.example.org/a:v1' })
    // A right in one namespace is none: packages are in no namespace.
    for (const rules of [[], [MAY_INSTALL]]) {
      const limited = await world.signInWithToken(await world.tokenFor(`looks-${rules.length}`, rules))
      expect((await limited.call('POST', '/console/package', { body: { source: 'r.example.org/secret:v1' } })).status).toBe(403)
    }
    expect(fetched).toEqual(['r.example.org/a:v1'])
  })

  it.each([{}, { source: '' }, { source: 5 }, { source: 'x'.repeat(1025) }])('are named by a text: %j', async (body) => {
    expect((await admin.call('POST', '/console/package', { body })).status).toBe(400)
  })

  it('show what they print to those who may get their log', async () => {
    expect((await admin.call('GET', '/console/logs?kind=Provider&name=example')).json()).toEqual({ text: 'Provider example is at work' })
    expect((await admin.call('GET', '/console/logs?kind=Function&name=silent')).json()).toEqual({})
    const limited = await world.signInWithToken(await world.tokenFor('listens', [MAY_READ_OUTPUT]))
    expect((await limited.call('GET', '/console/logs?kind=Provider&name=example')).status).toBe(403)
  })

  it.each(['', '?kind=Provider', '?kind=Configuration&name=a', '?kind=constructor&name=a'])('have no log at %j', async (query) => {
    expect((await admin.call('GET', `/console/logs${query}`)).status).toBe(400)
  })
})
