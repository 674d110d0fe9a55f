/**
 * Go's strings are bytes, which need not be UTF-8: decoding base64 or cutting off a byte makes such ones. Here a byte that is no part of
 * UTF-8 is the lone surrogate U+DC00 + byte, so that nothing is lost until the text is written as JSON.
 */
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const loneSurrogate = /[\uD800-\uDFFF]/u

export function textBytes(text: string): Uint8Array {
  if (!loneSurrogate.test(text)) return encoder.encode(text)
  const bytes: number[] = []
  for (const rune of text) {
    const code = rune.codePointAt(0) as number
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00)
    else for (const byte of encoder.encode(rune)) bytes.push(byte)
  }
  return Uint8Array.from(bytes)
}

export function bytesText(bytes: Uint8Array): string {
  const text = decoder.decode(bytes)
  if (!text.includes('\uFFFD')) return text
  let out = ''
  for (let at = 0; at < bytes.length;) {
    const length = runeLength(bytes, at)
    out += length === 0 ? String.fromCharCode(0xdc00 + (bytes[at] as number)) : decoder.decode(bytes.subarray(at, at + length))
    at += Math.max(length, 1)
  }
  return out
}

/** How many bytes the rune at `at` has; zero when there is none. */
function runeLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0
  const second = bytes[at + 1] as number
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < least || second > most) return 0
  for (let i = 2; i < length; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return 0
  return length
}

/** How many bytes of UTF-8 the text has up to there: Go counts positions so. */
export const byteOffset = (text: string, index: number): number => textBytes(text.slice(0, index)).length

/** Go's strings.ToUpper and ToLower go rune by rune, one for one. */
export function changeCase(text: string, to: 'upper' | 'lower'): string {
  let out = ''
  for (const rune of text) {
    const changed = to === 'upper' ? rune.toUpperCase() : rune.toLowerCase()
    out += isOneRune(changed) ? changed : simpleCase(rune, to)
  }
  return out
}

const isOneRune = (text: string): boolean => text.length === 1 || (text.length === 2 && (text.codePointAt(0) as number) > 0xffff)

/** Where Unicode's full mapping gives several runes, the simple one gives this. */
function simpleCase(rune: string, to: 'upper' | 'lower'): string {
  const code = rune.codePointAt(0) as number
  if (to === 'lower') return code === 0x130 ? 'i' : rune
  const inRow = (code >= 0x1f80 && code <= 0x1f87) || (code >= 0x1f90 && code <= 0x1f97) || (code >= 0x1fa0 && code <= 0x1fa7)
  if (inRow) return String.fromCodePoint(code + 8)
  return code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3 ? String.fromCodePoint(code + 9) : rune
}
