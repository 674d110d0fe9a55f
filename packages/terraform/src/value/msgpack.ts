import { MsgpackReader } from './msgpack-reader.ts'
import { MsgpackWriter } from './msgpack-writer.ts'
import type { Type } from './type.ts'
import { typeFromJson, typeToJson } from './type-json.ts'
import { Decimal } from './decimal.ts'
import { memberType } from './compare-values.ts'
import { Dynamic, isArray, isMap, Unknown, type Value } from './value.ts'
import { ValueError } from './value-error.ts'

/** A refinement's extension; any extension means unknown, this one says more about it (T66). */
const REFINED = 12
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n }

/** The value as providers take it. Throws ValueError where it is not of the type. */
export function encodeMsgpack(type: Type, value: Value): Uint8Array {
  const writer = new MsgpackWriter()
  write(writer, type, value, '')
  return writer.finish()
}

/** Throws ValueError where the bytes are no value of the type. */
export function decodeMsgpack(type: Type, bytes: Uint8Array): Value {
  const reader = new MsgpackReader(bytes)
  const value = read(reader, type, '')
  reader.expectEnd()
  return value
}

function write(writer: MsgpackWriter, type: Type, value: Value, path: string): void {
  if (value === null) return writer.nil()
  if (value instanceof Unknown) {
    if (value.refinements === undefined) return writer.extension(0, new Uint8Array(1))
    return writer.extension(REFINED, value.refinements)
  }
  switch (type.kind) {
    case 'string':
      if (typeof value === 'string') return writer.string(value.normalize('NFC'))
      break
    case 'bool':
      if (typeof value === 'boolean') return writer.bool(value)
      break
    case 'number':
      if (value instanceof Decimal) return writeNumber(writer, value)
      break
    case 'dynamic':
      if (!(value instanceof Dynamic)) break
      writer.array(2)
      writer.binary(Buffer.from(JSON.stringify(typeToJson(value.type))))
      return write(writer, value.type, value.value, path)
    case 'list':
    case 'set':
    case 'tuple':
      if (!isArray(value) || (type.kind === 'tuple' && type.elements.length !== value.length)) break
      writer.array(value.length)
      for (const [index, element] of value.entries()) write(writer, memberType(type, index), element, `${path}[${index}]`)
      return
    case 'map':
      if (!isMap(value)) break
      writer.map(value.size)
      for (const [key, element] of sorted(value)) {
        writer.string(key.normalize('NFC'))
        write(writer, type.element, element, `${path}[…]`)
      }
      return
    case 'object':
      if (!isMap(value)) break
      return writeObject(writer, type.attributes, value, path)
    default:
      return type satisfies never
  }
  throw wrongType(type, path)
}

function writeObject(writer: MsgpackWriter, attributes: ReadonlyMap<string, Type>, value: ReadonlyMap<string, Value>, path: string): void {
  writer.map(attributes.size)
  for (const name of value.keys()) if (!attributes.has(name)) throw new ValueError(`${path}.${name} is not in the schema`)
  for (const [name, of] of sorted(attributes)) {
    const member = value.get(name)
    if (member === undefined) throw new ValueError(`${path}.${name} is missing`)
    writer.string(name)
    write(writer, of, member, `${path}.${name}`)
  }
}

/** As OpenTofu writes them: what fits into 64 bits is an integer, what is a float exactly a float, and all else text (T67). */
function writeNumber(writer: MsgpackWriter, number: Decimal): void {
  const integer = number.toBigInt()
  if (integer !== undefined) {
    if (integer >= INT64.min && integer <= INT64.max) writer.integer(integer)
    else writer.string(String(integer))
    return
  }
  const float = isBinaryFraction(number) ? number.exactNumber() : undefined
  if (float === undefined) writer.string(number.toString())
  else writer.float(float)
}

/** Is the decimal a float64 to the last digit (1.5), rather than the shortest text of one (1.1)? Then 10^e divides out to a power of two. */
function isBinaryFraction({ coefficient, exponent }: Decimal): boolean {
  const fives = 5n ** BigInt(-exponent)
  return coefficient % fives === 0n
}

function read(reader: MsgpackReader, type: Type, path: string): Value {
  if (reader.nil()) return null
  const extension = reader.extension()
  if (extension !== undefined) return extension.type === REFINED ? new Unknown(extension.body) : new Unknown()
  switch (type.kind) {
    case 'string':
      return reader.string(path).normalize('NFC')
    case 'bool':
      return reader.bool(path)
    case 'number':
      return reader.number(path)
    case 'dynamic': {
      if (reader.array(path) !== 2) throw wrongType(type, path)
      const actual = typeFromJson(parseType(reader.text(path)))
      return new Dynamic(actual, read(reader, actual, path))
    }
    case 'list':
    case 'set':
    case 'tuple': {
      const length = reader.array(path)
      if (type.kind === 'tuple' && length !== type.elements.length) throw wrongType(type, path)
      return Array.from({ length }, (_, index) => read(reader, memberType(type, index), `${path}[${index}]`))
    }
    case 'map': {
      const map = new Map<string, Value>()
      for (let left = reader.map(path); left > 0; left--) {
        const key = reader.string(path).normalize('NFC')
        map.set(key, read(reader, type.element, `${path}[…]`))
      }
      return map
    }
    case 'object':
      return readObject(reader, type.attributes, path)
    default:
      return type satisfies never
  }
}

function readObject(reader: MsgpackReader, attributes: ReadonlyMap<string, Type>, path: string): Value {
  const object = new Map<string, Value>()
  for (let left = reader.map(path); left > 0; left--) {
    const name = reader.string(path)
    const type = attributes.get(name)
    if (type === undefined) throw new ValueError(`${path}.${name} is not in the schema`)
    object.set(name, read(reader, type, `${path}.${name}`))
  }
  for (const name of attributes.keys()) if (!object.has(name)) throw new ValueError(`${path}.${name} is missing`)
  return object
}

function parseType(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ValueError('the type of a dynamic value is not JSON', { cause })
  }
}

/** Core sends names sorted; nobody needs it, and it makes bytes repeatable. */
const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))

const wrongType = ({ kind }: Type, path: string): ValueError => new ValueError(`${path === '' ? 'the value' : path} is not of type ${kind}`)
