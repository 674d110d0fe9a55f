import { X509Certificate } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApiServer, type EmbeddedApiServer } from '../api-server.ts'
import { createMemoryPki, issueClientCertificate } from '../pki/index.ts'
import { openMemoryStorage } from '../storage/index.ts'
import type { ApiRequest, ApiResponse, CallerCredentials } from './exchange.ts'
import { objectOf } from './answer/represent.ts'

const ADMIN: CallerCredentials = { kind: 'internal', user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] } }
const NAMESPACE = '/api/v1/namespaces/default'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'
/** The shortest life of a token; watches may last longer. */
const LIFE_MS = 600_000
/** How long a token is still good after that: clocks differ. */
const LEEWAY_MS = 60_000

/** Somebody outside, and with what they prove who they are. */
interface Caller {
  readonly credentials?: CallerCredentials
  readonly headers?: Readonly<Record<string, string>>
}

describe('an open watch ends when', () => {
  const pki = createMemoryPki({ hosts: ['127.0.0.1'] })
  let server: EmbeddedApiServer
  const send = (method: string, url: string, body?: object, { credentials = ADMIN, headers = {} }: Caller = {}): Promise<ApiResponse> => {
    const [path = '', query = ''] = url.split('?')
    const all: Record<string, string> = {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      ...headers,
    }
    const request: ApiRequest = {
      method,
      path,
      query: new URLSearchParams(query),
      header: (name) => all[name],
      headersWithPrefix: (prefix) => Object.entries(all).filter(([name]) => name.startsWith(prefix)),
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
  const pass = (millis: number): Promise<unknown> => vi.advanceTimersByTimeAsync(millis)

  const openedBy = async (caller: Caller): Promise<() => boolean> => {
    const response = await send('GET', `${NAMESPACE}/configmaps?watch=true`, undefined, { credentials: { kind: 'network' }, ...caller })
    expect(response.body.kind).toBe('watch')
    let over = false
    if (response.body.kind === 'watch') response.body.watch.open({ send: () => undefined, close: () => (over = true) })
    return () => over
  }
  const account = async (name: string): Promise<void> => {
    await done('POST', `${NAMESPACE}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })
  }
  const tokenOf = async (name: string, spec: object = {}): Promise<Caller> => {
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: LIFE_MS / 1000, ...spec } }
    const { status } = (await done('POST', `${NAMESPACE}/serviceaccounts/${name}/token`, request)) as { status: { token: string } }
    return { headers: { authorization: `Bearer ${status.token}` } }
  }
  const certificateOf = (user: string, lifeMillis: number): Caller => {
    const { certificate } = issueClientCertificate(pki.ca, { user, lifeMillis })
    return { credentials: { kind: 'network', peerCertificate: { raw: new X509Certificate(certificate).raw, verified: true } } }
  }
  const role = (verbs: readonly string[]): object => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'watcher' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs }],
  })
  const bind = (name: string, subject: object): Promise<object> =>
    done('POST', `${RBAC}/namespaces/default/rolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'watcher' },
      subjects: [subject],
    })
  const user = (name: string): object => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name })
  const serviceAccount = (name: string): object => ({ kind: 'ServiceAccount', name, namespace: 'default' })

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
    const storage = openMemoryStorage()
    const address = (): string => 'https://127.0.0.1:6443'
    server = await createApiServer({ storage, pki, address, onError: () => undefined })
    await done('POST', `${RBAC}/clusterroles`, role(['get', 'list', 'watch']))
    for (const name of ['bot', 'other']) {
      await account(name)
      await bind(name, serviceAccount(name))
    }
    await bind('ivy', user('ivy'))
  })
  afterEach(async () => {
    await server.close()
    vi.useRealTimers()
  })

  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pass' } }
  interface Case {
    readonly reason: string
    readonly caller: () => Promise<Caller>
    readonly lose: () => Promise<unknown>
    /** Nothing but the clock tells of it. */
    readonly unseen?: true
  }
  const cases: readonly Case[] = [
    { reason: 'its token expires', caller: () => tokenOf('bot'), lose: () => pass(LIFE_MS + LEEWAY_MS), unseen: true },
    {
      reason: 'its certificate expires',
      caller: () => Promise.resolve(certificateOf('ivy', LIFE_MS)),
      lose: () => pass(LIFE_MS),
      unseen: true,
    },
    {
      reason: 'the secret that its token is bound to is deleted',
      async caller() {
        const { metadata } = (await done('POST', `${NAMESPACE}/secrets`, secret)) as { metadata: { uid: string } }
        return tokenOf('bot', { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'pass', uid: metadata.uid } })
      },
      lose: () => done('DELETE', `${NAMESPACE}/secrets/pass`),
      unseen: true,
    },
    { reason: 'its account is deleted', caller: () => tokenOf('bot'), lose: () => done('DELETE', `${NAMESPACE}/serviceaccounts/bot`) },
    {
      reason: 'its account was deleted and made anew',
      caller: () => tokenOf('bot'),
      lose: () => done('DELETE', `${NAMESPACE}/serviceaccounts/bot`).then(() => account('bot')),
    },
    {
      reason: 'its role is no longer bound',
      caller: () => tokenOf('bot'),
      lose: () => done('DELETE', `${RBAC}/namespaces/default/rolebindings/bot`),
    },
    {
      reason: 'it is taken out of a binding',
      caller: () => Promise.resolve(certificateOf('ivy', 2 * LIFE_MS)),
      lose: () => done('PATCH', `${RBAC}/namespaces/default/rolebindings/ivy`, { subjects: [user('eve')] }),
    },
  ]

  it.each(cases)('$reason, and others go on', async ({ caller, lose, unseen }) => {
    const isOver = await openedBy(await caller())
    const goesOn = await openedBy(await tokenOf('other', { expirationSeconds: 3600 }))
    await pass(11_000)
    expect([isOver(), goesOn()]).toEqual([false, false])
    await lose()
    await pass(unseen ? 10_100 : 100)
    expect([isOver(), goesOn()]).toEqual([true, false])
  })

  it('its role no longer allows it, for everybody who has that role', async () => {
    const watches = [await openedBy(await tokenOf('bot')), await openedBy(certificateOf('ivy', LIFE_MS))]
    await done('PATCH', `${RBAC}/clusterroles/watcher`, { rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }] })
    await pass(100)
    expect(watches.map((isOver) => isOver())).toEqual([true, true])
  })

  it('whoever acts as somebody else may no longer do so', async () => {
    await done('POST', `${RBAC}/clusterroles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'actor' },
      rules: [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }],
    })
    await done('POST', `${RBAC}/clusterrolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'actor' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'actor' },
      subjects: [serviceAccount('bot')],
    })
    const isOver = await openedBy({ headers: { ...(await tokenOf('bot')).headers, 'impersonate-user': 'ivy' } })
    await done('DELETE', `${RBAC}/clusterrolebindings/actor`)
    await pass(100)
    expect(isOver()).toBe(true)
  })
})
