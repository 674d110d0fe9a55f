import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { pipeline } from 'node:stream/promises'
import type { TLSSocket } from 'node:tls'
import type { ApiRequest } from '../endpoints/exchange.ts'
import type { ApiServer } from '../endpoints/server.ts'
import { writeBody } from './body-writer.ts'
import { ClientGone } from './client-gone.ts'
import type { Connections } from './connections.ts'
import { encodeBody } from './encode.ts'
import { readAll, responseHeaders, toRequest } from './messages.ts'
import { drainUnread } from './unread-body.ts'
import { watchContentType, writeWatch } from './watch-writer.ts'

/** What the 'stream' event tells. */
export interface Http2Request {
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
}

/** One request over HTTP/2. Never rejects. */
export async function serveHttp2(server: ApiServer, connections: Connections, input: Http2Request): Promise<void> {
  const { stream } = input
  const client = new ClientGone()
  const done = connections.begin()
  stream.once('close', () => {
    if (!stream.writableFinished) client.abort()
    done()
  })
  stream.on('error', () => client.abort())
  try {
    const response = await server(requestOf(input, client))
    if (stream.destroyed) return
    drainUnread(stream, () => stream.close())
    const { body } = response
    const headers = { ':status': response.status, ...responseHeaders(response) }
    if (body.kind === 'watch') {
      done()
      stream.respond({ ...headers, 'content-type': watchContentType(body) })
      const watch = writeWatch(body, stream, () => stream.close())
      const over = connections.beginWatch(watch.end)
      stream.once('close', () => {
        watch.cancel()
        client.abort()
        over()
      })
    } else if (body.kind === 'stream') {
      stream.respond({ ...headers, 'content-type': body.contentType })
      await pipeline(body.open(), stream)
    } else {
      const encoded = encodeBody(response)
      stream.respond({ ...headers, 'content-type': encoded.contentType, 'content-length': encoded.length })
      if (input.headers[':method'] === 'HEAD') stream.end()
      else await writeBody(stream, encoded)
    }
  } catch (error) {
    if (!client.isGone) connections.report(error, input.headers[':method'] ?? '', input.headers[':path'] ?? '')
    stream.close()
  }
}

function requestOf({ stream, headers, rawHeaders }: Http2Request, client: ClientGone): ApiRequest {
  const method = headers[':method'] ?? 'GET'
  const empty = method === 'GET' || method === 'HEAD' || stream.endAfterHeaders
  return toRequest({
    method,
    url: headers[':path'] ?? '/',
    headers,
    rawHeaders,
    body: empty ? { kind: 'none' } : { kind: 'bytes', read: (limit) => readAll(stream, limit) },
    socket: stream.session?.socket as TLSSocket,
    client,
  })
}
