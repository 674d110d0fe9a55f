import { formatMicroTime, formatTime, messageOf, parseJson, stringifyJson } from '@weft/api'
import type { Wrapped } from '../kinds/message.ts'
import { BYTES, VARINT, WireError, WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

/** Messages on the wire whose JSON form is one value. Undefined = Go's zero, which JSON leaves out or writes as null. */
export function decodeWrapped(type: string, bytes: Uint8Array): unknown {
  switch (type as Wrapped) {
    case 'time':
    case 'microTime':
      return decodeTime(bytes, type === 'microTime')
    case 'quantity':
      return decodeStrings(bytes).at(-1) ?? '0'
    case 'extraValue':
      return decodeStrings(bytes)
    case 'intOrString':
      return decodeIntOrString(bytes)
    case 'rawExtension':
    case 'json':
    case 'fieldsV1':
      return decodeRaw(bytes)
  }
}

/** The bytes of the message. */
export function encodeWrapped(type: Wrapped, value: unknown): Uint8Array {
  const writer = new WireWriter(64)
  switch (type) {
    case 'time':
    case 'microTime':
      writeTime(writer, String(value), type === 'microTime')
      break
    case 'quantity':
      writeBytes(writer, Buffer.from(String(value)))
      break
    case 'extraValue':
      for (const item of [...(value as readonly string[])].reverse()) writeBytes(writer, Buffer.from(item))
      break
    case 'intOrString':
      writeIntOrString(writer, value)
      break
    default:
      writeBytes(writer, Buffer.from(stringifyJson(value)))
  }
  return writer.finish()
}

const MIN_SECONDS = -62_167_219_200 // year 0
const MAX_SECONDS = 253_402_300_799 // end of year 9999

/** {seconds=1, nanos=2}. Go takes a message without either, or with both zero, for "no time". */
function decodeTime(bytes: Uint8Array, micro: boolean): string | undefined {
  let seconds: number | bigint = 0
  let nanos = 0
  readNumbers(bytes, (number, reader) => {
    if (number === 1) seconds = reader.int64()
    else if (number === 2) nanos = reader.int32()
    else return false
    return true
  })
  if (seconds === 0 && nanos === 0) return undefined
  if (typeof seconds !== 'number' || seconds < MIN_SECONDS || seconds > MAX_SECONDS) throw new WireError('time is out of range')
  if (nanos < 0 || nanos >= 1e9) throw new WireError('nanoseconds are out of range')
  if (!micro) return formatTime(seconds * 1000)
  const fraction = String(Math.floor(nanos / 1000)).padStart(6, '0')
  return formatMicroTime(seconds * 1000).replace(/\.\d+Z$/, `.${fraction}Z`)
}

function writeTime(writer: WireWriter, text: string, micro: boolean): void {
  const millis = Date.parse(text)
  const nanos = micro ? Number((/\.(\d{1,9})/.exec(text)?.[1] ?? '').slice(0, 6).padEnd(6, '0')) * 1000 : 0
  writer.varint(nanos)
  writer.tag(2, VARINT)
  writer.varint(Math.floor(millis / 1000))
  writer.tag(1, VARINT)
}

/** Every string of field 1: Quantity has one, ExtraValue has a list. */
function decodeStrings(bytes: Uint8Array): string[] {
  const reader = new WireReader(bytes)
  const strings: string[] = []
  while (!reader.done) {
    const { number, wire } = reader.tag()
    if (number === 1 && wire === BYTES) strings.push(reader.string())
    else reader.skip(wire)
  }
  return strings
}

/** {type=1: 0 int, 1 string; intVal=2, strVal=3}. */
function decodeIntOrString(bytes: Uint8Array): number | string {
  const reader = new WireReader(bytes)
  let type: number | bigint = 0
  let int = 0
  let text = ''
  while (!reader.done) {
    const { number, wire } = reader.tag()
    if (number === 1 && wire === VARINT) type = reader.int64()
    else if (number === 2 && wire === VARINT) int = reader.int32()
    else if (number === 3 && wire === BYTES) text = reader.string()
    else reader.skip(wire)
  }
  return type === 0 ? int : text
}

function writeIntOrString(writer: WireWriter, value: unknown): void {
  const isText = typeof value === 'string'
  writer.string(isText ? value : '')
  writer.tag(3, BYTES)
  writer.varint(isText ? 0 : Number(value))
  writer.tag(2, VARINT)
  writer.varint(isText ? 1 : 0)
  writer.tag(1, VARINT)
}

/** {raw=1}: JSON text. */
function decodeRaw(bytes: Uint8Array): unknown {
  const text = decodeStrings(bytes).at(-1) ?? ''
  if (text === '') return null
  try {
    return parseJson(text).value
  } catch (cause) {
    throw new WireError(`embedded JSON: ${messageOf(cause)}`)
  }
}

function writeBytes(writer: WireWriter, bytes: Uint8Array): void {
  writer.bytes(bytes)
  writer.tag(1, BYTES)
}

function readNumbers(bytes: Uint8Array, read: (number: number, reader: WireReader) => boolean): void {
  const reader = new WireReader(bytes)
  while (!reader.done) {
    const { number, wire } = reader.tag()
    if (wire !== VARINT || !read(number, reader)) reader.skip(wire)
  }
}
