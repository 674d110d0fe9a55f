import { getOwn, isJsonObject } from '@weft/api'
import { type Element, type Field, Message, isList, isMap, isSchemaOr } from '../kinds/message.ts'
import { BYTES, FIXED64, VARINT } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'
import { encodeWrapped } from './wrapped.ts'

/**
 * The bytes that Go's serialiser makes of the same object, byte for byte: fields by number, map entries by key, and
 * values that are not pointers written even when zero. `object` must be of the message's shape.
 */
export function encodeMessage(message: Message, object: unknown): Buffer {
  const writer = new WireWriter()
  writeMessage(writer, message, object)
  return writer.finish()
}

/** Fields in descending order, because the writer works back to front. */
function writeMessage(writer: WireWriter, message: Message, object: unknown): void {
  for (const field of message.descending) {
    const value = field.inline ? object : isJsonObject(object) ? getOwn(object, field.name) : undefined
    writeField(writer, field, value)
  }
}

function writeField(writer: WireWriter, field: Field, value: unknown): void {
  const { type, number } = field
  if (isList(type)) {
    const items = (value as readonly unknown[] | null | undefined) ?? []
    for (let i = items.length - 1; i >= 0; i--) writeTagged(writer, number, type.list, items[i])
    return
  }
  if (isMap(type)) {
    const entries = Object.entries((value as Record<string, unknown> | null | undefined) ?? {})
    if (entries.length > 1) entries.sort(([a], [b]) => compareBytes(b, a))
    for (const [key, item] of entries) writeEntry(writer, number, type.map, [key, item])
    return
  }
  const unset = value === undefined || (value === null && type !== 'json')
  if (unset && (field.presence === 'pointer' || type === 'bytes')) return
  writeTagged(writer, number, type, unset ? undefined : value)
}

/** As their UTF-8 compares, which is the order of code units unless there are surrogates. */
function compareBytes(a: string, b: string): number {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : a > b ? 1 : 0
}

const SURROGATE = /[\ud800-\udfff]/

function writeEntry(writer: WireWriter, number: number, type: Element, [key, value]: readonly [string, unknown]): void {
  const before = writer.length
  writeTagged(writer, 2, type, value)
  writer.string(key)
  writer.tag(1, BYTES)
  writer.varint(writer.length - before)
  writer.tag(number, BYTES)
}

/** Undefined stands for the zero value. */
function writeTagged(writer: WireWriter, number: number, type: Element, value: unknown): void {
  if (type === 'int32' || type === 'int64') writer.varint((value as number | bigint | undefined) ?? 0)
  else if (type === 'bool') writer.varint(value === true ? 1 : 0)
  else if (type === 'double') writer.double((value as number | undefined) ?? 0)
  else if (type === 'string') writer.string((value as string | undefined) ?? '')
  else if (type === 'bytes') writer.bytes(Buffer.from((value as string | undefined) ?? '', 'base64'))
  else writeNested(writer, type, value)
  writer.tag(number, type === 'double' ? FIXED64 : type === 'int32' || type === 'int64' || type === 'bool' ? VARINT : BYTES)
}

function writeNested(
  writer: WireWriter,
  type: Exclude<Element, 'string' | 'bool' | 'int32' | 'int64' | 'double' | 'bytes'>,
  value: unknown,
): void {
  const before = writer.length
  if (type instanceof Message) writeMessage(writer, type, value)
  else if (isSchemaOr(type)) writeSchemaOr(writer, type.schemaOr, type.schema, value)
  else if (value !== undefined || type === 'quantity' || type === 'intOrString') writer.raw(encodeWrapped(type, value ?? 0))
  writer.varint(writer.length - before)
}

function writeSchemaOr(writer: WireWriter, other: 'list' | 'bool' | 'names', schema: Message, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of [...(value as unknown[])].reverse()) writeTagged(writer, 2, other === 'names' ? 'string' : schema, item)
    return
  }
  const isSchema = isJsonObject(value)
  if (isSchema) writeTagged(writer, other === 'bool' ? 2 : 1, schema, value)
  // A schema for additionalProperties also allows them; Go's reader sets both.
  if (other === 'bool') writeTagged(writer, 1, 'bool', isSchema || value === true)
}
