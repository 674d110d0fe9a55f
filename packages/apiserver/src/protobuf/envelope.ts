import { BYTES } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

/** The four bytes that start every protobuf body of Kubernetes. */
export const MAGIC: Buffer = Buffer.from([0x6b, 0x38, 0x73, 0x00])

/** No content encoding and no content type: written even though they are empty, as Go does. */
const TAIL = Buffer.from([0x1a, 0x00, 0x22, 0x00])

/** A message as a body: runtime.Unknown{typeMeta=1{apiVersion=1, kind=2}, raw=2, contentEncoding=3, contentType=4}. */
export function inEnvelope(apiVersion: string, kind: string, raw: readonly Buffer[]): readonly Buffer[] {
  const head = new WireWriter(96)
  head.varint(lengthOf(raw))
  head.tag(2, BYTES)
  const before = head.length
  head.string(kind)
  head.tag(2, BYTES)
  head.string(apiVersion)
  head.tag(1, BYTES)
  head.varint(head.length - before)
  head.tag(1, BYTES)
  head.raw(MAGIC)
  return [head.finish(), ...raw, TAIL]
}

/** Field `number` with these bytes: a message within a message. */
export function asField(number: number, bytes: readonly Buffer[]): readonly Buffer[] {
  const head = new WireWriter(12)
  head.varint(lengthOf(bytes))
  head.tag(number, BYTES)
  return [head.finish(), ...bytes]
}

/** One event of a watch: meta/v1 WatchEvent{type=1, object=2{raw=1: a body}}, after its length in four bytes. */
export function watchFrame(type: string, body: readonly Buffer[]): Buffer {
  const event = [...asField(1, [Buffer.from(type)]), ...asField(2, asField(1, body))]
  const length = Buffer.alloc(4)
  length.writeUInt32BE(lengthOf(event))
  return Buffer.concat([length, ...event])
}

function lengthOf(parts: readonly Buffer[]): number {
  let length = 0
  for (const part of parts) length += part.length
  return length
}
