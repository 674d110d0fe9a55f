import { badRequest, failure, type KubeObject, notAcceptable, stringifyJson } from '@weft/api'
import { dump as dumpYaml } from 'js-yaml'
import type { ResourceType } from '../registry/index.ts'
import type { ApiRequest, ApiResponse, ListBody, WatchEvent, WatchObject } from './exchange.ts'
import { negotiate, type Representation, SUPPORTED } from './negotiate.ts'
import { partialOf, type TableOptions, tableOf } from './tables.ts'

export interface Shape {
  readonly representation: Representation
  readonly now: number
}

/**
 * Turns an answer into what the Accept header asks for: a Table, partial metadata, YAML. The common case, plain
 * JSON, passes through untouched, and its bytes are those made when the object was written.
 */
export function represent(request: ApiRequest, type: ResourceType, response: ApiResponse, { representation, now }: Shape): ApiResponse {
  const { body } = response
  if (body.kind === 'bytes' || body.kind === 'stream') return response
  if (body.kind === 'watch') {
    if (representation.as === 'object') return response
    return {
      ...response,
      body: {
        kind: 'watch',
        watch: {
          open: (sink) =>
            body.watch.open({ close: () => sink.close(), send: watchMapper(type, request, representation, now, sink.send.bind(sink)) }),
        },
      },
    }
  }
  const shaped =
    representation.as === 'object'
      ? response
      : { ...response, body: { kind: 'object' as const, object: shape(type, response, representation, request, now) } }
  return written(shaped, representation)
}

/** What is no resource (discovery, a Status) is never a Table, but may be YAML. Throws NotAcceptable. */
export function representPlain(request: ApiRequest, response: ApiResponse): ApiResponse {
  return written(response, negotiate(request.header('accept'), { pretty: isPretty(request), custom: false, watch: false }))
}

export function representStatus(request: ApiRequest, response: ApiResponse): ApiResponse {
  try {
    return representPlain(request, response)
  } catch {
    // Nobody can say in an acceptable way that nothing acceptable was asked for.
    return response
  }
}

function written(response: ApiResponse, { format, pretty }: Representation): ApiResponse {
  if (format === 'yaml') return yaml(response)
  return pretty ? prettyJson(response) : response
}

/** Throws NotAcceptable. */
export function representationOf(request: ApiRequest, type: ResourceType, verb: string): Representation {
  const representation = negotiate(request.header('accept'), { pretty: isPretty(request), custom: type.custom, watch: verb === 'watch' })
  if (representation.as === 'Table') assertIncludeObject(request)
  return representation
}

function assertIncludeObject({ query }: ApiRequest): void {
  const include = query.get('includeObject') ?? ''
  if (!['', 'None', 'Object', 'Metadata'].includes(include))
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(include)}: must be 'Metadata', 'Object', 'None', or empty`,
    )
}

function isPretty({ query, header }: ApiRequest): boolean {
  const pretty = query.get('pretty')
  return pretty === null ? looksInteractive(header('user-agent')) : pretty !== 'false' && pretty !== '0'
}

/** kube-apiserver prints prettily for a person at a terminal or in a browser. */
const looksInteractive = (userAgent: string | undefined): boolean => userAgent !== undefined && /^(curl|Wget|Mozilla)\//.test(userAgent)

function tableOptions(request: ApiRequest, { version }: Representation, now: number): TableOptions {
  const include = request.query.get('includeObject')
  return { version, includeObject: include === 'None' || include === 'Object' ? include : 'Metadata', now, headers: true }
}

function shape(type: ResourceType, { body }: ApiResponse, representation: Representation, request: ApiRequest, now: number): object {
  const objects =
    body.kind === 'list' ? body.list.items.map((item) => item.object) : body.kind === 'stored' ? [body.stored.object] : undefined
  if (objects === undefined) return plainAnswer(body.kind === 'object' ? body.object : {})
  const metadata = body.kind === 'list' ? listMetadata(body.list) : { resourceVersion: objects[0]?.metadata.resourceVersion }
  if (representation.as === 'Table') return tableOf(type, objects, metadata, tableOptions(request, representation, now))
  const isList = body.kind === 'list'
  if (isList !== (representation.as === 'PartialObjectMetadataList')) throw wrongShape(representation.as, isList, type)
  const partial = objects.map((object) => partialOf(object, representation.version))
  if (!isList) return partial[0] as object
  return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${representation.version}`, metadata, items: partial }
}

