import { badRequest, failure, type KubeObject, notAcceptable, stringifyJson } from '@weft/api'
import { dump as dumpYaml } from 'js-yaml'
import { scaleColumns } from '../../kinds/index.ts'
import type { ResourceType } from '../../registry/index.ts'
import { type ApiRequest, type ApiResponse, type ListBody, ok, type WatchBody, type WatchEvent, type WatchObject } from '../exchange.ts'
import { assertProducible, type Format, negotiate, negotiatePlain, type Representation, SUPPORTED } from './negotiate.ts'
import { PROTOBUF_FRAMES, protobufAnswer } from './protobuf-answer.ts'
import { INITIAL_EVENTS_END } from '../verbs/watch.ts'
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
    const { format, as } = representation
    const encoded = format === 'protobuf' ? { ...body, encoding: PROTOBUF_FRAMES } : body
    if (as === 'object') return encoded === body ? response : { ...response, body: encoded }
    const open: WatchBody['open'] = (sink) => {
      const close = (): void => sink.close()
      // Events are no lists: the first of them is the end, as it is in Kubernetes.
      if (as === 'PartialObjectMetadataList') return body.watch.open({ close, send: close })
      return body.watch.open({ close, send: watchMapper(type, request, representation, now, (events) => sink.send(events)) })
    }
    return { ...response, body: { ...encoded, watch: { open } } }
  }
  const shaped =
    representation.as === 'object'
      ? response
      : { ...response, body: { kind: 'object' as const, object: shape(type, response, representation, request, now) } }
  return written(shaped, representation)
}

/**
 * What is no resource (discovery, a Status) is never a Table, but may be YAML or protobuf. `routed`: on a path of the
 * server's own, not of a custom group. Throws NotAcceptable.
 */
export function representPlain(request: ApiRequest, response: ApiResponse, routed: boolean): ApiResponse {
  const accept = request.header('accept')
  if (routed) assertProducible(accept ?? '')
  const representation = negotiatePlain(accept, isPretty(request))
  if (representation === undefined) throw notAcceptable(SUPPORTED)
  return written(response, representation)
}

/** Nobody can say in an acceptable way that nothing acceptable was asked for. */
export function representStatus(request: ApiRequest, response: ApiResponse): ApiResponse {
  const representation = negotiatePlain(request.header('accept'), isPretty(request))
  return representation === undefined ? response : written(response, representation)
}

function written(response: ApiResponse, { format, pretty }: Representation): ApiResponse {
  if (format === 'json') return pretty ? prettyJson(response) : response
  return format === 'yaml' ? yaml(response) : protobufAnswer(response)
}

/** JSON of an object in another format. */
export function inFormat(format: Format, json: Buffer): Buffer | string {
  if (format === 'json') return json
  const { body } = written(ok(JSON.parse(json.toString()) as object), { format, as: 'object', version: 'v1', pretty: false })
  return body.kind === 'bytes' ? body.bytes : json
}

/** Throws NotAcceptable. */
export function representationOf(request: ApiRequest, type: ResourceType, verb: string): Representation {
  const representation = negotiate(request.header('accept'), { pretty: isPretty(request), custom: type.custom, verb })
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
  const pretty = query.get('pretty') ?? ''
  return pretty === '' ? looksInteractive(header('user-agent')) : /^(1|t|T|TRUE|true|True)$/.test(pretty)
}

/** kube-apiserver prints prettily for a person at a terminal or in a browser. */
const looksInteractive = (userAgent: string | undefined): boolean => userAgent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent)

function tableOptions(request: ApiRequest, { version }: Representation, now: number): TableOptions {
  const include = request.query.get('includeObject')
  return { version, includeObject: include === 'None' || include === 'Object' ? include : 'Metadata', now, headers: true }
}

function shape(type: ResourceType, { body }: ApiResponse, representation: Representation, request: ApiRequest, now: number): object {
  const objects =
    body.kind === 'list' ? body.list.items.map((item) => item.object) : body.kind === 'stored' ? [body.stored.object] : undefined
  if (objects === undefined) return shapeOther(type, body.kind === 'object' ? body.object : {}, representation, request, now)
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

/** What is not stored: a Status is answered as it is, a Scale has a table of its own, reviews have none. */
function shapeOther(type: ResourceType, object: object, representation: Representation, request: ApiRequest, now: number): object {
  const { kind, metadata = {} } = object as Partial<KubeObject>
  if (kind === 'Status') return object
  if (representation.as === 'PartialObjectMetadata') return partialOf({ kind: '', apiVersion: '', metadata }, representation.version)
  if (representation.as === 'PartialObjectMetadataList') throw isNoList(kind === 'Scale' ? '*v1.Scale' : builtinGoType(type))
  if (kind !== 'Scale') throw notAcceptable(SUPPORTED)
  const { resourceVersion } = metadata
  return tableOf({ columns: scaleColumns }, [object as KubeObject], { resourceVersion }, tableOptions(request, representation, now))
}

function wrongShape(as: string, isList: boolean, type: ResourceType): Error {
  if (type.custom && !isList) return failure({ code: 500, reason: '', message: 'content is not a list' })
  const goType = type.custom ? '*unstructured.Unstructured' : builtinGoType(type)
  return isList ? notShaped(as, `a list (${goType}List)`) : notShaped(as, `not a list (${goType})`)
}

const isNoList = (goType: string): Error => notShaped('PartialObjectMetadataList', `not a list (${goType})`)

const builtinGoType = ({ group, kind }: ResourceType): string => `*${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${kind}`

const notShaped = (as: string, is: string): Error =>
  failure({ code: 406, reason: 'NotAcceptable', message: `you requested ${as}, but the requested object is ${is}` })

function watchMapper(
  type: ResourceType,
  request: ApiRequest,
  representation: Representation,
  now: number,
  send: (events: readonly WatchEvent[]) => void,
): (events: readonly WatchEvent[]) => void {
  let headers = true
  const options = tableOptions(request, representation, now)
  const shaped = (event: WatchEvent): WatchEvent => {
    if (event.type === 'ERROR') return event
    const object = event.object.object as KubeObject
    if (representation.as !== 'Table') return { type: event.type, object: made(partialOf(object, representation.version)) }
    const table = tableOf(type, [object], { resourceVersion: object.metadata.resourceVersion }, rowOptions({ ...options, headers }, object))
    headers = false
    return { type: event.type, object: made(table) }
  }
  return (events) => send(events.map(shaped))
}

/** That the state is complete is told in the object of a row, so there is one even if none is asked for. */
const rowOptions = (options: TableOptions, { metadata }: KubeObject): TableOptions =>
  options.includeObject === 'None' && metadata.annotations?.[INITIAL_EVENTS_END] === 'true'
    ? { ...options, includeObject: 'Metadata' }
    : options

/** Watches in protobuf have no use for its JSON. */
function made(object: object): WatchObject {
  let json: Buffer | undefined
  return {
    object,
    get json() {
      return (json ??= Buffer.from(stringifyJson(object)))
    },
  }
}

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
