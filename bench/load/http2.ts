import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2'
import { type Client, type Connector, countLines, type Watcher } from './client.ts'
import type { RequestTemplate, Target } from './load.ts'
import { PatchedBytes } from './patched-request.ts'

/** kube-apiserver allows 100 streams a connection by default; several connections, since one client program has one each. */
const STREAMS_PER_SESSION = 16
const WATCHES_PER_SESSION = 100
const WINDOW = 16 * 1024 * 1024

/** Many streams share a connection, as client-go's do. */
export function http2(): Connector {
  const sessions: ClientHttp2Session[] = []
  let used = Infinity
  const session = async (target: Target, streams: number): Promise<ClientHttp2Session> => {
    if (used >= streams) {
      sessions.push(await open(target))
      used = 0
    }
    used++
    return sessions.at(-1) as ClientHttp2Session
  }
  return {
    async connect(target, request) {
      return client(await session(target, STREAMS_PER_SESSION), target, request)
    },
    async watch(target, path, onEvents) {
      return watcher(await session(target, WATCHES_PER_SESSION), target, path, onEvents)
    },
    close() {
      for (const each of sessions) each.destroy()
    },
  }
}

function open({ host, port, ca }: Target): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`https://${host}:${port}`, { ca, settings: { initialWindowSize: WINDOW } })
    session.once('error', reject)
    session.once('connect', () => {
      session.setLocalWindowSize(WINDOW)
      session.off('error', reject)
      session.on('error', () => undefined)
      resolve(session)
    })
  })
}

function client(session: ClientHttp2Session, { token }: Target, { method, path, contentType, body }: RequestTemplate): Client {
  const url = new PatchedBytes(path)
  const content = body === undefined ? undefined : new PatchedBytes(body)
  const common = { ':method': method, authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'weft-bench' }
  const headers =
    content === undefined
      ? common
      : { ...common, 'content-type': contentType ?? 'application/json', 'content-length': content.bytes.length }
  return {
    send(sequence, object, done) {
      const stream = session.request(
        { ...headers, ':path': url.patch(sequence, object).toString('latin1') },
        { endStream: content === undefined },
      )
      if (content !== undefined) stream.end(content.patch(sequence, object))
      collect(stream, done)
    },
    close: () => undefined,
  }
}

function collect(stream: ClientHttp2Stream, done: (status: number, bytes: number) => void): void {
  let status = 0
  let bytes = 0
  stream.on('response', (headers) => void (status = headers[':status'] ?? 0))
  stream.on('data', (data: Buffer) => void (bytes += data.length))
  stream.on('end', () => done(status, bytes))
  stream.on('error', () => undefined)
}

function watcher(
  session: ClientHttp2Session,
  { token }: Target,
  path: string,
  onEvents: (events: number, bytes: number) => void,
): Promise<Watcher> {
  return new Promise((resolve, reject) => {
    const stream = session.request(
      { ':method': 'GET', ':path': path, authorization: `Bearer ${token}`, accept: 'application/json' },
      { endStream: true },
    )
    stream.on('data', (data: Buffer) => onEvents(countLines(data), data.length))
    stream.once('error', reject)
    stream.once('response', ({ ':status': status }) =>
      status === 200 ? resolve({ close: () => stream.close() }) : reject(new Error(`watch: status ${status}`)),
    )
  })
}
