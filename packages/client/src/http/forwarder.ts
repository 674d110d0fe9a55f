import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { systemClock } from '../clock.ts'
import type { Credential } from '../credentials/credentials.ts'
import { impersonationHeaders } from '../transport/impersonation.ts'
import { Connections } from './connections.ts'
import { credentialSourceOf, type HttpTransportOptions } from './http-options.ts'

/** Somebody else's request, to be repeated with our credentials. */
export interface ForwardRequest {
  readonly method: string
  /** Absolute and encoded, with its query: `/api/v1/pods?limit=5`. The caller vouches for it. */
  readonly path: string
  /** Only those that may pass. Credentials are added. */
  readonly headers: Readonly<Record<string, string>>
  /** Whole, so that it can be sent again. */
  readonly body?: Uint8Array | undefined
  /** Takes as long as it takes: watches have connections of their own. */
  readonly streaming?: boolean
  readonly signal?: AbortSignal | undefined
}

/** The answer as it comes; `body` must be read or destroyed. */
export interface ForwardAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
}

/** Sends requests of others to an API server as one user, without looking into them. Rejects with what the socket says, or CredentialError. */
export interface Forwarder {
  forward(request: ForwardRequest): Promise<ForwardAnswer>
  /** Requests in flight fail. */
  close(): Promise<void>
}

const ANSWER_TIMEOUT_MS = 60_000
const SILENCE_TIMEOUT_MS = 5 * 60_000

export function createForwarder(options: HttpTransportOptions): Forwarder {
  const connections = new Connections(options)
  const credentials = credentialSourceOf(options, options.clock ?? systemClock)
  const server = new URL(options.server)
  const prefix = server.pathname.replace(/\/+$/, '')
  const own = [['user-agent', options.userAgent ?? 'weft'] as const, ...impersonationHeaders(options.impersonate)]

  const send = (request: ForwardRequest, credential: Credential): Promise<IncomingMessage> => {
    const { method, path, headers, body, streaming = false, signal } = request
    const sender = streaming ? connections.watches(credential) : connections.requests(credential)
    return sender.send({
      path: prefix + path,
      method,
      headers: [
        ...own,
        ...Object.entries(headers),
        ...(credential.authorization === undefined ? [] : [['authorization', credential.authorization] as const]),
      ],
      body,
      signal,
      silenceMs: { before: ANSWER_TIMEOUT_MS, within: streaming ? SILENCE_TIMEOUT_MS : ANSWER_TIMEOUT_MS },
    })
  }
  return {
    async forward(request) {
      const credential = await credentials.current(request.signal)
      let answer = await send(request, credential)
      if (answer.statusCode === 401) {
        credentials.reject(credential)
        const fresh = await credentials.current(request.signal)
        if (fresh !== credential) {
          answer.destroy()
          answer = await send(request, fresh)
        }
      }
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: answer }
    },
    close: async () => connections.close(),
  }
}
