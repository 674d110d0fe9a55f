import { getOwn, setOwn } from '@weft/api'
import { decodeBase64, encodeBase64 } from '../encoding/base64.ts'
import { utf8Bytes } from '../encoding/text.ts'

/** The `type` of every connection secret (X6). */
export const CONNECTION_SECRET_TYPE = 'connection.crossplane.io/v1alpha1'

/** A connection detail: base64 text, as in the `data` of a Secret, or the bytes themselves. */
export type DetailValue = string | Uint8Array
/** `data` of a Secret: keys to base64. */
export type SecretData = Readonly<Record<string, string>>

/** Base64 of a detail. */
export const toBase64 = (value: DetailValue): string => (typeof value === 'string' ? value : encodeBase64(value))

export const textToBase64 = (text: string): string => encodeBase64(utf8Bytes(text))

/** The bytes of every detail; text that is not base64 is left out, since no client could read it either. */
export function fromSecretData(data: SecretData): Readonly<Record<string, Uint8Array>> {
  const details: Record<string, Uint8Array> = {}
  for (const [key, value] of Object.entries(data)) {
    const bytes = decodeBase64(value)
    if (bytes !== undefined) setOwn(details, key, bytes)
  }
  return details
}

/** C32 asks for an exact copy: is there anything to write? */
export function sameDetails(a: Readonly<Record<string, DetailValue>>, b: Readonly<Record<string, DetailValue>>): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => {
    const other = getOwn(b, key)
    return other !== undefined && toBase64(a[key] as DetailValue) === toBase64(other)
  })
}
