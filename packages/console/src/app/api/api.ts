import { failure, type KubeObject, parseJson, type Status, StatusError, type StatusReason, stringifyJson } from '@weft/api'
import { CSRF_HEADER, SESSION_EXPIRED } from '../../contract.ts'

/**
 * The console's server as the app sees it. Every failure is a StatusError whose message is a sentence for the user; a request that did
 * not reach the server fails with reason ServiceUnavailable. Requests end when their signal is aborted.
 */
export interface Api {
  get<T>(path: string, options?: RequestOptions): Promise<T>
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown, options?: RequestOptions): Promise<T>
  /** A response that goes on; the caller reads its lines. */
  stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  readonly accept?: string
  readonly contentType?: string
  /** Others go first. Browsers send only a few requests at a time. */
  readonly background?: boolean
  /** Integers beyond 2^53 survive, as bigint. What is sent and its answer are always exact. */
  readonly exact?: boolean
}

export interface ApiOptions {
  /** Empty before sign-in. */
  readonly csrfToken: string
  /** Called when the server says that the session is over. */
  readonly onExpired: () => void
  readonly fetch?: typeof fetch
}

export function createApi({ csrfToken, onExpired, fetch: doFetch = (input, init) => fetch(input, init) }: ApiOptions): Api {
  const call = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await reach(doFetch, path, { credentials: 'same-origin', redirect: 'error', ...init })
    if (response.ok) return response
    const error = await errorOf(response)
    if (error.code === 401 && (error.reason as string) === SESSION_EXPIRED) onExpired()
    throw error
  }
  return {
    get: async <T>(
      path: string,
      { signal, accept = 'application/json', background = false, exact = false }: RequestOptions = {},
    ): Promise<T> => {
      const response = await call(path, { headers: { accept }, signal: signal ?? null, priority: background ? 'low' : 'auto' })
      return exact ? (parseJson(await response.text()).value as T) : ((await response.json()) as T)
    },
    send: async <T>(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<T> => {
      const { signal, accept = 'application/json', contentType = 'application/json' } = options
      const response = await call(path, {
        method,
        headers: { accept, [CSRF_HEADER]: csrfToken, ...(body !== undefined && { 'content-type': contentType }) },
        body: body === undefined ? null : stringifyJson(body),
        signal: signal ?? null,
      })
      const text = await response.text()
      return (text === '' ? undefined : parseJson(text).value) as T
    },
    stream: async (path, signal) => {
      const response = await call(path, { headers: { accept: 'application/json' }, signal })
      if (response.body === null) throw unreachable(new Error('the response has no body'))
      return response.body
    },
  }
}

async function reach(doFetch: typeof fetch, path: string, init: RequestInit): Promise<Response> {
  try {
    return await doFetch(path, init)
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause
    throw unreachable(cause)
  }
}

export const unreachable = (cause: unknown): StatusError =>
  failure({ code: 503, reason: 'ServiceUnavailable', message: 'The console cannot reach its server. Is it still running?', cause })

async function errorOf(response: Response): Promise<StatusError> {
  const body: unknown = await response.json().catch(() => undefined)
  if (isStatus(body)) return new StatusError({ ...body, code: body.code ?? response.status })
  const reason: StatusReason = response.status === 401 ? 'Unauthorized' : response.status === 404 ? 'NotFound' : ''
  return failure({ code: response.status, reason, message: `The server answered ${response.status} ${response.statusText}.` })
}

const isStatus = (body: unknown): body is Status => typeof body === 'object' && body !== null && (body as KubeObject).kind === 'Status'
