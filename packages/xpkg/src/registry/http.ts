import type { Agent, Dispatcher, EnvHttpProxyAgent } from 'undici'
import { PackageError } from '../package-error.ts'

/** One answer, with its body read within bounds. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Where it came from after redirects. */
  readonly url: URL
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** A larger answer is refused, before it is read where its length is announced. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** How often it is tried at most; 1 for what may not be repeated by itself. */
  readonly attempts?: number
  /** Takes the body of a successful answer as it comes, instead of `body`: for what is too large to be held in memory. */
  readonly into?: BodySink
}

export interface BodySink {
  /** A body begins, of as many bytes as were announced; again when an attempt broke off: what came before counts no longer. */
  begin(bytes: number | undefined): Promise<void>
  write(chunk: Uint8Array): Promise<void>
}

const MAX_REDIRECTS = 5
const ATTEMPTS = 4
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 10_000
/** Silence for this long is a broken connection; a slow one that moves is bounded by the operation's deadline. */
const IDLE_MS = 30_000

const direct: { agent?: Agent } = {}
const viaProxy: { agent?: EnvHttpProxyAgent } = {}

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

function dispatcherFor({ hostname }: URL, http: typeof import('./undici.ts')): Dispatcher {
  const options = { headersTimeout: IDLE_MS, bodyTimeout: IDLE_MS, connect: { timeout: 10_000 } }
  return isLoopback(hostname) ? (direct.agent ??= new http.Agent(options)) : (viaProxy.agent ??= new http.EnvHttpProxyAgent(options))
}

/**
 * Sends a request, again after a pause when the connection breaks or the server answers 408, 429 or 5xx. Follows redirects, without the Authorization header when they lead to another host, and never from TLS to none.
 * Rejects with PackageError `Unavailable` when it does not succeed; any other status is an answer.
 */
export async function send(given: HttpRequest): Promise<HttpResponse> {
  for (let attempt = 1; ; attempt++) {
    const last = attempt >= (given.attempts ?? ATTEMPTS)
    let pause: number
    try {
      const response = await follow(given)
      if (!isTransient(response.status) || last) return response
      pause = retryAfter(response) ?? delay(attempt)
    } catch (error) {
      if (error instanceof PackageError) throw error
      if (given.signal.aborted || last) throw unavailable(given, error)
      pause = delay(attempt)
    }
    await sleep(pause, given)
  }
}

const isTransient = (status: number): boolean => status === 408 || status === 429 || (status >= 500 && status !== 501)

const delay = (attempt: number): number => FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + Math.random())

function retryAfter({ headers }: HttpResponse): number | undefined {
  const seconds = Number(headers['retry-after'])
  return headers['retry-after'] !== undefined && Number.isFinite(seconds) && seconds >= 0
    ? Math.min(seconds * 1000, LONGEST_DELAY_MS)
    : undefined
}

function sleep(millis: number, given: HttpRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(unavailable(given, given.signal.reason))
    }
    const timer = setTimeout(() => {
      given.signal.removeEventListener('abort', onAbort)
      resolve()
    }, millis)
    if (given.signal.aborted) onAbort()
    else given.signal.addEventListener('abort', onAbort, { once: true })
  })
}

async function follow(given: HttpRequest): Promise<HttpResponse> {
  let url = given.url
  let { headers = {}, method, body } = given
  for (let hops = 0; ; hops++) {
    const response = await once({ ...given, url, headers, method, ...(body === undefined ? {} : { body }) })
    const target = response.headers['location']
    if (![301, 302, 303, 307, 308].includes(response.status) || target === undefined) return response
    if (hops === MAX_REDIRECTS) throw new PackageError('Unavailable', `${at(given)} redirects more than ${MAX_REDIRECTS} times`)
    const next = new URL(target, url)
    if (next.protocol !== url.protocol && next.protocol !== 'https:')
      throw new PackageError('Unavailable', `${at(given)} redirects to ${next.host} without TLS; that is refused`)
    if (next.origin !== url.origin) {
      const { authorization: _kept, ...others } = headers
      headers = others
    }
    if (response.status === 303 && method !== 'HEAD') [method, body] = ['GET', undefined]
    url = next
  }
}

async function once({ method, url, headers, body, maxBytes, signal, into }: HttpRequest): Promise<HttpResponse> {
  const http = await import('./undici.ts')
  const answer = await http.request(url, {
    method,
    headers: { 'user-agent': 'weft', ...headers },
    body: body === undefined ? null : body,
    signal,
    dispatcher: dispatcherFor(url, http),
  })
  const answered = flat(answer.headers)
  const tooLarge = (): PackageError =>
    new PackageError('TooLarge', `${url.host}${url.pathname} is larger than ${maxBytes} bytes; it is refused`)
  const announced = Number(answered['content-length'] ?? 0)
  if (method !== 'HEAD' && announced > maxBytes) {
    answer.body.on('error', () => {}).destroy()
    throw tooLarge()
  }
  const chunks: Uint8Array[] = []
  const sink = answer.statusCode === 200 ? into : undefined
  await sink?.begin(announced > 0 ? announced : undefined)
  let length = 0
  for await (const chunk of answer.body) {
    length += (chunk as Uint8Array).length
    if (length > maxBytes) throw tooLarge()
    if (sink === undefined) chunks.push(chunk as Uint8Array)
    else await sink.write(chunk as Uint8Array)
  }
  return { status: answer.statusCode, headers: answered, body: Buffer.concat(chunks), url }
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) result[name] = Array.isArray(value) ? value.join(', ') : value
  return result
}

/** Without the query: it may carry a signature. */
const at = ({ url }: HttpRequest): string => `${url.host}${url.pathname}`

function unavailable(given: HttpRequest, cause: unknown): PackageError {
  const reason = given.signal.aborted ? given.signal.reason : cause
  if (reason instanceof PackageError) return reason
  const { code, message } = (reason ?? {}) as NodeJS.ErrnoException
  const why = code === undefined ? (message ?? String(reason)) : (WORDS[code] ?? `${message} (${code})`)
  return new PackageError('Unavailable', `${at(given)} cannot be reached: ${why}`, { cause })
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused; is the registry running?',
  ENOTFOUND: 'there is no such host; check the name of the registry',
  EAI_AGAIN: 'the name of the host could not be looked up',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection broke off',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped sending',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS; name it as insecure (--insecure-registry) if that is meant',
}
