import type { ServerResponse } from 'node:http'
import { stringifyJson } from '@weft/api'
import type { ErrorBody } from '../../wire/error.ts'
import { CloudError } from '../resources/cloud-error.ts'

/** What a route answers; `lost` = the connection breaks instead. */
export type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly lost: true }

export function send(response: ServerResponse, answer: Answer): void {
  if ('lost' in answer) {
    response.destroy()
    return
  }
  const text = answer.body === undefined ? '' : stringifyJson(answer.body)
  response.writeHead(answer.status, {
    ...(text !== '' && { 'content-type': 'application/json' }),
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...answer.headers,
  })
  response.end(text)
}

export function errorAnswer(error: unknown): Answer {
  if (!(error instanceof CloudError)) return { status: 500, body: bodyOf('Internal', 'the simulator failed; its log says more') }
  const { code, message, fields, status, retryAfterSeconds } = error
  return {
    status,
    body: bodyOf(code, message, fields),
    headers: {
      ...(status === 401 && { 'www-authenticate': 'Bearer realm="simcloud"' }),
      // The rest of the body is not waited for.
      ...(status === 413 && { connection: 'close' }),
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
  }
}

const bodyOf = (code: CloudError['code'], message: string, fields: CloudError['fields'] = []): ErrorBody => ({
  error: { code, message, ...(fields.length > 0 && { fields }) },
})
