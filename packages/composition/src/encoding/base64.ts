/** Standard base64 (RFC 4648, padded), the encoding of Secret data. Here, because this package may not use node:buffer. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES: Int8Array = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

export function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i
    const chunk = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    text += ALPHABET.charAt(chunk >> 18) + ALPHABET.charAt((chunk >> 12) & 63)
    text += left > 1 ? ALPHABET.charAt((chunk >> 6) & 63) : '='
    text += left > 2 ? ALPHABET.charAt(chunk & 63) : '='
  }
  return text
}

/** Undefined when the text is not base64. Line breaks are ignored, as Go's decoder does. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const clean = text.replace(/[\r\n]/g, '')
  if (clean.length % 4 !== 0) return undefined
  const padding = clean.endsWith('==') ? 2 : clean.endsWith('=') ? 1 : 0
  const digits = clean.length - padding
  const bytes = new Uint8Array((clean.length / 4) * 3 - padding)
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < digits; i++) {
    const value = VALUES[clean.charCodeAt(i)] ?? -1
    if (value < 0) return undefined
    bits = ((bits << 6) | value) & 0xffff
    held += 6
    if (held >= 8) {
      held -= 8
      bytes[at++] = (bits >> held) & 0xff
    }
  }
  return bytes
}
