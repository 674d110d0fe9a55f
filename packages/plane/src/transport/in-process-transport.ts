import { type KubeObject, parseJson, type Status, StatusError } from '@weft/api'
import { type ApiRequest, type ApiResponse, type ApiServer, objectOf, type UserInfo, type WatchBody } from '@weft/apiserver'
import {
  abortable,
  ConnectionError,
  type EncodedRequest,
  encodeRequest,
  encodeWatch,
  type Impersonation,
  impersonationHeaders,
  statusErrorOf,
  type Transport,
  type WatchEvent,
} from '@weft/client'

export interface InProcessOptions {
  /** Names the manager of written fields where a request does not. */
  readonly userAgent?: string
}

/** A watcher that has this many events waiting is not keeping up: its watch ends, and it resumes from where it was. */
const MAX_BACKLOG_EVENTS = 65_536

const NEVER = new AbortController().signal

/**
 * A Transport to the embedded server without sockets or JSON: the same endpoint code, authorization and admission run,
 * as `user`, and the objects that come back are the server's own. Whoever holds the transport is that user.
 */
export function inProcessTransport(handle: ApiServer, user: UserInfo, { userAgent = 'weft' }: InProcessOptions = {}): Transport {
  const watches = new Set<InProcessWatch>()
  let closed = false
  const ask = (encoded: EncodedRequest, impersonate: Impersonation | undefined, signal: AbortSignal | undefined): Promise<ApiResponse> => {
    if (closed) return Promise.reject(new ConnectionError('the transport is closed', { mayHaveTakenEffect: false }))
    // Before anything happens: a controller that was stopped must not write any more.
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    return abortable(handle(toApiRequest(encoded, { user, userAgent, impersonate, signal })), signal)
  }
  return {
    local: true,
    async request(request) {
      const response = await ask(encodeRequest(request), request.impersonate, request.signal)
      const body = contentOf(response)
      if (response.status >= 400) throw statusErrorOf(response.status, body)
      return { status: response.status, body, warnings: response.warnings ?? [] }
    },
    async *watch(request) {
      // The server counts a watch until its signal aborts: like a socket, each has one of its own.
      const connection = new AbortController()
      const response = await ask(encodeWatch(request), request.impersonate, connection.signal)
      if (response.body.kind !== 'watch') throw statusErrorOf(response.status, contentOf(response))
      request.signal?.throwIfAborted()
      const watch = new InProcessWatch(response.body.watch)
      watches.add(watch)
      const onAbort = (): void => watch.close()
      request.signal?.addEventListener('abort', onAbort, { once: true })
      try {
        for (let batch = await watch.next(); batch !== undefined; batch = await watch.next()) yield batch
        request.signal?.throwIfAborted()
      } finally {
        request.signal?.removeEventListener('abort', onAbort)
        watches.delete(watch)
        watch.close()
        connection.abort()
      }
    },
    close() {
      closed = true
      for (const watch of watches) watch.close()
      return Promise.resolve()
    },
  }
}

interface Caller {
  readonly user: UserInfo
  readonly userAgent: string
  readonly impersonate: Impersonation | undefined
  readonly signal: AbortSignal | undefined
}

function toApiRequest(
  { method, segments, query, accept, contentType, body }: EncodedRequest,
  { user, userAgent, impersonate, signal }: Caller,
): ApiRequest {
  const impersonation = impersonationHeaders(impersonate)
  return {
    method,
    path: `/${segments.join('/')}`,
    query,
    header(name) {
      switch (name) {
        case 'accept':
          return accept
        case 'content-type':
          return contentType
        case 'user-agent':
          return userAgent
        default:
          return impersonation.find(([header]) => header === name)?.[1]
      }
    },
    headersWithPrefix: (prefix) => impersonation.filter(([header]) => header.startsWith(prefix)),
    body: body === undefined ? { kind: 'none' } : { kind: 'object', object: body },
    credentials: { kind: 'internal', user },
    remoteAddress: '',
    signal: signal ?? NEVER,
  }
}

function contentOf(response: ApiResponse): unknown {
  const { body } = response
  switch (body.kind) {
    case 'bytes': {
      const text = typeof body.bytes === 'string' ? body.bytes : body.bytes.toString()
      return body.contentType.startsWith('application/json') ? parseJson(text).value : text
    }
    case 'stream':
    case 'watch':
      throw new Error(`a ${body.kind} is not an answer to a single request`)
    default:
      return objectOf(response)
  }
}

/** Takes what the server pushes until somebody pulls it. Bounded: the server must never hold what nobody reads. */
class InProcessWatch {
  readonly #cancel: () => void
  #pending: WatchEvent[] = []
  #failure: StatusError | undefined
  #ended = false
  #wake: (() => void) | undefined

  constructor(body: WatchBody) {
    this.#cancel = body.open({
      send: (events) => {
        if (this.#ended) return
        // The first batch may be the whole state, whatever its size; only what is added to a full backlog is too much.
        if (this.#pending.length > MAX_BACKLOG_EVENTS) {
          this.close()
          return
        }
        for (const { type, object } of events) {
          if (type === 'ERROR') this.#failure = new StatusError(object.object as Status)
          else this.#pending.push({ type, object: object.object as KubeObject })
        }
        this.#wakeUp()
      },
      close: () => {
        this.#ended = true
        this.#wakeUp()
      },
    })
    // The server may have overflowed it before `open` answered how to cancel.
    if (this.#ended) this.#cancel()
  }

  /** Everything that arrived since the last call; waits for something; undefined at the end. */
  async next(): Promise<readonly WatchEvent[] | undefined> {
    while (this.#pending.length === 0) {
      if (this.#failure !== undefined) throw this.#failure
      if (this.#ended) return undefined
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    const batch = this.#pending
    this.#pending = []
    return batch
  }

  close(): void {
    if (this.#ended) return
    this.#ended = true
    this.#cancel?.()
    this.#wakeUp()
  }

  #wakeUp(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
