import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { messageOf, stringifyJson } from '@weft/api'
import { withoutLimit } from '../abortable.ts'
import { backoffDelay, type Clock, type Random, sleep, systemClock } from '../clock.ts'
import type { Credential, CredentialSource } from '../credentials/credentials.ts'
import { type EncodedRequest, encodeRequest, encodeWatch } from '../transport/encode-request.ts'
import { ConnectionError, statusErrorOf } from '../transport/errors.ts'
import { impersonationHeaders } from '../transport/impersonation.ts'
import type { Impersonation, Transport, TransportAnswer, TransportRequest, WatchEvent, WatchRequest } from '../transport/transport.ts'
import { Connections } from './connections.ts'
import { credentialSourceOf, type HttpTransportOptions } from './http-options.ts'
import { SocketError } from './socket-error.ts'
import { parseAnswer, WatchLines } from './watch-lines.ts'

const MAX_TRIES = 8
const RETRY = { baseMs: 100, maxMs: 5_000 }
const MAX_RETRY_AFTER_S = 60
const ANSWER_TIMEOUT_MS = 60_000
/** Servers send a bookmark every minute; a watch that is silent for this long has lost its peer. */
const SILENCE_TIMEOUT_MS = 5 * 60_000

/** A Transport to any Kubernetes API. */
export function httpTransport(options: HttpTransportOptions): Transport {
  return new HttpTransport(options)
}

class HttpTransport implements Transport {
  readonly #connections: Connections
  readonly #credentials: CredentialSource
  readonly #origin: string
  readonly #prefix: string
  readonly #userAgent: string
  readonly #impersonate: Impersonation | undefined
  readonly #clock: Clock
  readonly #random: Random
  readonly #maxTries: number
  readonly #maxAnswerBytes: number

  constructor(options: HttpTransportOptions) {
    this.#clock = options.clock ?? systemClock
    this.#random = options.random ?? Math.random
    this.#maxTries = options.maxTries ?? MAX_TRIES
    this.#connections = new Connections(options)
    this.#credentials = credentialSourceOf(options, this.#clock)
    this.#maxAnswerBytes = options.maxAnswerBytes ?? Infinity
    const server = new URL(options.server)
    this.#origin = server.origin
    this.#prefix = server.pathname.replace(/\/+$/, '')
    this.#userAgent = options.userAgent ?? 'weft'
    this.#impersonate = options.impersonate
  }

  async request(request: TransportRequest): Promise<TransportAnswer> {
    const encoded = encodeRequest(request)
    const isRead = encoded.method === 'GET'
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#exchange(encoded, request).catch((error: unknown) => {
        if (isRead && attempt < this.#maxTries && error instanceof ConnectionError) return undefined
        throw error
      })
      if (answer === undefined) await sleep(this.#clock, backoffDelay(RETRY, attempt, this.#random), request.signal)
      else if (isOverloaded(answer, isRead) && attempt < MAX_TRIES && this.#maxTries > 1)
        await sleep(this.#clock, retryDelay(answer, attempt, this.#random), request.signal)
      else if (answer.status >= 400) throw statusErrorOf(answer.status, answer.body, answer.retryAfter)
      else return answer
    }
  }

  async *watch(request: WatchRequest): AsyncGenerator<readonly WatchEvent[]> {
    const encoded = encodeWatch(request)
    withoutLimit(request.signal)
    // Not AbortSignal.any: what it makes stays attached to a signal that lives as long as its informer.
    const abort = new AbortController()
    const onAbort = (): void => abort.abort(request.signal?.reason)
    request.signal?.throwIfAborted()
    request.signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const answer = await this.#send(encoded, { ...request, signal: abort.signal }, true)
      const { status, headers } = headOf(answer)
      if (status >= 400) throw statusErrorOf(status, bodyOf(headers, await this.#textOf(answer)), retryAfterOf(headers))
      const lines = new WatchLines()
      for await (const chunk of answer as AsyncIterable<Uint8Array>) {
        const events = lines.push(chunk)
        if (events.length > 0) yield events
      }
      lines.end()
    } catch (error) {
      throw this.#failure(error, request.signal)
    } finally {
      request.signal?.removeEventListener('abort', onAbort)
      abort.abort()
    }
  }

  close(): Promise<void> {
    this.#connections.close()
    return Promise.resolve()
  }

  async #exchange(encoded: EncodedRequest, request: TransportRequest): Promise<HttpAnswer> {
    withoutLimit(request.signal)
    try {
      const answer = await this.#send(encoded, request, false)
      const { status, headers } = headOf(answer)
      const text = await this.#textOf(answer)
      return { status, body: bodyOf(headers, text), warnings: warningsOf(headers), retryAfter: retryAfterOf(headers) }
    } catch (error) {
      throw this.#failure(error, request.signal)
    }
  }

  /** One request; a second with fresh credentials when the first ones are no longer accepted. */
  async #send(
    encoded: EncodedRequest,
    call: { readonly signal?: AbortSignal | undefined; readonly impersonate?: Impersonation | undefined },
    watching: boolean,
  ): Promise<IncomingMessage> {
    const credential = await this.#credentials.current(call.signal)
    const answer = await this.#dispatch(encoded, call, credential, watching)
    if (answer.statusCode !== 401) return answer
    this.#credentials.reject(credential)
    const fresh = await this.#credentials.current(call.signal)
    if (fresh === credential) return answer
    answer.destroy()
    return this.#dispatch(encoded, call, fresh, watching)
  }

