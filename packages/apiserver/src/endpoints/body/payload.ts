import { JsonSyntaxError, jsonSyntaxError, JsonValueError, parseJson, unsupportedMediaType } from '@weft/api'
import { messageFor } from '../../kinds/index.ts'
import { decodeBody, isProtobufBody, PROTOBUF_MEDIA_TYPE } from '../../protobuf/index.ts'
import { longWork } from '../../registry/index.ts'
import type { ApiRequest } from '../exchange.ts'
import { duplicateFields, type Parsed, SyntaxFault } from './parsed.ts'
import { parseYamlBody } from './yaml-body.ts'

const MAX_BODY_BYTES = 3 * 1024 * 1024
const OBJECT_TYPES = ['application/json', 'application/yaml', PROTOBUF_MEDIA_TYPE]

/** A request's body before anybody says what it should be. */
export interface Payload {
  readonly format: 'json' | 'yaml' | 'protobuf' | 'object'
  /** Empty where an in-process caller handed over an object. */
  readonly bytes: Buffer
  readonly object?: unknown
}

/** Without parameters, which must be well-formed all the same: else it is no media type, and empty stands for none at all. */
export function mediaTypeOf(request: ApiRequest): string {
  const given = request.header('content-type') ?? ''
  const [type = '', ...rest] = given.split(';')
  return rest.length === 0 || PARAMETERS.test(given.slice(type.length)) ? type.trim().toLowerCase() : given
}

const PARAMETERS = /^(\s*;\s*[!#$%&'*+.^_`|~\w-]+\s*=\s*([!#$%&'*+.^_`|~\w-]+|"([^"\\]|\\.)*"))*\s*;?\s*$/

const large = new WeakMap<ApiRequest, number>()

/** How much was read of a request that makes long work; 0 for all others. */
export const bytesRead = (request: ApiRequest): number => large.get(request) ?? 0

/** Throws UnsupportedMediaType for what is not in `accepts`, RequestEntityTooLarge for more than 3 MiB. */
export async function readPayload(request: ApiRequest, accepts: readonly string[] = OBJECT_TYPES): Promise<Payload> {
  const { body } = request
  if (body.kind === 'object') return { format: 'object', bytes: Buffer.alloc(0), object: body.object }
  const type = mediaTypeOf(request)
  if (type !== '' && !accepts.includes(type)) throw unsupportedMediaType(accepts)
  const bytes = body.kind === 'none' ? Buffer.alloc(0) : await body.read(MAX_BODY_BYTES)
  if (longWork.isLong(bytes.length)) large.set(request, bytes.length)
  if (type === PROTOBUF_MEDIA_TYPE || isProtobufBody(bytes)) return { format: 'protobuf', bytes }
  return { format: type.endsWith('yaml') ? 'yaml' : 'json', bytes }
}

export const NO_PROTOBUF = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'

/** Throws SyntaxFault. */
export function parsePayload({ format, bytes, object }: Payload): Parsed {
  switch (format) {
    case 'object':
      return { value: object, problems: [] }
    case 'protobuf':
      if (!isProtobufBody(bytes)) throw new SyntaxFault(NO_PROTOBUF)
      return { value: decodeBody(bytes, messageFor), problems: [] }
    case 'yaml':
      return parseYamlBody(bytes.toString())
    case 'json':
      return parseJsonBytes(bytes)
  }
}

export function parseJsonBytes(bytes: Buffer): Parsed {
  try {
    const text = bytes.toString()
    return duplicateFields(parseJson(text), text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    if (error instanceof JsonValueError) throw new SyntaxFault(error.message)
    const says = jsonSyntaxError(bytes)
    // Ours is the smaller limit on nesting; Go would have read this.
    throw new SyntaxFault(
      says === 'unexpected end of JSON input' && error.message.startsWith('exceeded max depth')
        ? "invalid character '{' exceeded max depth"
        : says,
    )
  }
}
