import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { TLSSocket } from 'node:tls'
import type { ApiRequest } from '../endpoints/exchange.ts'
import type { ApiServer } from '../endpoints/server.ts'
import { writeBody } from './body-writer.ts'
import { ClientGone } from './client-gone.ts'
import type { Connections } from './connections.ts'
import { encodeBody } from './encode.ts'
import { hasBody, readAll, responseHeaders, toRequest } from './messages.ts'
import { drainUnread } from './unread-body.ts'
import { watchContentType, writeWatch } from './watch-writer.ts'

/** One request over HTTP/1.1. Never rejects. */
export async function serveHttp1(
  server: ApiServer,
  connections: Connections,
  message: IncomingMessage,
  output: ServerResponse,
): Promise<void> {
  const client = new ClientGone()
  const done = connections.begin()
  output.once('close', () => {
    if (!output.writableFinished) client.abort()
    done()
  })
  const onError = (): void => client.abort()
  message.on('error', onError)
  output.on('error', onError)
  try {
    const response = await server(requestOf(message, client))
    const { body } = response
    const headers = responseHeaders(response)
    if (connections.draining) headers['connection'] = 'close'
    if (hasBody(message.headers)) drainUnread(message, () => message.socket.destroy())
    if (body.kind === 'watch') {
      done()
      output.writeHead(response.status, { ...headers, 'content-type': watchContentType(body) })
      output.flushHeaders()
      const watch = writeWatch(body, output, () => output.destroy())
      const over = connections.beginWatch(watch.end)
      output.once('close', () => {
        watch.cancel()
        client.abort()
        over()
      })
    } else if (body.kind === 'stream') {
      output.writeHead(response.status, { ...headers, 'content-type': body.contentType })
      await pipeline(body.open(), output)
    } else {
      const encoded = encodeBody(response)
      headers['content-type'] = encoded.contentType
      headers['content-length'] = String(encoded.length)
      output.writeHead(response.status, headers)
      if (message.method === 'HEAD') output.end()
      else await writeBody(output, encoded)
    }
  } catch (error) {
    // The client is gone, or its connection is beyond use; unless it is we who failed.
    if (!client.isGone) connections.report(error, message.method ?? '', message.url ?? '')
    output.destroy()
  }
}

function requestOf(message: IncomingMessage, client: ClientGone): ApiRequest {
  const { headers, rawHeaders } = message
  return toRequest({
    method: message.method ?? 'GET',
    url: message.url ?? '/',
    headers,
    rawHeaders,
    body: hasBody(headers) ? { kind: 'bytes', read: (limit) => readAll(message, limit) } : { kind: 'none' },
    socket: message.socket as TLSSocket,
    client,
  })
}
