import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to one answer on its way. */
export type Fault =
  /** Half of the body, then the connection ends. */
  | { readonly kind: 'truncate' }
  /** One byte of the body is another. */
  | { readonly kind: 'tamper' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** No answer at all, for good. */
  | { readonly kind: 'hang' }
  /** A byte at a time. */
  | { readonly kind: 'drip' }

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
}

export interface FaultProxy {
  readonly host: string
  /** Every request, in order. */
  readonly seen: SeenRequest[]
  /** Decides about each request; undefined lets it pass. */
  fault: (request: SeenRequest) => Fault | undefined
  stop(): Promise<void>
}

/** Stands between a client and a registry, and spoils what it is told to spoil. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const seen: SeenRequest[] = []
  const proxy = { fault: (_request: SeenRequest): Fault | undefined => undefined }
  const server = createServer((incoming, answer) => {
    const about = { method: incoming.method ?? '', path: incoming.url ?? '', authorization: incoming.headers.authorization }
    seen.push(about)
    const fault = proxy.fault(about)
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'reset') {
      incoming.socket.resetAndDestroy()
      return
    }
    if (fault?.kind === 'status') {
      incoming.resume()
      answer.writeHead(fault.status, { 'content-type': 'text/plain', ...fault.headers }).end('spoiled')
      return
    }
    forward(target, incoming, answer, fault)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(proxy, {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function forward(target: string, incoming: IncomingMessage, answer: ServerResponse, fault: Fault | undefined): void {
  const [hostname, port] = target.split(':')
  const outgoing = request({ hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const body = Buffer.concat(chunks)
      answer.writeHead(response.statusCode ?? 502, { ...response.headers })
      if (fault?.kind === 'tamper' && body.length > 0) body[Math.floor(body.length / 2)] = (body[Math.floor(body.length / 2)] ?? 0) ^ 1
      if (fault?.kind === 'truncate' && body.length > 0) answer.write(body.subarray(0, body.length / 2), () => answer.destroy())
      else if (fault?.kind === 'drip' && body.length > 0) drip(answer, body)
      else answer.end(body)
    })
  })
  outgoing.on('error', () => answer.destroy())
  incoming.pipe(outgoing)
}

function drip(answer: ServerResponse, body: Buffer): void {
  let at = 0
  const timer = setInterval(() => {
    if (at >= body.length || answer.destroyed) {
      clearInterval(timer)
      answer.end()
    } else answer.write(body.subarray(at, ++at))
  }, 100)
}
