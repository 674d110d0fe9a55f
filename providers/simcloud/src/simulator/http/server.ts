import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CloudError } from '../resources/cloud-error.ts'
import { type AdminContext, adminRoute } from './admin-routes.ts'
import { type Answer, errorAnswer, send } from './answer.ts'
import { cloudRoute } from './cloud-routes.ts'

export interface HttpOptions {
  readonly host: string
  readonly port: number
  /** Told of what was thrown and is not an answer: a fault of the simulator, such as a full disk. */
  readonly onFailure: (error: unknown) => void
}

/** How many requests may be in work at once; held ones (the hang fault) count too. */
const MAX_IN_FLIGHT = 512

export async function listen(context: AdminContext, { host, port, onFailure }: HttpOptions): Promise<{ server: Server; url: string }> {
  let inFlight = 0
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 10_000, keepAliveTimeout: 30_000, maxHeaderSize: 16 * 1024 })
  server.on('request', (request, response) => {
    const work = async (): Promise<Answer> => {
      try {
        if (inFlight > MAX_IN_FLIGHT) throw new CloudError('Throttled', 'too many requests at once', { retryAfterSeconds: 1 })
        return await route(context, request)
      } catch (error) {
        if (!(error instanceof CloudError) && !isGone(error)) onFailure(error)
        return errorAnswer(error)
      }
    }
    inFlight++
    void work()
      .then((answer) => finish(request, () => send(response, answer)))
      .finally(() => inFlight--)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { address, port: bound, family } = server.address() as AddressInfo
  return { server, url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}` }
}

/** A body that nobody read (the request was refused before) must be drained, or the connection cannot be used again. */
function finish(request: IncomingMessage, answer: () => void): void {
  if (!request.readableEnded) request.resume()
  answer()
}

async function route(context: AdminContext, request: IncomingMessage): Promise<Answer> {
  const { path, query } = parseTarget(request.url ?? '/')
  const [area, ...rest] = path
  switch (area) {
    case 'healthz':
      await context.store.durable()
      return { status: 200, body: { status: 'ok' } }
    case 'v1':
      return cloudRoute(context, request, rest, query)
    case 'admin':
      return adminRoute(context, request, rest, query)
    default:
      throw new CloudError('NotFound', 'there is nothing at this path; known: /v1, /admin, /healthz')
  }
}

/** Split before decoding, so that an encoded slash stays inside its segment, where it is refused as part of a name. */
function parseTarget(url: string): { path: string[]; query: URLSearchParams } {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  try {
    return { path: path.split('/').slice(1).map(decodeURIComponent), query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)) }
  } catch {
    throw new CloudError('Invalid', 'the path is not properly encoded')
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ECONNRESET'
