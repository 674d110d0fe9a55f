import { type GroupVersionKind, badRequest, formatGroupVersion, parseGroupVersion, setOwn } from '@weft/api'
import type { Message } from '../kinds/message.ts'
import { decodeMessage } from './decode.ts'
import { encodeMessage } from './encode.ts'
import { inEnvelope, MAGIC } from './envelope.ts'
import { BYTES, WireError, WireReader } from './wire-reader.ts'

export const PROTOBUF_MEDIA_TYPE = 'application/vnd.kubernetes.protobuf'

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

/** The body that a Go program sends for this object, as a request or as an answer. */
export const encodeBody = (
  message: Message,
  { apiVersion, kind, ...object }: { readonly apiVersion: string; readonly kind: string },
): Buffer => Buffer.concat(inEnvelope(apiVersion, kind, [encodeMessage(message, object)]))

interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Uint8Array
}

/** What `inEnvelope` writes. */
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

/** What `watchFrame` writes after the length. */
export function readWatchEvent(frame: Uint8Array): { readonly type: string; readonly body: Uint8Array } {
  const event = readBytesFields(frame)
  const object = readBytesFields(event.get(2) ?? new Uint8Array(0))
  return { type: event.get(1)?.toString('utf8') ?? '', body: object.get(1) ?? new Uint8Array(0) }
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
