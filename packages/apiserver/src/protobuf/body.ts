import { type GroupVersionKind, badRequest, formatGroupVersion, parseGroupVersion, setOwn } from '@weft/api'
import type { Message } from '../kinds/message.ts'
import { decodeMessage } from './decode.ts'
import { encodeMessage } from './encode.ts'
import { BYTES, WireError, WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

export const PROTOBUF_MEDIA_TYPE = 'application/vnd.kubernetes.protobuf'

const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0x00])

/** Which message a kind travels as; undefined when the kind has none. */
export type MessageFor = (gvk: GroupVersionKind) => Message | undefined

/** Does the body carry the four bytes that start every protobuf body of Kubernetes? */
export const isProtobufBody = (body: Uint8Array): boolean => MAGIC.every((byte, index) => body[index] === byte)

/**
 * A request body as the JSON object it stands for. `defaults` is what the request's path says the body is: clients may
 * leave apiVersion and kind out of the envelope. Throws StatusError BadRequest, never anything else.
 */
export function decodeBody(body: Uint8Array, messageFor: MessageFor, defaults?: GroupVersionKind): Record<string, unknown> {
  try {
    const { apiVersion, kind, raw } = readEnvelope(body)
    const gvk: GroupVersionKind = {
      ...(apiVersion === '' && defaults ? { group: defaults.group, version: defaults.version } : parseGroupVersion(apiVersion)),
      kind: kind === '' && defaults ? defaults.kind : kind,
    }
    const message = messageFor(gvk)
    if (message === undefined) throw badRequest(`no kind "${gvk.kind}" is registered for version "${formatGroupVersion(gvk)}" as protobuf`)
    const object: Record<string, unknown> = {}
    setOwn(object, 'kind', gvk.kind)
    setOwn(object, 'apiVersion', formatGroupVersion(gvk))
    return Object.assign(object, decodeMessage(message, raw))
  } catch (error) {
    if (error instanceof WireError) throw badRequest(`the body of the request is not valid protobuf: ${error.message}`)
    throw error
  }
}

/** The body that a Go client sends for this object. */
export function encodeBody(message: Message, object: { readonly apiVersion: string; readonly kind: string }): Buffer {
  const writer = new WireWriter()
  for (const number of [4, 3]) {
    writer.string('')
    writer.tag(number, BYTES)
  }
  writer.bytes(encodeMessage(message, object))
  writer.tag(2, BYTES)
  const before = writer.length
  writer.string(object.kind)
  writer.tag(2, BYTES)
  writer.string(object.apiVersion)
  writer.tag(1, BYTES)
  writer.varint(writer.length - before)
  writer.tag(1, BYTES)
  writer.raw(MAGIC)
  return writer.finish()
}

interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Uint8Array
}

/** runtime.Unknown{typeMeta=1{apiVersion=1, kind=2}, raw=2, contentEncoding=3, contentType=4}. */
function readEnvelope(body: Uint8Array): Envelope {
  if (!isProtobufBody(body)) throw new WireError('it does not start with the bytes 6b 38 73 00')
  const parts = readBytesFields(body.subarray(MAGIC.length))
  const encoding = parts.get(3)?.toString('utf8') ?? ''
  if (encoding !== '') throw new WireError(`content encoding ${JSON.stringify(encoding)} is not supported`)
  const type = readBytesFields(parts.get(1) ?? new Uint8Array(0))
  return {
    apiVersion: type.get(1)?.toString('utf8') ?? '',
    kind: type.get(2)?.toString('utf8') ?? '',
    raw: parts.get(2) ?? new Uint8Array(0),
  }
}

function readBytesFields(bytes: Uint8Array): Map<number, Buffer> {
  const reader = new WireReader(bytes)
  const fields = new Map<number, Buffer>()
  while (!reader.done) {
    const { number, wire } = reader.tag()
    if (wire === BYTES) fields.set(number, reader.bytes())
    else reader.skip(wire)
  }
  return fields
}
