import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@weft/client'
import { parseKubeconfig } from '@weft/client'
import { startTestServer, type TestServer } from '@weft/testing'
import { CSRF_HEADER, type Session } from '../contract.ts'
import { type ConsoleOptions, type ConsoleServer, startConsole } from './console-server.ts'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  json(): Record<string, unknown>
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A console before a real API server in memory. */
export interface TestConsole {
  readonly console: ConsoleServer
  readonly api: TestServer
  readonly log: readonly string[]
  /** As a page of the console asks, signed in as nobody. `path` goes out as it stands. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  signInWithLink(): Promise<Browser>
  signInWithToken(token: string): Promise<Browser>
  /** A new service account's token; it may do what the rules say, in the namespace default. */
  tokenFor(name: string, rules?: readonly object[]): Promise<string>
  close(): Promise<void>
}

/** Somebody who is signed in. */
export interface Browser {
  readonly session: Session
  readonly cookie: string
  /** With the cookie, and the CSRF token unless told otherwise. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  /** Lines of a streamed answer; `end` closes the connection. */
  stream(path: string): Promise<OpenStream>
}

export interface OpenStream {
  readonly lines: readonly Record<string, unknown>[]
  readonly ended: boolean
  end(): void
}

export async function startTestConsole(options: Partial<ConsoleOptions> = {}): Promise<TestConsole> {
  const api = await startTestServer()
  const { kubeconfig } = await api.listen()
  const appDirectory = await mkdtemp(join(tmpdir(), 'weft-console-'))
  await mkdir(join(appDirectory, 'assets'))
  await writeFile(join(appDirectory, 'index.html'), '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><title>Weft</title>')
  await writeFile(join(appDirectory, 'assets', 'app-1a2b.js'), `/* ${'x'.repeat(4096)} */`)
  const log: string[] = []
  const console = await startConsole({
    server: await parseKubeconfig(kubeconfig),
    reader: api.client,
    appDirectory,
    log: (line) => log.push(line),
    ...options,
  })
  const origin = console.address
  const call: TestConsole['call'] = (method, path, { headers = {}, body } = {}) =>
    send(origin, method, path, { headers: { origin, ...headers }, body })
  const signIn = async (body: object): Promise<Browser> => {
    const reply = await call('POST', '/console/session', { body })
    if (reply.status !== 200) throw new Error(`not signed in: ${reply.text}`)
    return browserOf(origin, reply)
  }
  return {
    console,
    api,
    log,
    call,
    signInWithLink: () => signIn({ code: new URL(console.signInLink()).hash.slice('#code='.length) }),
    signInWithToken: (token) => signIn({ token }),
    tokenFor: (name, rules = []) => tokenFor(api.client, name, rules),
    async close() {
      await console.close()
      await api.close()
      await rm(appDirectory, { recursive: true, force: true })
    },
  }
}

function browserOf(origin: string, reply: Reply): Browser {
  const session = reply.json() as unknown as Session
  const [cookie = ''] = (reply.headers['set-cookie']?.[0] ?? '').split(';', 1)
  const headers = { cookie, origin, [CSRF_HEADER]: session.csrfToken }
  return {
    session,
    cookie,
    call: (method, path, options = {}) => send(origin, method, path, { ...options, headers: { ...headers, ...options.headers } }),
    stream: (path) => openStream(origin, path, cookie),
  }
}

function send(origin: string, method: string, path: string, { headers = {}, body }: CallOptions): Promise<Reply> {
  const { hostname, port } = new URL(origin)
  const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        method,
        path,
        headers: {
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString('utf8')
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: answer,
            json: () => JSON.parse(answer) as Record<string, unknown>,
          })
        })
      },
    )
    request.on('error', reject)
    request.end(text)
  })
}

function openStream(origin: string, path: string, cookie: string): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, origin), { headers: { cookie } }, (response) => {
      const lines: Record<string, unknown>[] = []
      const state = { lines, ended: false, end: () => void request.destroy() }
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        const parts = (rest + text).split('\n')
        rest = parts.pop() ?? ''
        for (const line of parts) if (line !== '') lines.push(JSON.parse(line) as Record<string, unknown>)
      })
      response.on('close', () => (state.ended = true))
      response.on('error', () => undefined)
      resolve(state)
    })
    request.on('error', reject)
    request.end()
  })
}

async function tokenFor(client: Client, name: string, rules: readonly object[]): Promise<string> {
  const metadata = { name, namespace: 'default' }
  await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  await client.create({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules })
  await client.create({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  })
  const answer = await client.transport.request({
    verb: 'create',
    resource: { group: '', version: 'v1', plural: 'serviceaccounts', namespace: 'default', name, subresource: 'token' },
    object: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  })
  return (answer.body as { status: { token: string } }).status.token
}
