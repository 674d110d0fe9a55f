import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApiServer, type EmbeddedApiServer } from '../api-server.ts'
import { type Authorizer, parseTokenFile, resourceAttributes } from '../auth/index.ts'
import { createMemoryPki } from '../pki/index.ts'
import { openMemoryStorage } from '../storage/index.ts'
import { objectOf } from './answer/represent.ts'
import type { ApiRequest, ApiResponse, CallerCredentials, WatchEvent } from './exchange.ts'

const ADMIN: CallerCredentials = { kind: 'internal', user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] } }
const SECRETS = '/api/v1/secrets'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

interface Listed {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number }
  readonly items: readonly { readonly metadata: { readonly namespace: string; readonly name: string } }[]
}

interface Told {
  readonly type: string
  readonly name: string
  readonly data: unknown
  readonly resourceVersion: string
  readonly code: unknown
}

describe('somebody who is shown those Secrets that they may get', () => {
  const pki = createMemoryPki({ hosts: ['127.0.0.1'] })
  let server: EmbeddedApiServer
  const opened: (() => void)[] = []

  const send = (method: string, url: string, body?: object, credentials: CallerCredentials = ADMIN): Promise<ApiResponse> => {
    const [path = '', query = ''] = url.split('?')
    const headers: Record<string, string> = { 'content-type': 'application/json', authorization: 'Bearer ivy' }
    const request: ApiRequest = {
      method,
      path,
      query: new URLSearchParams(query),
      header: (name) => headers[name],
      headersWithPrefix: () => [],
      body: body === undefined ? { kind: 'none' } : { kind: 'bytes', read: () => Promise.resolve(Buffer.from(JSON.stringify(body))) },
      credentials,
      remoteAddress: '127.0.0.1',
      signal: new AbortController().signal,
    }
    return server.handle(request)
  }
  const done = async (method: string, url: string, body?: object): Promise<object> => {
    const response = await send(method, url, body)
    expect(response.status, `${method} ${url}`).toBeLessThan(300)
    return objectOf(response) as object
  }
  const asIvy = (method: string, url: string, body?: object): Promise<ApiResponse> => send(method, url, body, { kind: 'network' })
  const list = async (query = ''): Promise<Listed> => {
    const response = await asIvy('GET', `${SECRETS}${query}`)
    expect(response.status).toBe(200)
    if (response.body.kind !== 'list') throw new Error('no list')
    const { metadata, items } = response.body.list
    return { metadata, items: items.map((item) => item.object) } as unknown as Listed
  }
  const names = ({ items }: Listed): readonly string[] => items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)

  const watch = async (query = ''): Promise<{ readonly events: Told[]; isOver(): boolean }> => {
    const response = await asIvy('GET', `${SECRETS}?watch=true${query}`)
    if (response.body.kind !== 'watch') throw new Error(`no watch: ${response.status}`)
    const events: Told[] = []
    let over = false
    const tell = (event: WatchEvent): void => {
      const { metadata = {}, data, code } = event.object.object as Record<string, never>
      const { name = '', resourceVersion = '' } = metadata as Record<string, string>
      events.push({ type: event.type, name, data, resourceVersion, code })
    }
    opened.push(response.body.watch.open({ send: (batch) => batch.forEach(tell), close: () => (over = true) }))
    return { events, isOver: () => over }
  }
  const told = (events: readonly Told[]): readonly string[] => events.map(({ type, name }) => `${type} ${name}`.trim())
  const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

  const secret = (namespace: string, name: string): Promise<object> =>
    done('POST', `/api/v1/namespaces/${namespace}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: { v: 'MQ==' } })
  const write = async (namespace: string, name: string, v: string): Promise<void> => {
    const url = `/api/v1/namespaces/${namespace}/secrets/${name}`
    await done('PUT', url, { ...(await done('GET', url)), data: { v } })
  }
  /** Ivy may get these of the namespace, and those before no longer. */
  const grant = async (namespace: string, resourceNames: readonly string[], verbs: readonly string[] = ['get']): Promise<void> => {
    const url = `${RBAC}/namespaces/${namespace}/roles/ivy`
    await done('PUT', url, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'ivy' },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs, ...(resourceNames.length > 0 && { resourceNames }) }],
    })
  }

  beforeEach(async () => {
    const made: { server?: EmbeddedApiServer } = {}
    const view: Authorizer = {
      authorize: ({ user, verb, resource }) => ({
        allowed: false,
        reason: '',
        ...(resource === 'secrets' && {
          only: (namespace: string, name: string) =>
            ['get', verb].some(
              (asked) => made.server?.rbac.authorize(resourceAttributes(user, { verb: asked, resource, namespace, name })).allowed === true,
            ),
        }),
      }),
    }
    server = await createApiServer({
      storage: openMemoryStorage(),
      pki,
      address: () => 'https://127.0.0.1:6443',
      onError: () => undefined,
      tokens: parseTokenFile('ivy,ivy,1'),
      authorizers: [view],
    })
    made.server = server
    for (const namespace of ['a', 'b']) {
      await done('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
      await done('POST', `${RBAC}/namespaces/${namespace}/roles`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'ivy' },
      })
      await done('POST', `${RBAC}/namespaces/${namespace}/rolebindings`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: 'ivy' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'ivy' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ivy' }],
      })
      for (const name of ['one', 'two', 'three']) await secret(namespace, name)
    }
    await grant('a', ['one', 'two'])
  })
  afterEach(async () => {
    for (const close of opened.splice(0)) close()
    await server.close()
  })

  it('lists them as if there were no others, page by page, too', async () => {
    expect(names(await list())).toEqual(['a/one', 'a/two'])
    expect(names(await list('?fieldSelector=metadata.name=one'))).toEqual(['a/one'])
    expect(names(await list('?fieldSelector=metadata.name=three'))).toEqual([])
    const first = await list('?limit=1')
    expect(first.metadata).toMatchObject({ remainingItemCount: 1 })
    const second = await list(`?limit=1&continue=${first.metadata.continue ?? ''}`)
    expect(names(second)).toEqual(['a/two'])
    // Others follow, of which nothing is said.
    expect(second.metadata.continue).toBeUndefined()
    expect((await list('?limit=2')).metadata).toEqual({ resourceVersion: expect.any(String) })
  })

  it('may do no more than before: whoever asks what they may do is told so', async () => {
    expect((await asIvy('GET', '/api/v1/namespaces/a/secrets/three')).status).toBe(403)
    expect((await asIvy('DELETE', '/api/v1/namespaces/a/secrets')).status).toBe(403)
    expect((await asIvy('GET', '/api/v1/namespaces/a/configmaps')).status).toBe(403)
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: 'ivy', resourceAttributes: { verb: 'list', resource: 'secrets' } },
    }
    expect(await done('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review)).toMatchObject({ status: { allowed: false } })
  })

  it('is not shown how something was before they might see it', async () => {
    const before = await list('?limit=1')
    await write('b', 'one', 'Mg==')
    await grant('b', ['one'])
    const { resourceVersion } = before.metadata
    expect((await asIvy('GET', `${SECRETS}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`)).status).toBe(410)
    expect((await asIvy('GET', `${SECRETS}?limit=1&continue=${before.metadata.continue ?? ''}`)).status).toBe(410)
    const { events, isOver } = await watch(`&resourceVersion=${resourceVersion}`)
    await settled()
    expect(events).toMatchObject([{ type: 'ERROR', code: 410 }])
    expect(isOver()).toBe(true)
  })

  it('is told while they watch of what comes and goes, and of rights that come and go, and of nothing else', async () => {
    const { metadata } = await list()
    const { events } = await watch(`&resourceVersion=${metadata.resourceVersion}&allowWatchBookmarks=true`)
    await write('a', 'one', 'Mg==')
    await write('a', 'three', 'Mg==')
    await write('b', 'one', 'Mg==')
    await secret('b', 'four')
    expect(told(events.splice(0))).toEqual(['MODIFIED one'])

    await grant('b', ['four', 'five'])
    await settled()
    const given = events.splice(0)
    expect(told(given)).toEqual(['ADDED four', 'BOOKMARK'])
    await secret('b', 'five')
    expect(told(events.splice(0))).toEqual(['ADDED five'])

    await write('b', 'four', 'Mw==')
    await grant('b', ['five'])
    await settled()
    const taken = events.splice(0)
    expect(told(taken)).toEqual(['MODIFIED four', 'DELETED four', 'BOOKMARK'])
    expect(taken[1]?.data).toBeUndefined()
    await write('b', 'four', 'NA==')
    await done('DELETE', '/api/v1/namespaces/b/secrets/four')
    await done('DELETE', '/api/v1/namespaces/b/secrets/five')
    expect(told(events.splice(0))).toEqual(['DELETED five'])

    // Whoever comes again after that goes on where they were.
    const again = await watch(`&resourceVersion=${taken[2]?.resourceVersion ?? ''}`)
    expect(told(again.events)).toEqual(['DELETED five'])
  })

  it('who watches with what is there told first has the same in the end', async () => {
    const { events } = await watch('&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true')
    expect(told(events.splice(0))).toEqual(['ADDED one', 'ADDED two', 'BOOKMARK'])
    await grant('a', ['two', 'three'])
    await settled()
    expect(told(events.splice(0))).toEqual(['DELETED one', 'ADDED three', 'BOOKMARK'])
  })

  it('has to ask again when they may see a part of what they saw', async () => {
    await grant('a', [], ['get', 'list', 'watch'])
    const response = await asIvy('GET', '/api/v1/namespaces/a/secrets?watch=true')
    if (response.body.kind !== 'watch') throw new Error('no watch')
    const over = new Promise<void>((resolve) => {
      if (response.body.kind === 'watch') opened.push(response.body.watch.open({ send: () => undefined, close: resolve }))
    })
    await grant('a', ['one'])
    await over
  })
})
