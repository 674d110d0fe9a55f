import { createHash } from 'node:crypto'
import { failure, stringifyJson } from '@weft/api'
import type { ApiRequest, ApiResponse } from '../exchange.ts'
import { representPlain } from '../answer/represent.ts'

/** A read-only object with its JSON, which is made when first asked for and then kept. */
export class JsonDocument {
  readonly #object: object
  readonly #routed: boolean
  #json: Buffer | undefined

  /** `routed`: on a path of built-in kinds; those refuse in other words. */
  constructor(object: object, routed: boolean) {
    this.#object = object
    this.#routed = routed
  }

  /** As the client wants it: YAML, protobuf and indented JSON are rare and made each time. */
  answer(request: ApiRequest): ApiResponse {
    const response = representPlain(request, { status: 200, body: { kind: 'object', object: this.#object } }, this.#routed)
    if (response.body.kind !== 'object') return response
    this.#json ??= Buffer.from(`${stringifyJson(this.#object)}\n`)
    return bytesResponse('application/json', this.#json)
  }
}

export const bytesResponse = (contentType: string, bytes: Buffer | string, headers?: Readonly<Record<string, string>>): ApiResponse => ({
  status: 200,
  ...(headers !== undefined && { headers }),
  body: { kind: 'bytes', contentType, bytes },
})

/** For people; in nothing but JSON, whatever is asked for. */
export const indentedJson = (object: object): ApiResponse => bytesResponse('application/json', JSON.stringify(object, null, 2))

export const text = (status: number, body: string): ApiResponse => ({
  status,
  headers: { 'x-content-type-options': 'nosniff' },
  body: { kind: 'bytes', contentType: 'text/plain; charset=utf-8', bytes: body },
})

/** Upper-case hexadecimal, as kube-apiserver writes its hashes. */
export const contentHash = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex').toUpperCase()

/** The answer with its ETag, or 304 when the client has it already. */
export function withETag(request: ApiRequest, hash: string, response: ApiResponse): ApiResponse {
  const headers = { etag: `"${hash}"`, vary: 'Accept', ...response.headers }
  if (!matches(request.header('if-none-match'), hash)) return { ...response, headers }
  const { body } = response
  return {
    status: 304,
    headers,
    body: { kind: 'bytes', contentType: body.kind === 'bytes' ? body.contentType : 'application/json', bytes: '' },
  }
}

function matches(header: string | undefined, hash: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === `"${hash}"`)
}

export const isRead = ({ method }: ApiRequest): boolean => method === 'GET' || method === 'HEAD'

export const methodNotAllowed = (): Error =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  })

export const resourceNotFound = (): Error =>
  failure({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} })
