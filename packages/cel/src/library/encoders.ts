import { decodeBase64, encodeBase64 } from '../eval/base64.ts'
import { Fault } from '../eval/fault.ts'
import { BYTES, STRING } from '../types/type.ts'
import { fn, overload, type Library } from './library.ts'

/** Base64 to and from bytes. */
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
