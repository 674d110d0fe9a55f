/** Standard base64, with or without padding; undefined when the text is not base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const body = text.replace(/=+$/, '')
  if (body.length % 4 === 1 || (text.length !== body.length && text.length % 4 !== 0)) return undefined
  return Uint8Array.from(atob(body), (char) => char.charCodeAt(0))
}

export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
