import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type JsonObject, type KubeObject, parseJson } from '@weft/api'
import { createApiServer, type ApiServerOptions, type EmbeddedApiServer } from '../api-server.ts'
import type { UserInfo } from '../auth/index.ts'
import type { ApiRequest, ApiResponse, WatchEvent } from '../endpoints/exchange.ts'
import { describeException } from '../endpoints/request-exception.ts'
import { objectOf } from '../endpoints/answer/represent.ts'
import { SYSTEM_USER } from '../lifecycle/system.ts'
import { createMemoryPki, type Pki } from '../pki/index.ts'
import { openMemoryStorage } from '../storage/index.ts'

export const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] }

export interface Answer {
  readonly code: number
  readonly body: KubeObject & { readonly message?: string; readonly reason?: string; readonly items?: readonly KubeObject[] }
  readonly warnings: readonly string[]
}

export interface CallOptions {
  readonly user?: UserInfo
  readonly contentType?: string
}

/** An API server in memory, called as in-process clients call it. */
export interface TestServer {
  readonly server: EmbeddedApiServer
  readonly ignored: string[]
  call(method: string, url: string, body?: unknown, options?: CallOptions): Promise<Answer>
  /** The call must succeed. */
  ok(method: string, url: string, body?: unknown, options?: CallOptions): Promise<Answer['body']>
  watch(
    url: string,
  ): Promise<{ readonly events: WatchEvent[]; until(count: number): Promise<WatchEvent[]>; ended(): Promise<void>; close(): void }>
  close(): Promise<void>
}

export const pki: Pki = createMemoryPki({ hosts: ['127.0.0.1', 'localhost', 'hooks.default.svc'] })
export const caBundle: string = Buffer.from(pki.ca.certificatePem).toString('base64')

export async function startServer(options: Partial<ApiServerOptions> = {}): Promise<TestServer> {
  const ignored: string[] = []
  const exceptions: string[] = []
  const server = await createApiServer({
    storage: openMemoryStorage(),
    pki,
    address: () => 'https://127.0.0.1:6443',
    onError: (what, error) => ignored.push(`${what}: ${String(error)}`),
    onException: (exception) => exceptions.push(describeException(exception)),
    ...options,
  })
  const send = (
    method: string,
    url: string,
    body?: unknown,
    { user = ADMIN, contentType = 'application/json' }: CallOptions = {},
  ): Promise<ApiResponse> => server.handle(requestOf(method, url, body, { user, contentType }))
  const call: TestServer['call'] = async (...args) => {
    const response = await send(...args)
    return { code: response.status, body: bodyOf(response) as Answer['body'], warnings: response.warnings ?? [] }
  }
  return {
    server,
    ignored,
    call,
    async ok(...args) {
      const { code, body } = await call(...args)
      if (code >= 300) throw new Error(`${args[0]} ${args[1]}: ${code} ${body.message ?? ''}`)
      return body
    },
    async watch(url) {
      const response = await send('GET', url)
      if (response.body.kind !== 'watch') throw new Error(`no watch: ${response.status}`)
      return follow(response.body.watch)
    },
    async close() {
      await server.close()
      if (exceptions.length > 0) throw new Error(exceptions.join('\n'))
    },
  }
}

function requestOf(method: string, url: string, body: unknown, { user, contentType }: Required<CallOptions>): ApiRequest {
  const { pathname, searchParams } = new URL(url, 'https://weft')
  return {
    method,
    path: decodeURIComponent(pathname),
    query: searchParams,
    header: (name) => (name === 'content-type' ? contentType : undefined),
    headersWithPrefix: () => [],
    body: body === undefined ? { kind: 'none' } : { kind: 'object', object: body },
    credentials: { kind: 'internal', user },
    remoteAddress: '127.0.0.1',
    signal: new AbortController().signal,
  }
}

const bodyOf = (response: ApiResponse): unknown => (['stored', 'object', 'list'].includes(response.body.kind) ? objectOf(response) : {})

type Watch = Extract<ApiResponse['body'], { kind: 'watch' }>['watch']

function follow(watch: Watch): Awaited<ReturnType<TestServer['watch']>> {
  const events: WatchEvent[] = []
  let wake = (): void => undefined
  let isOver = false
  const cancel = watch.open({
    send: (batch) => {
      events.push(...batch)
      wake()
    },
    close: () => {
      isOver = true
      wake()
    },
  })
  return {
    events,
    close: cancel,
    async ended() {
      while (!isOver) await new Promise<void>((resolve) => (wake = resolve))
    },
    async until(count) {
      while (events.length < count) await new Promise<void>((resolve) => (wake = resolve))
      return events
    },
  }
}

/** What a webhook does with a review: answers the response, or takes over the socket itself. */
export type Handler = (
  review: JsonObject & { readonly request: JsonObject },
  path: string,
) => JsonObject | undefined | Promise<JsonObject | undefined>

export interface WebhookServer {
  readonly url: string
  readonly port: number
  /** Every review received, in order, except those of the server's own housekeeping, which are allowed. */
  readonly reviews: (JsonObject & { readonly request: JsonObject })[]
  readonly connections: () => number
  handler: Handler
  /** Answers with this instead of a review, when set. */
  raw:
    | { readonly status: number; readonly body: string; readonly headers?: Record<string, string>; readonly unfinished?: boolean }
    | undefined
  close(): Promise<void>
}

/** A real HTTPS server on loopback. `response` members are merged into an answer of the right kind and uid. */
export async function startWebhook(handler: Handler = () => ({ allowed: true }), certificates: Pki = pki): Promise<WebhookServer> {
  let connections = 0
  const server = createServer({ key: certificates.serving.key, cert: certificates.serving.certificate }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void (async () => {
        const review = parseJson(Buffer.concat(chunks).toString()).value as JsonObject & { readonly request: JsonObject }
        const housekeeping = isJsonObject(review.request['userInfo']) && review.request['userInfo']['username'] === SYSTEM_USER.username
        if (housekeeping) {
          response.end(
            JSON.stringify({
              apiVersion: review['apiVersion'],
              kind: review['kind'],
              response: { uid: review.request['uid'], allowed: true },
            }),
          )
          return
        }
        hook.reviews.push(review)
        if (hook.raw !== undefined) {
          response.writeHead(hook.raw.status, hook.raw.headers ?? { 'content-type': 'text/plain' })
          if (hook.raw.unfinished === true) response.write(hook.raw.body)
          else response.end(hook.raw.body)
          return
        }
        const answer = await hook.handler(review, request.url ?? '')
        // No answer: the client is left waiting.
        if (answer === undefined) return
        const { review: wrapped, ...members } = answer
        const whole = isJsonObject(wrapped)
          ? wrapped
          : { apiVersion: review['apiVersion'], kind: review['kind'], response: { uid: review.request['uid'], ...members } }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(whole))
      })()
    })
  })
  server.on('secureConnection', () => connections++)
  await listening(server)
  const { port } = server.address() as AddressInfo
  const hook: WebhookServer = {
    url: `https://127.0.0.1:${port}`,
    port,
    reviews: [],
    connections: () => connections,
    handler,
    raw: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return hook
}

const listening = (server: Server): Promise<void> => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()))

export const jsonPatchOf = (operations: readonly object[]): JsonObject => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
})
