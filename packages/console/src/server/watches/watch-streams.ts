import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { WatchControl, WatchFailure } from '../../contract.ts'
import { Refusal, statusOf } from '../answer.ts'
import { apiPath } from '../proxy/api-path.ts'
import { credentialsRefused, isWatch, unreachable } from '../proxy/proxy.ts'
import type { ConsoleSession, Sessions } from '../session/sessions.ts'
import { type Feeds, isFeed } from './feeds.ts'
import { linesOf } from './lines.ts'
import { lineWithoutSchemas, takeOmission } from './omit-schemas.ts'
import { roomIn } from './room-in.ts'

/**
 * Many watches of the Kubernetes API over one response. A stream belongs to a session, and ends with it or when the
 * browser closes the connection; its watches end with it. A browser that does not read holds its watches back, not the
 * memory of this process: the API server cuts off who is too slow, and the app resumes.
 */
export interface WatchStreams {
  /** Answers `response` until it ends. */
  open(session: ConsoleSession, response: ServerResponse): void
  control(session: ConsoleSession, id: string, control: WatchControl): void
  readonly size: number
  /** Ends all. */
  close(): void
}

const MAX_STREAMS_PER_SESSION = 24
/** More kinds than any platform has had; each is a connection to the API server. */
const MAX_WATCHES = 4096
const MAX_ID_LENGTH = 128
const KEEP_ALIVE_MS = 15_000
const MAX_STATUS_BYTES = 64 * 1024

interface Stream {
  readonly session: ConsoleSession
  readonly response: ServerResponse
  readonly watches: Map<string, AbortController>
  /** Resolves when the response takes more. */
  drained: Promise<unknown> | undefined
}

export function createWatchStreams(sessions: Sessions, feeds: Feeds): WatchStreams {
  const streams = new Map<string, Stream>()
  return {
    open(session, response) {
      if ([...streams.values()].filter((stream) => stream.session === session).length >= MAX_STREAMS_PER_SESSION)
        throw new Refusal(429, 'TooManyRequests', 'too many windows of the console are open: close some')
      const id = randomUUID()
      const stream: Stream = { session, response, watches: new Map(), drained: undefined }
      streams.set(id, stream)
      const release = sessions.hold(session)
      const end = (): void => void response.end()
      const beat = setInterval(() => void send(stream, '\n'), KEEP_ALIVE_MS)
      session.signal.addEventListener('abort', end, { once: true })
      response.once('close', () => {
        clearInterval(beat)
        session.signal.removeEventListener('abort', end)
        streams.delete(id)
        for (const abort of stream.watches.values()) abort.abort()
        release()
      })
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
      response.write(`${JSON.stringify({ stream: id })}\n`)
    },
    control(session, id, { open = [], close = [] }) {
      const stream = streams.get(id)
      // Somebody else's stream is none.
      if (stream === undefined || stream.session !== session) throw new Refusal(404, 'NotFound', 'there is no such stream: open a new one')
      const paths = open.map(({ watch, path }) => ({ watch, path: checkedPath(watch, path) }))
      for (const { watch } of paths)
        if (stream.watches.has(watch) && !close.includes(watch)) throw new Refusal(409, 'Conflict', 'this watch is open already')
      if (stream.watches.size + open.length > MAX_WATCHES)
        throw new Refusal(429, 'TooManyRequests', `a stream carries at most ${MAX_WATCHES} watches`)
      for (const watch of close) {
        stream.watches.get(watch)?.abort()
        stream.watches.delete(watch)
      }
      for (const { watch, path } of paths) void run(stream, { sessions, feeds }, watch, path)
    },
    get size() {
      return streams.size
    },
    close() {
      for (const { response } of streams.values()) response.destroy()
    },
  }
}

function checkedPath(watch: string, path: string): string {
  if (watch === '' || watch.length > MAX_ID_LENGTH) throw new Refusal(400, 'BadRequest', 'a watch needs a short name')
  if (isFeed(path)) return path
  const checked = apiPath(path)
  if (!isWatch(checked)) throw new Refusal(400, 'BadRequest', 'only watches go over a stream: add watch=true')
  return checked
}

/** One watch from beginning to end. Never rejects: the end is a line of the stream. */
async function run(
  stream: Stream,
  { sessions, feeds }: { readonly sessions: Sessions; readonly feeds: Feeds },
  watch: string,
  path: string,
): Promise<void> {
  const abort = new AbortController()
  stream.watches.set(watch, abort)
  const name = JSON.stringify(watch)
  const prefix = `{"watch":${name},"event":`
  let failure: WatchFailure | undefined
  try {
    if (isFeed(path)) {
      const signal = AbortSignal.any([abort.signal, stream.session.signal])
      for await (const text of feeds(stream.session, path, signal)) await send(stream, `${prefix}{"type":"FEED","object":${text}}}\n`)
    } else failure = await forwarded(stream, path, { prefix, signal: abort.signal })
  } catch (error) {
    if (error instanceof Refusal) {
      failure = failureFrom(error)
      if (error.code === 401) sessions.end(stream.session)
    }
    // A connection that breaks in the middle is the normal end of a watch that lives long enough.
  } finally {
    // Who closed it wants to hear no more of it, and may have opened another by the same name.
    if (!abort.signal.aborted) {
      stream.watches.delete(watch)
      await send(stream, `{"watch":${name},"end":${JSON.stringify(failure === undefined ? {} : { status: failure })}}\n`)
    }
  }
}

/** A watch of the API server, until it ends; why it was refused, if it was. */
async function forwarded(
  stream: Stream,
  path: string,
  { prefix, signal }: { readonly prefix: string; readonly signal: AbortSignal },
): Promise<WatchFailure | undefined> {
  const { forwarder } = stream.session.identity
  const { path: asked, omitsSchemas } = takeOmission(path)
  const { status, body } = await forwarder
    .forward({ method: 'GET', path: asked, headers: { accept: 'application/json' }, streaming: true, signal })
    .catch((cause: unknown) => {
      throw unreachable(cause)
    })
  if (status !== 200) {
    const failure = failureOf(status, await readSome(body as AsyncIterable<Uint8Array>))
    if (status === 401) throw credentialsRefused()
    return failure
  }
  // What was sent is one object per line already: it goes on as it is.
  for await (const line of linesOf(body as AsyncIterable<Uint8Array>)) {
    const text = line.toString('utf8')
    await send(stream, `${prefix}${omitsSchemas ? lineWithoutSchemas(text) : text}}\n`)
  }
  return undefined
}

async function send(stream: Stream, text: string): Promise<void> {
  const { response } = stream
  if (response.destroyed || response.writableEnded) return
  if (response.write(text)) return
  // One listener however many watches wait.
  stream.drained ??= roomIn(response).finally(() => (stream.drained = undefined))
  await stream.drained
}

function failureFrom(error: Refusal): WatchFailure {
  const { code = 500, reason, message = '' } = statusOf(error)
  return { code, message, ...(reason !== undefined && { reason }) }
}

function failureOf(code: number, text: string): WatchFailure {
  try {
    const { message, reason } = JSON.parse(text) as { message?: unknown; reason?: unknown }
    if (typeof message === 'string') return { code, message, ...(typeof reason === 'string' && { reason }) }
  } catch {
    // Not a Status: what the HTTP status says must do.
  }
  return { code, message: `the server answered ${code}` }
}

async function readSome(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    size += chunk.length
    if (size > MAX_STATUS_BYTES) break
  }
  return Buffer.concat(parts).toString('utf8')
}