  #dispatch(
    { method, segments, query, accept, contentType, body }: EncodedRequest,
    { signal, impersonate }: { readonly signal?: AbortSignal | undefined; readonly impersonate?: Impersonation | undefined },
    credential: Credential,
    watching: boolean,
  ): Promise<IncomingMessage> {
    const headers: (readonly [string, string])[] = [
      ['accept', accept],
      ['user-agent', this.#userAgent],
    ]
    if (contentType !== undefined) headers.push(['content-type', contentType])
    if (credential.authorization !== undefined) headers.push(['authorization', credential.authorization])
    headers.push(...impersonationHeaders(impersonate ?? this.#impersonate))
    const search = query.size > 0 ? `?${query.toString()}` : ''
    const sender = watching ? this.#connections.watches(credential) : this.#connections.requests(credential)
    return sender.send({
      path: `${this.#prefix}/${segments.map(encodeURIComponent).join('/')}${search}`,
      method,
      headers,
      body: body === undefined ? undefined : stringifyJson(body),
      signal,
      silenceMs: { before: ANSWER_TIMEOUT_MS, within: watching ? SILENCE_TIMEOUT_MS : ANSWER_TIMEOUT_MS },
    })
  }

  async #textOf(answer: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > this.#maxAnswerBytes) throw new SocketError('EANSWERTOOLARGE', `the answer is larger than ${this.#maxAnswerBytes} bytes`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  }

  #failure(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted === true) return signal.reason
    const { code } = error as { code?: unknown }
    // Only what came out of sockets has such a code; StatusError, CredentialError and bugs pass as they are.
    if (typeof code !== 'string' || !SOCKET_ERROR.test(code)) return error
    return new ConnectionError(`cannot reach ${this.#origin}: ${messageOf(error) || code}`, {
      mayHaveTakenEffect: !NEVER_SENT.test(code),
      cause: error,
    })
  }
}

interface HttpAnswer extends TransportAnswer {
  readonly retryAfter: number | undefined
}

const SOCKET_ERROR = /^(E[A-Z]{3,}|CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ECONNECTTIMEOUT|EPROXY|CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/

/** 429 was not executed, whatever the verb; a 503 that says when to come back is repeated for reads. */
const isOverloaded = ({ status, retryAfter }: HttpAnswer, isRead: boolean): boolean =>
  status === 429 || (isRead && status === 503 && retryAfter !== undefined)

function retryDelay({ retryAfter }: HttpAnswer, attempt: number, random: Random): number {
  return retryAfter === undefined ? backoffDelay(RETRY, attempt, random) : Math.min(retryAfter, MAX_RETRY_AFTER_S) * 1000
}

const headOf = ({ statusCode = 0, headers }: IncomingMessage): { status: number; headers: IncomingHttpHeaders } => ({
  status: statusCode,
  headers,
})

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

function retryAfterOf(headers: IncomingHttpHeaders): number | undefined {
  const seconds = Number(single(headers['retry-after']) ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

function bodyOf(headers: IncomingHttpHeaders, text: string): unknown {
  if (!(single(headers['content-type']) ?? '').startsWith('application/json')) return text
  return text === '' ? undefined : parseAnswer(text)
}

/** `Warning: 299 - "text"`, possibly several in one header. */
function warningsOf(headers: IncomingHttpHeaders): string[] {
  const raw = headers['warning']
  const lines = raw === undefined ? [] : Array.isArray(raw) ? raw : [raw]
  return lines.flatMap((line) =>
    [...line.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map((match) => (match[1] ?? '').replace(/\\(.)/g, '$1')),
  )
}
