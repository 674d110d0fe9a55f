const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const utf8Bytes = (text: string): Uint8Array => encoder.encode(text)

/** Bytes that are not UTF-8 become U+FFFD: JSON could not carry them anyway. */
export const utf8Text = (bytes: Uint8Array): string => decoder.decode(bytes)

export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}
