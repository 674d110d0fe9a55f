import { parseGroupVersion } from '@weft/api'
import { answerMessageFor, listMeta, type Message } from '../../kinds/index.ts'
import { asField, decodeBody, encodeMessage, inEnvelope, PROTOBUF_MEDIA_TYPE, readWatchEvent, watchFrame } from '../../protobuf/index.ts'
import type { ApiResponse, ListBody, WatchEncoding, WatchEvent, WatchObject } from '../exchange.ts'

/** The answer as Go programs ask for it. Its kind must have a message: negotiation has seen to that. */
export function protobufAnswer(response: ApiResponse): ApiResponse {
  const { body } = response
  switch (body.kind) {
    case 'stored':
      return answered(response, bodyOf(body.stored))
    case 'object':
      return answered(response, bodyOf({ object: body.object }))
    case 'list':
      return answered(response, listOf(body.list))
    default:
      return response
  }
}

const answered = (response: ApiResponse, parts: readonly Buffer[]): ApiResponse => ({
  ...response,
  body: { kind: 'bytes', contentType: PROTOBUF_MEDIA_TYPE, bytes: parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts) },
})

interface Typed {
  readonly apiVersion?: string
  readonly kind?: string
}

function bodyOf(holder: Pick<WatchObject, 'object'>): readonly Buffer[] {
  const object: Typed = holder.object
  const { apiVersion = '', kind = '' } = object
  return inEnvelope(apiVersion, kind, [messageBytes(holder, object)])
}

function listOf({ apiVersion, kind, metadata, items }: ListBody): readonly Buffer[] {
  const parts = [...asField(1, [encodeMessage(listMeta, metadata)])]
  for (const item of items) parts.push(...asField(2, [messageBytes(item, item.object)]))
  return inEnvelope(apiVersion, kind, parts)
}

/**
 * Bytes of an object's message, without its envelope. Kept as long as memory is not needed for anything else: they are
 * made again in the time that the object's JSON takes to parse, and most objects are never asked for so.
 */
const made = new WeakMap<Pick<WatchObject, 'object'>, WeakRef<Buffer>>()

function messageBytes(holder: Pick<WatchObject, 'object'>, object: Typed): Buffer {
  const known = made.get(holder)?.deref()
  if (known !== undefined) return known
  const bytes = encodeMessage(messageOf(object), object)
  made.set(holder, new WeakRef(bytes))
  return bytes
}

function messageOf({ apiVersion = '', kind = '' }: Typed): Message {
  const message = answerMessageFor({ ...parseGroupVersion(apiVersion), kind })
  if (message === undefined) throw new TypeError(`there is no protobuf message for ${kind} of ${apiVersion}`)
  return message
}

const frames = new WeakMap<WatchObject, Map<string, Buffer>>()

function encodeEvent({ type, object }: WatchEvent): Buffer {
  let byType = frames.get(object)
  if (byType === undefined) frames.set(object, (byType = new Map()))
  let frame = byType.get(type)
  if (frame === undefined) byType.set(type, (frame = watchFrame(type, bodyOf(object))))
  return frame
}

export const PROTOBUF_FRAMES: WatchEncoding = { contentType: `${PROTOBUF_MEDIA_TYPE};stream=watch`, encode: encodeEvent }

/** What such an answer says. Throws StatusError BadRequest. */
export const decodeProtobuf = (body: Uint8Array): Record<string, unknown> => decodeBody(body, answerMessageFor)

/** What one frame of a watch says, without the length before it. */
export function decodeProtobufEvent(frame: Uint8Array): { readonly type: string; readonly object: Record<string, unknown> } {
  const { type, body } = readWatchEvent(frame)
  return { type, object: decodeProtobuf(body) }
}
