import { createApiServer, createMemoryPki, openMemoryStorage, type ApiRequest, type ApiResponse } from '@weft/apiserver'

/** A request as it comes from a socket: its body is bytes. */
export interface CountedRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

export interface CountedServer {
  send(request: CountedRequest): Promise<ApiResponse>
  readonly failures: readonly string[]
  close(): Promise<void>
}

const ADMIN = { username: 'admin', groups: ['system:masters', 'system:authenticated'] }

export async function startCountedServer(): Promise<CountedServer> {
  const failures: string[] = []
  const server = await createApiServer({
    storage: openMemoryStorage(),
    pki: createMemoryPki({ hosts: ['127.0.0.1'] }),
    address: () => 'https://127.0.0.1:6443',
    onError: (what, error) => failures.push(`${what}: ${String(error)}`),
  })
  return {
    failures,
    send: (request) => server.handle(requestOf(request)),
    close: () => server.close(),
  }
}

function requestOf({ method, url, headers = {}, body }: CountedRequest): ApiRequest {
  const mark = url.indexOf('?')
  const bytes = body === undefined ? undefined : Buffer.from(body)
  return {
    method,
    path: decodeURIComponent(mark < 0 ? url : url.slice(0, mark)),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    header: (name) => headers[name],
    headersWithPrefix: () => [],
    body: bytes === undefined ? { kind: 'none' } : { kind: 'bytes', read: () => Promise.resolve(bytes) },
    credentials: { kind: 'internal', user: ADMIN },
    remoteAddress: '127.0.0.1',
    signal: new AbortController().signal,
  }
}
