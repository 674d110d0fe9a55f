import { sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { adler32 } from '../encoding/adler32.ts'
import { decodeBase64, encodeBase64 } from '../encoding/base64.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import { toHex, utf8Bytes, utf8Text } from '../encoding/text.ts'
import { failure, type Result, success } from '../result.ts'
import { plainText } from './value.ts'

export const CONVERSIONS = [
  'ToUpper',
  'ToLower',
  'ToBase64',
  'FromBase64',
  'ToJson',
  'ToSha1',
  'ToSha256',
  'ToSha512',
  'ToAdler32',
] as const
export type Conversion = (typeof CONVERSIONS)[number]

type Work = (input: unknown) => Result<string>

const ofText =
  (work: (text: string) => string): Work =>
  (input) =>
    success(work(plainText(input)))
const ofBytes =
  (work: (bytes: Uint8Array) => string): Work =>
  (input) =>
    success(work(hashed(input)))

const WORK: Readonly<Record<Conversion, Work>> = {
  ToUpper: ofText((text) => text.toUpperCase()),
  ToLower: ofText((text) => text.toLowerCase()),
  ToBase64: ofText((text) => encodeBase64(utf8Bytes(text))),
  FromBase64: (input) => {
    const bytes = decodeBase64(plainText(input))
    return bytes === undefined ? failure('TransformFailed', 'the string is not valid base64') : success(utf8Text(bytes))
  },
  ToJson: (input) => success(canonicalJson(input)),
  ToSha1: ofBytes((bytes) => toHex(sha1(bytes))),
  ToSha256: ofBytes((bytes) => toHex(sha256(bytes))),
  ToSha512: ofBytes((bytes) => toHex(sha512(bytes))),
  ToAdler32: ofBytes((bytes) => String(adler32(bytes))),
}

/** `string.convert`. Hashes are lowercase hex (Adler-32: decimal) of the text, or of the JSON of anything that is not text. */
export const convertString = (conversion: Conversion, input: unknown): Result<string> => WORK[conversion](input)

function hashed(input: unknown): Uint8Array {
  return utf8Bytes(typeof input === 'string' ? input : canonicalJson(input))
}