/** Only lists of custom resources themselves say that they do not continue. */
const listMetadata = ({ metadata: { continue: token, ...rest } }: ListBody): object => (token ? { ...rest, continue: token } : rest)

/** Reviews and the like have no other form; a Status is answered as it is. */
function plainAnswer(object: object): object {
  if ((object as { kind?: string }).kind === 'Status') return object
  throw notAcceptable(SUPPORTED)
}

function wrongShape(as: string, isList: boolean, type: ResourceType): Error {
  const goType = type.custom
    ? `*unstructured.Unstructured${isList ? 'List' : ''}`
    : `*${type.group === '' ? 'core' : (type.group.split('.')[0] ?? '')}.${type.kind}${isList ? 'List' : ''}`
  return failure({
    code: 406,
    reason: 'NotAcceptable',
    message: `you requested ${as}, but the requested object is ${isList ? 'a list' : 'not a list'} (${goType})`,
  })
}

function watchMapper(
  type: ResourceType,
  request: ApiRequest,
  representation: Representation,
  now: number,
  send: (events: readonly WatchEvent[]) => void,
): (events: readonly WatchEvent[]) => void {
  let headers = true
  const options = tableOptions(request, representation, now)
  return (events) =>
    send(
      events.map((event) => {
        if (event.type === 'ERROR') return event
        const object = event.object.object as KubeObject
        if (representation.as !== 'Table') return { type: event.type, object: made(partialOf(object, representation.version)) }
        const rows = event.type === 'BOOKMARK' ? [] : [object]
        const table = tableOf(type, rows, { resourceVersion: object.metadata.resourceVersion }, { ...options, headers })
        headers = false
        return { type: event.type, object: made(event.type === 'BOOKMARK' ? { ...table, metadata: object.metadata } : table) }
      }),
    )
}

const made = (object: object): WatchObject => ({ object, json: Buffer.from(stringifyJson(object)) })

/** The answer as one plain object. */
export function objectOf({ body }: ApiResponse): object {
  switch (body.kind) {
    case 'stored':
      return body.stored.object
    case 'object':
      return body.object
    case 'list':
      return listObject(body.list)
    default:
      throw new Error(`a ${body.kind} answer is not one object`)
  }
}

export const listObject = ({ kind, apiVersion, metadata, items }: ListBody): object => ({
  kind,
  apiVersion,
  metadata,
  items: items.map((item) => item.object),
})

/** As in JSON: items of built-in kinds without their type. */
function writtenObject(response: ApiResponse): object {
  const { body } = response
  if (body.kind !== 'list' || body.list.itemKind === undefined) return objectOf(response)
  const { kind, apiVersion, metadata, items } = body.list
  return {
    kind,
    apiVersion,
    metadata,
    items: items.map(({ object: { apiVersion: _version, kind: _kind, ...rest } }) => rest),
  }
}

const yaml = (response: ApiResponse): ApiResponse => ({
  ...response,
  body: { kind: 'bytes', contentType: 'application/yaml', bytes: dumpYaml(writtenObject(response), { noRefs: true, lineWidth: -1 }) },
})

const prettyJson = (response: ApiResponse): ApiResponse => {
  const text = stringifyJson(writtenObject(response))
  // Documents with 64-bit integers would lose them in a second parse; they are rare, and correct beats pretty.
  const pretty = /\d{16}/.test(text) ? text : JSON.stringify(JSON.parse(text), null, 2)
  return { ...response, body: { kind: 'bytes', contentType: 'application/json', bytes: `${pretty}\n` } }
}
