import { stringifyJson } from '@weft/api'
import type { ApiResponse, ListBody, WatchEvent, WatchObject } from '../endpoints/exchange.ts'

/** Bytes of an answer. JSON of objects is the buffer made once per object version; a list is those buffers joined. */
export interface EncodedBody {
  readonly contentType: string
  readonly bytes: Buffer
}

const JSON_TYPE = 'application/json'
const COMMA = Buffer.from(',')
const LIST_END = Buffer.from(']}\n')
const NEWLINE = Buffer.from('\n')

export function encodeBody({ body }: ApiResponse): EncodedBody {
  switch (body.kind) {
    case 'stored':
      return { contentType: JSON_TYPE, bytes: body.stored.json }
    case 'object':
      return { contentType: JSON_TYPE, bytes: Buffer.from(`${stringifyJson(body.object)}\n`) }
    case 'list':
      return { contentType: JSON_TYPE, bytes: encodeList(body.list) }
    case 'bytes':
      return { contentType: body.contentType, bytes: typeof body.bytes === 'string' ? Buffer.from(body.bytes) : body.bytes }
    case 'watch':
    case 'stream':
      throw new Error(`a ${body.kind} is not encoded at once`)
  }
}

function encodeList({ kind, apiVersion, metadata, items }: ListBody): Buffer {
  const head = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${JSON.stringify(metadata)},"items":[`
  const parts: Buffer[] = [Buffer.from(head)]
  for (let i = 0; i < items.length; i++) {
    if (i > 0) parts.push(COMMA)
    parts.push((items[i] as ListBody['items'][number]).json)
  }
  parts.push(LIST_END)
  return Buffer.concat(parts)
}

const frames = new WeakMap<WatchObject, Map<string, Buffer>>()

/** One line of a watch. Made once per event however many watch it. */
export function encodeEvent({ type, object }: WatchEvent): Buffer {
  let byType = frames.get(object)
  if (byType === undefined) {
    byType = new Map()
    frames.set(object, byType)
  }
  let frame = byType.get(type)
  if (frame === undefined) {
    frame = Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object.json, Buffer.from('}'), NEWLINE])
    byType.set(type, frame)
  }
  return frame
}
