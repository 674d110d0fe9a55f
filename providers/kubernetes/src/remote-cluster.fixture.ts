import { connect, createServer, type Socket } from 'node:net'
import {
  type ApiRequest,
  type ApiResponse,
  createApiServer,
  createMemoryPki,
  formatKubeconfig,
  listen,
  openMemoryStorage,
  type UserInfo,
} from '@weft/apiserver'
import { type Client, createClient } from '@weft/client'
import { inProcessTransport } from '@weft/plane'
import { ADMINISTRATOR } from '@weft/testing'

export type ClusterFault = 'none' | 'down' | 'hanging' | 'slow' | 'throttling' | 'losing answers'

/** Another Kubernetes API, over HTTPS, that can misbehave. */
export interface RemoteCluster {
  /** Its administrator's, behind everybody's back. */
  readonly client: Client
  /** Requests that came over the network, as `VERB path`. */
  readonly requests: string[]
  /** Whose token it is, is who asks; whoever has another is refused. */
  token: string
  user: UserInfo
  fault: ClusterFault
  /** Watches that are open now. */
  readonly watches: number
  kubeconfig(token?: string): string
  close(): Promise<void>
}

const isWrite = ({ method, query }: ApiRequest): boolean => method !== 'GET' && !query.has('dryRun')

/** `serve`: groups of kinds that are stored and nothing else, such as `apps/v1`. */
export async function startRemoteCluster({ serve }: { readonly serve?: readonly string[] } = {}): Promise<RemoteCluster> {
  const storage = openMemoryStorage()
  const pki = createMemoryPki({ hosts: ['127.0.0.1'] })
  const server = await createApiServer({
    storage,
    pki,
    serve,
    address: () => 'https://127.0.0.1:0',
    onError: () => undefined,
    onException: () => undefined,
  })
  const transport = inProcessTransport(server.handle, ADMINISTRATOR)
  const sockets = new Set<Socket>()
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  let attempts = 0
  let watches = 0
  const remote: RemoteCluster & { token: string } = {
    client: createClient({ transport, fieldManager: 'by-hand' }),
    requests: [],
    token: 'token-of-the-cluster',
    user: ADMINISTRATOR,
    fault: 'none',
    get watches() {
      return watches
    },
    kubeconfig: (token = remote.token) => formatKubeconfig({ server: address, ca: pki.ca.certificatePem, user: { token } }),
    async close() {
      hangUp()
      await new Promise<void>((resolve) => proxy.close(() => resolve()))
      await front.close(0)
      await transport.close()
      await server.close()
      await storage.close()
    },
  }
  const handle = async (request: ApiRequest): Promise<ApiResponse> => {
    remote.requests.push(`${request.method} ${request.path}${request.query.has('dryRun') ? ' dry run' : ''}`)
    if (request.header('authorization') !== `Bearer ${remote.token}`) return status(401, 'Unauthorized')
    if (remote.fault === 'throttling' && ++attempts % 3 !== 0) return status(429, 'TooManyRequests')
    const answer = await server.handle({ ...request, credentials: { kind: 'internal', user: remote.user } })
    if (remote.fault === 'losing answers' && isWrite(request)) hangUp()
    if (answer.body.kind === 'watch') {
      watches++
      request.signal.addEventListener('abort', () => watches--, { once: true })
    }
    return answer
  }
  const front = await listen(handle, {
    host: '127.0.0.1',
    port: 0,
    key: pki.serving.key,
    cert: pki.serving.certificate,
    ca: pki.ca.certificatePem,
    onError: () => undefined,
  })
  const proxy = createServer((client) => {
    client.on('error', () => undefined)
    if (remote.fault === 'down') {
      client.destroy()
      return
    }
    const upstream = connect(front.port, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        // What was sent takes effect even where its answer is lost.
        setTimeout(() => other.destroy(), socket === client ? 200 : 0)
      })
    }
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => {
      if (remote.fault === 'hanging') return
      if (remote.fault === 'slow') setTimeout(() => client.writable && client.write(chunk), 60)
      else if (client.writable) client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const bound = proxy.address()
  const address = `https://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`
  let fault: ClusterFault = 'none'
  Object.defineProperty(remote, 'fault', {
    get: () => fault,
    set: (next: ClusterFault) => {
      fault = next
      if (next === 'down') hangUp()
    },
  })
  return remote
}

const status = (code: number, reason: string): ApiResponse => ({
  status: code,
  headers: code === 429 ? { 'retry-after': '0' } : {},
  body: {
    kind: 'object',
    object: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason,
      code,
      message: reason,
      ...(code === 429 && { details: { retryAfterSeconds: 0 } }),
    },
  },
})
