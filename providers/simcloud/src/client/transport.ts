import { getOwn, isJsonObject, parseJson, stringifyJson } from '@weft/api'
import { ERROR_STATUS, type ErrorCode, type FieldProblem } from '../wire/error.ts'
import {
  ConflictError,
  InvalidError,
  NotFoundError,
  QuotaExceededError,
  SimCloudError,
  ThrottledError,
  UnauthorizedError,
  UnavailableError,
} from './errors.ts'

export interface TransportOptions {
  /** `http://127.0.0.1:1234` */
  readonly endpoint: string
  readonly token: string
  /** A call that takes longer is given up as Unavailable. */
  readonly timeoutMs?: number
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

interface Call extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: readonly string[]
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

const DEFAULT_TIMEOUT_MS = 15_000

/** Sends one request. Resolves with the body of a success; rejects with a SimCloudError, or with the caller's own abort reason. */
export class Transport {
  readonly #options: TransportOptions

  constructor(options: TransportOptions) {
    this.#options = options
  }

  async call(call: Call): Promise<unknown> {
    const { method, signal } = call
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options
    signal?.throwIfAborted()
    const abort = new AbortController()
    const forward = (): void => abort.abort(signal?.reason)
    signal?.addEventListener('abort', forward, { once: true })
    const timer = setTimeout(() => abort.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
    try {
      const response = await this.#send(call, abort.signal)
      const text = await response.text()
      if (response.ok) return text === '' ? undefined : parseJson(text).value
      throw errorOf(response, text, method)
    } catch (error) {
      if (error instanceof SimCloudError) throw error
      if (signal?.aborted) throw signal.reason
      throw noAnswer(call, abort.signal.aborted ? abort.signal.reason : error)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', forward)
    }
  }

  #send({ method, path, query = {}, headers = {}, body }: Call, signal: AbortSignal): Promise<Response> {
    const { endpoint, token } = this.#options
    const url = new URL(path.map((segment) => `/${encodeURIComponent(segment)}`).join(''), endpoint)
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
    const given = Object.entries({
      authorization: `Bearer ${token}`,
      'content-type': body === undefined ? undefined : 'application/json',
      ...headers,
    })
    const send = this.#options.fetch ?? fetch
    return send(url, {
      method,
      headers: given.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
      ...(body !== undefined && { body: stringifyJson(body) }),
      signal,
      redirect: 'error',
    })
  }
}

function noAnswer({ method, path }: Call, cause: unknown): UnavailableError {
  const why = cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : String(cause)
  return new UnavailableError(`${method} /${path.join('/')}: no answer from the simulated cloud: ${why}`, {
    code: 'NoAnswer',
    mayHaveTakenEffect: method !== 'GET' && !isRefused(cause),
    cause,
  })
}

/** Nobody listens there: the request was never sent. */
const isRefused = (cause: unknown): boolean =>
  ((cause as Error | undefined)?.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'

function errorOf(response: Response, text: string, method: string): SimCloudError {
  const { status } = response
  const { code, message, fields } = parseError(text)
  if (code === undefined || status >= 500)
    return new UnavailableError(message, {
      code: code ?? 'NoAnswer',
      status,
      mayHaveTakenEffect: method !== 'GET' && code !== 'Unavailable',
    })
  switch (code) {
    case 'NotFound':
      return new NotFoundError(message, { code, status })
    case 'AlreadyExists':
    case 'InUse':
    case 'NotReady':
    case 'TokenMismatch':
    case 'PreconditionFailed':
      return new ConflictError(message, { code, status })
    case 'Unauthenticated':
    case 'Forbidden':
      return new UnauthorizedError(message, { code, status })
    case 'QuotaExceeded':
      return new QuotaExceededError(message, { code, status })
    case 'Throttled':
      return new ThrottledError(message, { code, status, retryAfterSeconds: Number(response.headers.get('retry-after') ?? 1) || 1 })
    default:
      return new InvalidError(message, { code, status, fields })
  }
}

const isFieldProblem = (value: unknown): value is FieldProblem =>
  isJsonObject(value) && typeof value['field'] === 'string' && typeof value['message'] === 'string'

/** Whatever answers there, it may not be the simulator: a proxy's HTML must not be taken for its word. */
function parseError(text: string): { code?: ErrorCode; message: string; fields: readonly FieldProblem[] } {
  try {
    const body = parseJson(text).value
    const error = isJsonObject(body) ? getOwn(body, 'error') : undefined
    if (isJsonObject(error)) {
      const code = String(getOwn(error, 'code'))
      const told = getOwn(error, 'fields')
      const fields = Array.isArray(told) ? told.filter(isFieldProblem) : []
      if (Object.hasOwn(ERROR_STATUS, code)) return { code: code as ErrorCode, message: String(getOwn(error, 'message')), fields }
    }
  } catch {
    // Not JSON.
  }
  return { message: 'the answer does not come from a simulated cloud', fields: [] }
}
