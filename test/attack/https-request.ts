import { Agent, request } from 'node:https'
import type { AttackedWorld } from './world.ts'

export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly agent?: Agent
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** One request over HTTP/1.1, byte for byte as given: clients of ours would be too polite. Rejects when the connection breaks. */
export function rawRequest(
  world: Pick<AttackedWorld, 'address' | 'ca'>,
  { method, path, token, headers = {}, body, agent }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world.address)
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(
      { hostname, port, method, path, ca: world.ca, agent, headers: { ...authorization, ...length, ...headers } },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
        response.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Connections that are used again, as clients do. */
export const keptConnections = (most: number): Agent => new Agent({ keepAlive: true, maxSockets: most })
