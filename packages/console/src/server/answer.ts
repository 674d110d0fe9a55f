import type { ServerResponse } from 'node:http'
import { type Status, StatusError } from '@weft/api'

/** Why the console itself does not do what was asked. Becomes a Status; the message is for the user. */
export class Refusal extends Error {
  readonly code: number
  readonly reason: string

  constructor(code: number, reason: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Refusal'
    this.code = code
    this.reason = reason
  }
}

/** Nothing that a user of the console asked for is kept by the browser, except what says otherwise. */
export function sendJson(response: ServerResponse, code: number, value: unknown): void {
  const text = JSON.stringify(value)
  response
    .writeHead(code, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(text),
    })
    .end(text)
}

/** Answers any thrown value as a Status. What has begun to be answered can only be cut off. */
export function sendFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const status = statusOf(error)
  // What is left of an unread body would be taken for the next request.
  response.setHeader('connection', 'close')
  sendJson(response, status.code ?? 500, status)
}

export function statusOf(error: unknown): Omit<Status, 'reason'> & { readonly reason?: string } {
  if (error instanceof StatusError) return error.status
  const base = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' } as const
  if (error instanceof Refusal) return { ...base, code: error.code, reason: error.reason, message: error.message }
  // Whatever it was, its message may hold anything: it is logged by whoever caught it, not shown.
  return { ...base, code: 500, reason: 'InternalError', message: 'the console failed to answer; its log says why' }
}
