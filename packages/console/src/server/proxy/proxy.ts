import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { messageOf } from '@weft/api'
import { CredentialError, type ForwardAnswer } from '@weft/client'
import { SESSION_EXPIRED } from '../../contract.ts'
import { Refusal } from '../answer.ts'
import { readBody } from '../body.ts'
import type { ConsoleSession, Sessions } from '../session/sessions.ts'
import { apiPath } from './api-path.ts'

const REQUEST_HEADERS = ['accept', 'accept-encoding', 'content-type', 'if-none-match'] as const
const RESPONSE_HEADERS = ['audit-id', 'content-encoding', 'content-length', 'etag', 'last-modified', 'retry-after', 'warning'] as const
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
/** What an API server answers. Anything else is handed over as bytes that no browser shows. */
const DATA_TYPE =
  /^(application\/([a-z0-9.-]+\+)?(json|yaml|vnd\.kubernetes\.protobuf|com\.github\.proto-openapi[a-z0-9.+@-]*)|text\/plain)\s*(;|$)/i

/** Repeats a request to the Kubernetes API as the signed-in user. Only what is listed above passes, in either direction. */
export async function proxy(
  request: IncomingMessage,
  response: ServerResponse,
  { session, sessions, target }: { readonly session: ConsoleSession; readonly sessions: Sessions; readonly target: string },
): Promise<void> {
  const method = request.method ?? 'GET'
  if (!METHODS.has(method)) throw new Refusal(405, 'MethodNotAllowed', `${method} is not a method of the API`)
  const path = apiPath(target)
  const abort = new AbortController()
  const onEnd = (): void => abort.abort()
  response.once('close', onEnd)
  session.signal.addEventListener('abort', onEnd, { once: true })
  const release = sessions.hold(session)
  try {
    const answer = await forward(session, {
      method,
      path,
      headers: passed(request.headers, REQUEST_HEADERS),
      request,
      signal: abort.signal,
    })
    if (answer.status === 401) {
      answer.body.destroy()
      sessions.end(session)
      throw credentialsRefused()
    }
    response.writeHead(answer.status, responseHeaders(answer, path))
    response.flushHeaders()
    await pipeline(answer.body, response)
  } catch (error) {
    // The browser went away, or its session did: there is nobody to tell.
    if (abort.signal.aborted) response.destroy()
    else throw error
  } finally {
    release()
    session.signal.removeEventListener('abort', onEnd)
  }
}

export const credentialsRefused = (): Refusal =>
  new Refusal(401, SESSION_EXPIRED, 'the server no longer accepts your credentials: sign in again')

/** Refuses headers that would act as somebody else: who is signed in is decided here. */
export function checkHeaders({ headers }: IncomingMessage): void {
  const foreign = Object.keys(headers).find((name) => name.startsWith('impersonate-') || name.startsWith('x-remote-'))
  if (foreign !== undefined) throw new Refusal(400, 'BadRequest', `the console does not accept the header ${foreign}`)
}

interface Forwarded {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly request: IncomingMessage
  readonly signal: AbortSignal
}

async function forward(session: ConsoleSession, { method, path, headers, request, signal }: Forwarded): Promise<ForwardAnswer> {
  const body = method === 'GET' || method === 'HEAD' ? undefined : await readBody(request)
  const streaming = method === 'GET' && isWatch(path)
  try {
    return await session.identity.forwarder.forward({
      method,
      path,
      headers,
      signal,
      streaming,
      body: body !== undefined && body.length > 0 ? body : undefined,
    })
  } catch (cause) {
    throw signal.aborted ? cause : unreachable(cause)
  }
}

export function unreachable(cause: unknown): Refusal {
  // These say which file or program failed, never what was in it.
  if (cause instanceof CredentialError) return new Refusal(503, 'ServiceUnavailable', cause.message, { cause })
  return new Refusal(503, 'ServiceUnavailable', `the server cannot be reached: ${messageOf(cause)}`, { cause })
}

export const isWatch = (path: string): boolean => /[?&]watch=(true|1)(&|$)/.test(path)

function passed(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of names) {
    const value = headers[name]
    if (value !== undefined) kept[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return kept
}

function responseHeaders({ headers }: ForwardAnswer, path: string): Record<string, string> {
  const type = headers['content-type'] ?? ''
  const cacheable = path.startsWith('/openapi/') && headers['cache-control'] !== undefined
  return {
    ...passed(headers, RESPONSE_HEADERS),
    'content-type': DATA_TYPE.test(type) ? type : 'application/octet-stream',
    'cache-control': cacheable ? `private, ${(headers['cache-control'] ?? '').replace(/\bpublic,?\s*/, '')}` : 'no-store',
  }
}
