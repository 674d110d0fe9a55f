import {
  type ApiRequest,
  type ApiResponse,
  createApiServer,
  createMemoryPki,
  describeException,
  openMemoryStorage,
  type UserInfo,
} from '@weft/apiserver'

/** A request as it comes from a socket: its body is bytes. */
export interface BareRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** An administrator unless told. */
  readonly user?: UserInfo
}

/** Our API server with nothing around it: no sockets, no disk, no control plane. */
export interface BareServer {
  send(request: BareRequest): Promise<ApiResponse>
  /** Requests that ended in a fault of the server, since they were last looked at. */
  readonly faults: string[]
  close(): Promise<void>
}

const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] }

export async function startBareServer(): Promise<BareServer> {
  const faults: string[] = []
  const storage = openMemoryStorage()
  const server = await createApiServer({
    storage,
    pki: createMemoryPki({ hosts: ['127.0.0.1'] }),
    address: () => 'https://127.0.0.1:6443',
    onError: () => undefined,
    onException: (exception) => faults.push(describeException(exception)),
  })
  return {
    faults,
    send: (request) => server.handle(asRequest(request)),
    async close() {
      await server.close()
      await storage.close()
    },
  }
}

function asRequest({ method, url, headers = {}, body, user = ADMIN }: BareRequest): ApiRequest {
  const mark = url.indexOf('?')
  const bytes = body === undefined ? undefined : Buffer.from(body)
  return {
    method,
    path: decoded(mark < 0 ? url : url.slice(0, mark)),
    query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)),
    header: (name) => headers[name],
    headersWithPrefix: (prefix) => Object.entries(headers).filter(([name]) => name.startsWith(prefix)),
    body: bytes === undefined ? { kind: 'none' } : { kind: 'bytes', read: () => Promise.resolve(bytes) },
    credentials: { kind: 'internal', user },
    remoteAddress: '127.0.0.1',
    signal: new AbortController().signal,
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
