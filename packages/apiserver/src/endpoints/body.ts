import { badRequest, formatGroupVersion, isJsonObject, type JsonObject, JsonSyntaxError, type KubeObject, parseJson, unsupportedMediaType } from '@weft/api'
import { load as parseYaml } from 'js-yaml'
import { messageFor } from '../kinds/index.ts'
import { decodeBody, isProtobufBody, PROTOBUF_MEDIA_TYPE } from '../protobuf/index.ts'
import type { ResourceType } from '../registry/index.ts'
import type { ApiRequest } from './exchange.ts'
import type { WriteOptions } from './options.ts'

const MAX_BODY_BYTES = 3 * 1024 * 1024

const JSON_TYPES = new Set(['', 'application/json'])
const YAML_TYPES = new Set(['application/yaml', 'application/apply-patch+yaml'])

export interface DecodedBody {
  readonly value: unknown
  readonly duplicates: readonly string[]
}

export const mediaTypeOf = (request: ApiRequest): string => (request.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** The body as a JSON value, whatever it was written in. `undefined` for an empty body. */
export async function readBody(request: ApiRequest, accepts: readonly string[] = ['application/json', 'application/yaml', PROTOBUF_MEDIA_TYPE]): Promise<DecodedBody> {
  const { body } = request
  if (body.kind === 'none') return { value: undefined, duplicates: [] }
  if (body.kind === 'object') return { value: body.object, duplicates: [] }
  const type = mediaTypeOf(request)
  if (!JSON_TYPES.has(type) && !accepts.includes(type)) throw unsupportedMediaType(accepts)
  const bytes = await body.read(MAX_BODY_BYTES)
  if (bytes.length === 0) return { value: undefined, duplicates: [] }
  if (type === PROTOBUF_MEDIA_TYPE || isProtobufBody(bytes)) return { value: decodeBody(bytes, messageFor), duplicates: [] }
  return YAML_TYPES.has(type) ? decodeYaml(bytes.toString()) : decodeJson(bytes.toString())
}

export function decodeJson(text: string): DecodedBody {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw badRequest(`couldn't get version/kind; json parse error: ${error.message}`)
  }
}

export function decodeYaml(text: string): DecodedBody {
  try {
    // One document; aliases are resolved by the parser, and JSON round-trips away everything that JSON lacks.
    const value: unknown = parseYaml(text)
    return parseJson(JSON.stringify(value ?? null))
  } catch (error) {
    throw badRequest(`error parsing YAML: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Decodes an object of `type`: checks that it is one, drops what its schema does not know, fills defaults. */
export async function readObject(request: ApiRequest, type: ResourceType, options: WriteOptions, warn: (text: string) => void): Promise<KubeObject> {
  const { value, duplicates } = await readBody(request)
  if (value === undefined) throw badRequest('the request body is empty: an object is required')
  return decodeObject(value, duplicates, type, options.fieldValidation, warn)
}

export function decodeObject(
  value: unknown,
  duplicates: readonly string[],
  type: ResourceType,
  validation: WriteOptions['fieldValidation'],
  warn: (text: string) => void,
  partial = false,
): KubeObject {
  const object = assertKind(value, type)
  const strict = duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`)
  const onUnknown = validation === 'Ignore' ? undefined : (path: string): unknown => strict.push(`unknown field ${JSON.stringify(path)}`)
  const known = partial ? type.decodePartial(object, onUnknown) : type.decode(object, onUnknown)
  if (strict.length > 0 && validation !== 'Ignore') {
    if (validation === 'Strict') throw badRequest(strictMessage(type, strict))
    for (const text of strict) warn(text)
  }
  return known
}

const strictMessage = (type: ResourceType, errors: readonly string[]): string =>
  type.custom
    ? `strict decoding error: ${errors.join(', ')}`
    : `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: strict decoding error: ${errors.join(', ')}`

function assertKind(value: unknown, type: ResourceType): KubeObject {
  if (!isJsonObject(value)) throw badRequest(`couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(value)} into Go value of type struct { APIVersion string; Kind string }`)
  const { apiVersion, kind } = value
  const expected = formatGroupVersion(type)
  if (!type.custom && kind === undefined && apiVersion === undefined) return withMetadata({ ...value, apiVersion: expected, kind: type.kind })
  if (typeof kind !== 'string' || kind === '') throw badRequest(`Object 'Kind' is missing in '${excerpt(value)}'`)
  if (typeof apiVersion !== 'string' || apiVersion === '') throw badRequest(`Object 'apiVersion' is missing in '${excerpt(value)}'`)
  if (kind !== type.kind || apiVersion !== expected)
    throw badRequest(
      apiVersion === expected
        ? `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}: converting (${apiVersion}.${kind}) to (${expected}.${type.kind}): unknown conversion`
        : `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    )
  return withMetadata(value)
}

function withMetadata(value: JsonObject): KubeObject {
  const { metadata } = value
  if (metadata !== undefined && metadata !== null && !isJsonObject(metadata)) throw badRequest(`json: cannot unmarshal ${goTypeOf(metadata)} into Go struct field .metadata of type v1.ObjectMeta`)
  const { apiVersion, kind, ...rest } = value
  return { apiVersion, kind, ...rest, metadata: metadata ?? {} } as unknown as KubeObject
}

const goTypeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value === 'boolean' ? 'bool' : typeof value)

const excerpt = (value: unknown): string => JSON.stringify(value, (_k, v: unknown) => (typeof v === 'bigint' ? Number(v) : v)).slice(0, 256)
