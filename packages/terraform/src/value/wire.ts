import { decodeJson } from './json.ts'
import { decodeMsgpack } from './msgpack.ts'
import type { Type } from './type.ts'
import type { Value } from './value.ts'

/**
 * A value as a provider answered it. Nearly all write msgpack; JSON is as good, and some that are not written in Go use it. No message says which of
 * the two it is once it is only bytes, and none need: objects and null, which is all that resources and identities can be, begin with a byte
 * above 0x7f in msgpack and below it in JSON.
 */
export const decodeWire = (type: Type, bytes: Uint8Array): Value =>
  isJson(bytes) ? decodeJson(type, Buffer.from(bytes).toString()) : decodeMsgpack(type, bytes)

/** Are these bytes, of an object or of null, JSON rather than msgpack? */
export const isJson = ([first = 0xc0]: Uint8Array): boolean => first < 0x80
