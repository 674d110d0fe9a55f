import { adler32 } from '../encoding/adler32.ts'
import { decodeBase64, encodeBase64 } from '../encoding/base64.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { sha1 } from '../encoding/sha1.ts'
import { sha256, sha512 } from '../encoding/sha2.ts'
import { toHex, utf8Bytes, utf8Text } from '../encoding/text.ts'
import { failure, type Result, success } from '../result.ts'
import { plainText } from './value.ts'

export const CONVERSIONS = ['ToUpper', 'ToLower', 'ToBase64', 'FromBase64', 'ToJson', 'ToSha1', 'ToSha256', 'ToSha512', 'ToAdler32'] as const
export type Conversion = (typeof CONVERSIONS)[number]

/** `string.convert`. Hashes are lowercase hex (Adler-32: decimal) of the text, or of the JSON of anything that is not text. */
export function convertString(conversion: Conversion, input: unknown): Result<string> {
  switch (conversion) {
    case 'ToUpper':
      return success(plainText(input).toUpperCase())
    case 'ToLower':
      return success(plainText(input).toLowerCase())
    case 'ToBase64':
      return success(encodeBase64(utf8Bytes(plainText(input))))
    case 'FromBase64': {
      const bytes = decodeBase64(plainText(input))
      return bytes === undefined ? failure('TransformFailed', 'the string is not valid base64') : success(utf8Text(bytes))
    }
    case 'ToJson':
      return success(canonicalJson(input))
    case 'ToSha1':
      return success(toHex(sha1(hashed(input))))
    case 'ToSha256':
      return success(toHex(sha256(hashed(input))))
    case 'ToSha512':
      return success(toHex(sha512(hashed(input))))
    case 'ToAdler32':
      return success(String(adler32(hashed(input))))
  }
}

const hashed = (input: unknown): Uint8Array => utf8Bytes(typeof input === 'string' ? input : canonicalJson(input))
