import { Fault } from '../eval/fault.ts'
import { BYTES, STRING } from '../types/type.ts'
import { fn, overload, type Library } from './library.ts'

/** Base64 to and from bytes. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const body = text.replace(/=+$/, '')
  if (body.length % 4 === 1 || (text.length !== body.length && text.length % 4 !== 0)) return undefined
  return Uint8Array.from(atob(body), (char) => char.charCodeAt(0))
}

export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

export const ENCODERS: Library = {
  name: 'encoders',
  functions: [
    fn('base64.encode', overload('base64_encode_bytes', [BYTES], STRING, encodeBase64)),
    fn(
      'base64.decode',
      overload('base64_decode_string', [STRING], BYTES, (text: string) => {
        const bytes = decodeBase64(text)
        if (bytes === undefined) throw new Fault('illegal base64 data')
        return bytes
      }),
    ),
  ],
}
